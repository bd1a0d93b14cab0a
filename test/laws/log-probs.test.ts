import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createJsBackend } from "../../src/uq/logprobs/js-backend.ts";
import type { LogProbColumns, Want } from "../../src/uq/logprobs/log-prob-backend.ts";

const backend = createJsBackend();

/** Multiples of 1/64: sums with whole numbers are exact in float32, and ties are frequent. */
const logitsOf = (minLength: number): fc.Arbitrary<number[]> =>
  fc.array(
    fc.integer({ min: -640, max: 640 }).map((n) => n / 64),
    { minLength, maxLength: 60 },
  );

/** Every token of one row of logits as the target, a row each. */
function scoreAll(logits: readonly number[], want: Want, temperature: number = 1): Promise<LogProbColumns> {
  const vocab = logits.length;
  const data = Float32Array.from({ length: vocab * vocab }, (_logit, i) => logits[i % vocab] as number);
  return backend.score({ data, rows: vocab, vocab, temperature }, Int32Array.from(logits.keys()), want);
}

const law = <Case>(given: fc.Arbitrary<Case>, holds: (input: Case) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(given, holds), { seed: 7, numRuns: 60 });

function expectNear(actual: ArrayLike<number> | undefined, expected: ArrayLike<number> | undefined): void {
  expect(actual?.length).toBe(expected?.length);
  for (let i = 0; i < (actual?.length ?? 0); i++)
    expect(actual?.[i]).toBeCloseTo(expected?.[i] as number, 11);
}

describe("laws of log-probs", () => {
  it("probabilities of all tokens add up to 1", () =>
    law(logitsOf(1), async (logits) => {
      const { logprob } = await scoreAll(logits, {});
      expect(logprob.reduce((sum, value) => sum + Math.exp(value), 0)).toBeCloseTo(1, 12);
      expect(Math.max(...logprob)).toBeLessThanOrEqual(0);
    }));

  it("adding a number to all logits changes nothing", () =>
    law(fc.tuple(logitsOf(1), fc.integer({ min: -1000, max: 1000 })), async ([logits, shift]) => {
      const want = { entropy: true, rank: true, argmax: true, topK: 1 };
      const plain = await scoreAll(logits, want);
      expect(
        await scoreAll(
          logits.map((logit) => logit + shift),
          want,
        ),
      ).toEqual(plain);
    }));

  it("another order of the vocabulary changes the ids and nothing else", () =>
    law(
      logitsOf(2).chain((logits) =>
        fc.tuple(
          fc.constant(logits),
          fc.shuffledSubarray(Array.from(logits.keys()), { minLength: logits.length }),
        ),
      ),
      async ([logits, order]) => {
        const plain = await scoreAll(logits, { entropy: true, rank: true });
        const moved = await scoreAll(
          order.map((id) => logits[id] as number),
          { entropy: true, rank: true },
        );
        expectNear(
          moved.logprob,
          order.map((id) => plain.logprob[id] as number),
        );
        expectNear(moved.entropy, plain.entropy);
        expect(Array.from(moved.rank ?? [])).toEqual(order.map((id) => plain.rank?.[id]));
      },
    ));

  it("entropy lies between 0 and ln V, and is the mean of -ln p", () =>
    law(logitsOf(1), async (logits) => {
      const { logprob, entropy = new Float64Array(0) } = await scoreAll(logits, { entropy: true });
      const mean = logprob.reduce((sum, value) => sum - Math.exp(value) * value, 0);
      for (const value of entropy) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(Math.log(logits.length) + 1e-12);
        expect(value).toBeCloseTo(mean, 11);
      }
    }));

  it("a masked token might as well not be there", () =>
    law(fc.tuple(logitsOf(1), fc.nat()), async ([logits, place]) => {
      const at = place % (logits.length + 1);
      const masked = [...logits.slice(0, at), Number.NEGATIVE_INFINITY, ...logits.slice(at)];
      const plain = await scoreAll(logits, { entropy: true, rank: true });
      const more = await scoreAll(masked, { entropy: true, rank: true });
      const others = Array.from(masked.keys()).filter((id) => id !== at);
      expectNear(
        others.map((id) => more.logprob[id] as number),
        plain.logprob,
      );
      expect(others.map((id) => more.rank?.[id])).toEqual(Array.from(plain.rank ?? []));
      expect(more.entropy?.[0]).toBeCloseTo(plain.entropy?.[0] as number, 11);
      expect(more.logprob[at]).toBe(Number.NEGATIVE_INFINITY);
      expect(more.rank?.[at]).toBe(logits.length + 1);
    }));

  it("a temperature divides the logits", () =>
    law(fc.tuple(logitsOf(1), fc.constantFrom(0.25, 0.5, 2, 8)), async ([logits, temperature]) => {
      const hot = await scoreAll(logits, { entropy: true, topK: 1 }, temperature);
      const divided = await scoreAll(
        logits.map((logit) => logit / temperature),
        { entropy: true, topK: 1 },
      );
      expectNear(hot.logprob, divided.logprob);
      expectNear(hot.entropy, divided.entropy);
      expect(hot.topIds).toEqual(divided.topIds);
    }));

  it("ranks, the most probable token and the top agree", () =>
    law(logitsOf(1), async (logits) => {
      const vocab = logits.length;
      const { logprob, rank, argmax, topIds, topLogprobs, coveredMass } = await scoreAll(logits, {
        rank: true,
        argmax: true,
        topK: vocab,
      });
      const top = Array.from(topIds?.subarray(0, vocab) ?? []);
      expect([...top].sort((a, b) => a - b)).toEqual(Array.from(logits.keys()));
      expect(argmax?.[0]).toBe(top[0]);
      top.forEach((id, place) => {
        expect(topLogprobs?.[place]).toBe(logprob[id]);
        // Ties share the rank of the first among them, and lie in the order of their ids.
        expect(rank?.[id]).toBe(1 + top.findIndex((other) => logits[other] === logits[id]));
        if (place > 0 && logits[id] === logits[top[place - 1] as number])
          expect(id).toBeGreaterThan(top[place - 1] as number);
      });
      expect(coveredMass?.[0]).toBeCloseTo(1, 12);
    }));
});
