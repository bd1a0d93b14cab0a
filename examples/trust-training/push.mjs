import { sequencePerplexity } from "calibrant/uq";
import { outlook } from "./policy.mjs";
import { streamOf, uniforms } from "./random.mjs";
import { advantagesOf, REWARDS, rewardsOfGroups } from "./rewards.mjs";
import { STREAM, sampleGroups } from "./training.mjs";

/**
 * Which way a reward pushes the perplexity of a decision: the slope of the advantage on the response's own ln PPL among
 * responses with the same context and action. Positive = of two such responses the one with the higher perplexity is
 * reinforced more, which makes the policy less sure there; negative = the surer one; 0 = the reward does not care.
 *
 * @param groups groups sampled of each context
 * @returns for each reward, for each `std`: `{ right, wrong }`, by action, in advantage per unit of ln PPL
 */
export function pushesOnPerplexity(seed, { policy, contexts }, rewardsOf, groups, settings) {
  const uniform = uniforms(streamOf(seed, STREAM.pushes));
  const points = contexts.train.flatMap((context) => Array.from({ length: groups }, () => context));
  const views = points.map((context) => outlook(policy, context));
  const rollouts = sampleGroups(points, contexts.places, views, uniform, settings);
  const nll = rollouts.map(({ logprobs }) => sequencePerplexity(logprobs).nll);
  const cells = cellsOf(rollouts, groups);
  const pushesOf = (advantages) => ({
    right: slopeWithin(cells.right, nll, advantages),
    wrong: slopeWithin(cells.wrong, nll, advantages),
  });
  return Object.fromEntries(
    REWARDS.map(({ name }) => {
      const rewards = rewardsOfGroups(rewardsOf[name], rollouts, settings.group);
      const of = (std) => pushesOf(advantagesOf(rewards, rollouts, std));
      return [name, { sample: of("sample"), none: of("none") }];
    }),
  );
}

/** Rows with the same context and action, apart for right and wrong actions. */
function cellsOf(rollouts, groups) {
  const cells = { right: new Map(), wrong: new Map() };
  for (const [row, { group, gold, action }] of rollouts.entries()) {
    const side = action === gold ? cells.right : cells.wrong;
    const key = 4 * Math.floor(group / groups) + action;
    const rows = side.get(key);
    if (rows === undefined) side.set(key, [row]);
    else rows.push(row);
  }
  return { right: [...cells.right.values()], wrong: [...cells.wrong.values()] };
}

/** Least squares with an intercept for each cell. */
function slopeWithin(cells, x, y) {
  let xy = 0;
  let xx = 0;
  for (const rows of cells) {
    const [xMean, yMean] = [meanAt(x, rows), meanAt(y, rows)];
    for (const row of rows) {
      xy += (x[row] - xMean) * (y[row] - yMean);
      xx += (x[row] - xMean) ** 2;
    }
  }
  return xy / xx;
}

function meanAt(values, rows) {
  return rows.reduce((sum, row) => sum + values[row], 0) / rows.length;
}
