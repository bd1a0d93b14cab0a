import { measureRuns } from "./measures.mjs";
import { pushesOnPerplexity } from "./push.mjs";
import { REWARDS, rewardFunctions } from "./rewards.mjs";
import { startOf, train } from "./training.mjs";

const PUSH_GROUPS = 8;

/**
 * All that is measured of one seed: the three rewards from the same start with the same random numbers.
 *
 * @param variations changes of `settings`, one at a time; `tokens` can only become fewer
 * @returns `measures` over the steps by reward, `pushes` at the start, the `decisions` behind the histograms, and `ends`:
 *   the measures before and after training, first with `settings` as they are, then with each variation
 */
export function runSeed(seed, settings, variations = []) {
  const start = startOf(seed, settings);
  const runs = trainAll(seed, start, settings);
  const changedRuns = variations.map(({ change }) => {
    const changed = { ...settings, every: settings.steps, ...change };
    return trainAll(seed, withTokens(start, changed.tokens), changed);
  });
  return {
    measures: measureRuns(runs),
    pushes: pushesOnPerplexity(seed, start, rewardFunctions(settings), PUSH_GROUPS, settings),
    decisions: decisionsOf(runs),
    ends: [runs, ...changedRuns].map((each) => measureRuns(endsOf(each))),
  };
}

function trainAll(seed, start, settings) {
  const rewardsOf = rewardFunctions(settings);
  return byReward((name) => train(seed, start, rewardsOf[name], settings));
}

function withTokens({ policy, contexts }, tokens) {
  return { policy, contexts: { ...contexts, places: contexts.places.subarray(0, tokens) } };
}

function endsOf(runs) {
  return byReward((name) => [runs[name][0], runs[name].at(-1)]);
}

/** Before training (the same for all) and after it. */
function decisionsOf(runs) {
  return { before: runs[REWARDS[0].name][0], ...byReward((name) => runs[name].at(-1)) };
}

function byReward(of) {
  return Object.fromEntries(REWARDS.map(({ name }) => [name, of(name)]));
}
