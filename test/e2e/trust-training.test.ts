import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";

vi.mock("calibrant/rewards", () => import("../../src/rewards/index.ts"));
vi.mock("calibrant/uq", () => import("../../src/uq/index.ts"));

/** A module of examples/trust-training, which has no types. */
// biome-ignore lint/suspicious/noExplicitAny: plain JavaScript
async function example(name: string): Promise<any> {
  return import(fileURLToPath(new URL(`../../examples/trust-training/${name}.mjs`, import.meta.url)));
}

const { runSeed } = await example("experiment");
const { SETTINGS } = await example("settings");
const { rewardFunctions } = await example("rewards");
const { addScore, outlook, sampler } = await example("policy");
const { startOf } = await example("training");
const { uniforms } = await example("random");

const TINY = {
  ...SETTINGS,
  contexts: { corpus: 20, train: 8, heldOut: 10 },
  base: { ...SETTINGS.base, steps: 20 },
  tokens: 4,
  batch: 2,
  steps: 4,
  every: 2,
};

describe("the training example", () => {
  it("gives the same numbers for the same seed, and others for another", () => {
    const one = runSeed(1, TINY, [{ change: { std: "none" } }]);
    expect(runSeed(1, TINY, [{ change: { std: "none" } }])).toEqual(one);
    expect(one.measures.paper.map(({ step }: { step: number }) => step)).toEqual([0, 2, 4]);
    expect(one.measures.plain[0]).toEqual(one.measures.released[0]);
    expect(runSeed(2, TINY).measures.paper[0]).not.toEqual(one.measures.paper[0]);
  });

  it("climbs the log-likelihood of every sampled token", () => {
    const { policy, contexts } = startOf(3, TINY);
    const [context] = contexts.train;
    const logLikelihood = (parameters: Float64Array, random: () => number): number =>
      sampler(
        outlook(parameters, context),
        contexts.places,
      )(random).logprobs.reduce((sum: number, value: number) => sum + value, 0);
    // The same uniform numbers give the same tokens as long as no probability moves past one of them.
    const { action, surplus } = sampler(outlook(policy, context), contexts.places)(uniforms(5));
    const gradient = new Float64Array(policy.length);
    const only = (value: number): number[] => [0, 1, 2, 3].map((k) => (k === action ? value : 0));
    addScore(gradient, context, outlook(policy, context), { taken: only(1), surplus: only(surplus) }, 1);
    for (let i = 0; i < policy.length; i += 7) {
      const [up, down] = [1e-5, -1e-5].map((step) => {
        const moved = policy.slice();
        moved[i] += step;
        return logLikelihood(moved, uniforms(5));
      }) as [number, number];
      expect((up - down) / 2e-5).toBeCloseTo(gradient[i] as number, 6);
    }
  });

  it("rewards an unsure wrong response as much as a sure one without c, and more in the released variant", () => {
    const rollout = (action: number, logprob: number) => ({
      gold: 1,
      action,
      words: new Uint8Array(4),
      logprobs: new Float64Array(5).fill(logprob),
    });
    const group = [rollout(1, -0.3), rollout(2, -0.1), rollout(2, -0.6)];
    const { plain, paper, released } = rewardFunctions(TINY);
    expect(plain(group)).toEqual(Float64Array.of(5, 2, 2));
    const [, sure, unsure] = paper(group);
    expect(sure).toBe(unsure);
    const [right, surest, leastSure] = released(group);
    expect(leastSure).toBeGreaterThan(surest);
    expect(right).toBeGreaterThan(leastSure);
  });
});
