import { ACTIONS, adam, addScore, newPolicy, outlook } from "./policy.mjs";

/**
 * The policy before reinforcement: maximum likelihood on a corpus of mixed quality, on its expectations and so without
 * sampling. Its authors take the gold action with `accuracy`, else one of the other three, and write the usual word
 * with probability `usualRight` after the gold action and `usualWrong` after another at a place of mean ease, less often in
 * difficult contexts.
 */
export function basePolicy(corpus, { accuracy, usualRight, usualWrong, difficulty, steps, rate }) {
  const policy = newPolicy();
  const climb = adam(policy, rate);
  const targets = corpus.map((context) =>
    Array.from({ length: ACTIONS }, (_, action) => {
      const right = action === context.gold;
      const odds = logOdds(right ? usualRight : usualWrong) - difficulty * context.difficulty;
      return { taken: right ? accuracy : (1 - accuracy) / (ACTIONS - 1), usual: chanceOf(odds) };
    }),
  );
  for (let step = 0; step < steps; step += 1) {
    const gradient = new Float64Array(policy.length);
    for (const [i, context] of corpus.entries()) {
      const view = outlook(policy, context);
      const taken = targets[i].map((target) => target.taken);
      const surplus = targets[i].map((target, k) => target.taken * (target.usual - chanceOf(view.odds[k])));
      addScore(gradient, context, view, { taken, surplus }, 1 / corpus.length);
    }
    climb(gradient);
  }
  return policy;
}

function chanceOf(odds) {
  return 1 / (1 + Math.exp(-odds));
}

function logOdds(p) {
  return Math.log(p / (1 - p));
}
