import { sequencePerplexity } from "calibrant/uq";
import { basePolicy } from "./base-policy.mjs";
import { environment } from "./environment.mjs";
import { ACTIONS, adam, addScore, outlook, sampler } from "./policy.mjs";
import { streamOf, uniforms } from "./random.mjs";
import { advantagesOf, rewardsOfGroups } from "./rewards.mjs";

/** Random numbers for each purpose; see `streamOf`. */
export const STREAM = { contexts: 1, rollouts: 2, heldOut: 3, pushes: 4 };

/** The decision points of a seed and the policy that every reward starts from. */
export function startOf(seed, settings) {
  const contexts = environment(seed, settings.contexts, settings.tokens);
  return { contexts, policy: basePolicy(contexts.corpus, settings.base) };
}

/**
 * Trains a copy of a policy by GRPO: every step draws contexts, samples a group of responses for each, and climbs the
 * log-likelihood of all sampled tokens times the group-relative advantage of their response. One update a sample, so the
 * importance ratio is 1 and never clipped; no KL term.
 *
 * @param rewardOf one of `rewardFunctions`
 * @returns held-out decisions before training and after every `settings.every` steps
 */
export function train(seed, start, rewardOf, settings) {
  const policy = start.policy.slice();
  const climb = adam(policy, settings.rate);
  const drawn = uniforms(streamOf(seed, STREAM.contexts));
  const uniform = uniforms(streamOf(seed, STREAM.rollouts));
  const { train: pool, places } = start.contexts;
  const history = [decisions(policy, start.contexts, seed, 0, settings)];
  for (let step = 1; step <= settings.steps; step += 1) {
    const batch = Array.from({ length: settings.batch }, () => pool[Math.floor(drawn() * pool.length)]);
    climb(policyGradient(policy, { batch, places }, uniform, rewardOf, settings));
    if (step % settings.every === 0) history.push(decisions(policy, start.contexts, seed, step, settings));
  }
  return history;
}

function policyGradient(policy, { batch, places }, uniform, rewardOf, settings) {
  const views = batch.map((context) => outlook(policy, context));
  const rollouts = sampleGroups(batch, places, views, uniform, settings);
  const rewards = rewardsOfGroups(rewardOf, rollouts, settings.group);
  const advantages = advantagesOf(rewards, rollouts, settings.std);
  const gradient = new Float64Array(policy.length);
  for (const [i, { group, action, logprobs, surplus }] of rollouts.entries()) {
    const weight = advantages[i] / rollouts.length / logprobs.length;
    const score = { taken: onlyAt(action, 1), surplus: onlyAt(action, surplus) };
    addScore(gradient, batch[group], views[group], score, weight);
  }
  return gradient;
}

function onlyAt(action, value) {
  const values = new Float64Array(ACTIONS);
  values[action] = value;
  return values;
}

/** `settings.group` responses to every context. */
export function sampleGroups(contexts, places, views, uniform, { group: size }) {
  return contexts.flatMap(({ gold }, group) => {
    const draw = sampler(views[group], places);
    return Array.from({ length: size }, () => ({ group, gold, ...draw(uniform) }));
  });
}

/** Held-out decisions at a step: perplexities of the right and of the wrong ones. */
function decisions(policy, { heldOut, places }, seed, step, { perContext }) {
  const uniform = uniforms(streamOf(seed, STREAM.heldOut, step));
  const correct = [];
  const wrong = [];
  for (const context of heldOut) {
    const draw = sampler(outlook(policy, context), places);
    for (let i = 0; i < perContext; i += 1) {
      const { action, logprobs } = draw(uniform);
      (action === context.gold ? correct : wrong).push(sequencePerplexity(logprobs).ppl);
    }
  }
  return { step, correct: Float64Array.from(correct), wrong: Float64Array.from(wrong) };
}
