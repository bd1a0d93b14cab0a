import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CalibrantError } from "../../src/errors.ts";
import { type PerplexityOptions, perplexity } from "../../src/uq/perplexity.ts";
import { perplexityFlags } from "../../src/uq/perplexity-flags.ts";
import { sequencePerplexity } from "../../src/uq/sequence-perplexity.ts";

const INF = Number.POSITIVE_INFINITY;
const E2 = 7.38905609893065;

/** Flags of a single sequence. */
function flagsOf(logprobs: (number | null)[], options?: PerplexityOptions): readonly string[] {
  return sequencePerplexity(logprobs, options).flags;
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    expect((error as Error).message).not.toContain("\n");
    return (error as CalibrantError).code;
  }
  return "no error";
}

describe("perplexity", () => {
  it("is exp of the mean negative log-probability of each row", () => {
    const result = perplexity(Float32Array.of(-1, -3, -0.5), Int32Array.of(0, 2, 3));
    expect([...result.n]).toEqual([2, 1]);
    expect([...result.sumLogprob]).toEqual([-4, -0.5]);
    expect([...result.nll]).toEqual([2, 0.5]);
    expect([...result.ppl]).toEqual([E2, Math.exp(0.5)]);
    expect([...result.flags]).toEqual([0, 0]);
  });

  it("reads a window of a larger buffer, and every storage type alike", () => {
    const values = [-9, -1, -2, -3, -9];
    const offsets = Int32Array.of(1, 3, 3, 4);
    for (const storage of [
      values,
      Float32Array.from(values),
      Float64Array.from(values),
      Int32Array.from(values),
    ]) {
      const { n, nll, flags } = perplexity(storage, offsets);
      expect([...n]).toEqual([2, 0, 1]);
      expect([...nll]).toEqual([1.5, NaN, 3]);
      expect([...flags]).toEqual([0, 1, 0]);
    }
  });

  it("has no rows for a single offset", () => {
    expect(perplexity([], Int32Array.of(0)).ppl.length).toBe(0);
  });

  it("sums float32 in float64, compensated", () => {
    const n = 1e6;
    const { sumLogprob } = perplexity(new Float32Array(n).fill(-0.1), Int32Array.of(0, n));
    expect(sumLogprob[0]).toBe(-Math.fround(0.1) * n);
  });

  it("never returns -0", () => {
    const { nll, ppl } = sequencePerplexity([-0, 0]);
    expect(Object.is(nll, 0)).toBe(true);
    expect(ppl).toBe(1);
  });
});

describe("perplexity of odd values", () => {
  it("is NaN where a value is no log-probability", () => {
    expect(sequencePerplexity([-0.1, Number.NaN])).toMatchObject({
      n: 2,
      ppl: NaN,
      nll: NaN,
      flags: ["nan"],
    });
    expect(sequencePerplexity([-0.1, null])).toMatchObject({ ppl: NaN, sumLogprob: NaN, flags: ["null"] });
    expect(sequencePerplexity([0.7, -0.3])).toMatchObject({ ppl: NaN, flags: ["positive"] });
    expect(sequencePerplexity([INF])).toMatchObject({ ppl: NaN, flags: ["positive"] });
  });

  it("is Infinity where a token is impossible", () => {
    expect(sequencePerplexity([-0.3, -INF])).toMatchObject({ nll: INF, ppl: INF, flags: ["neg-inf"] });
    for (const sentinel of [-9999, -1e9, -65504]) {
      expect(sequencePerplexity([-0.1, sentinel])).toMatchObject({
        sumLogprob: -INF,
        nll: INF,
        ppl: INF,
        flags: ["sentinel"],
      });
    }
  });

  it("takes sentinels exactly, and only those it is given", () => {
    expect(flagsOf([-9998.5])).toEqual(["overflow"]);
    expect(flagsOf([-10000, -1])).toEqual(["overflow"]);
    expect(flagsOf([-9999], { sentinels: [] })).toEqual(["overflow"]);
    expect(flagsOf([-100, -1], { sentinels: [-100] })).toEqual(["sentinel"]);
    expect(flagsOf([-1, -2], { sentinels: [0] })).toEqual([]);
  });

  it("clamps rounding above 0", () => {
    expect(sequencePerplexity([1e-3, -2])).toMatchObject({ nll: 1, flags: ["clamped-positive"] });
    expect(flagsOf([1.1e-3, -2])).toEqual(["positive"]);
    expect(sequencePerplexity([1e-7])).toMatchObject({ ppl: 1, flags: ["clamped-positive"] });
  });

  it("keeps nll where e^nll overflows", () => {
    expect(sequencePerplexity([-1000, -1000])).toMatchObject({ nll: 1000, ppl: INF, flags: ["overflow"] });
    expect(sequencePerplexity([-709]).ppl).toBeLessThan(INF);
  });

  it("reports several oddities, the impossible deciding", () => {
    expect(sequencePerplexity([-INF, Number.NaN, -9999, 1])).toMatchObject({
      ppl: NaN,
      flags: ["nan", "neg-inf", "sentinel", "positive"],
    });
  });

  it("flags rows of zeros", () => {
    expect(sequencePerplexity([0, 0])).toMatchObject({ ppl: 1, flags: ["all-zero-logprobs"] });
    expect(flagsOf([0, -1e-300])).toEqual([]);
    expect(flagsOf([5, 0, 0], { mask: [0, 1, 1] })).toEqual(["all-zero-logprobs"]);
    expect(flagsOf([null, 0], { kind: "prompt" })).toEqual(["first-null-skipped", "all-zero-logprobs"]);
  });
});

describe("nulls", () => {
  it("are skipped only at the first position of a prompt", () => {
    const prompt = { kind: "prompt" } as const;
    expect(sequencePerplexity([null, -2], prompt)).toMatchObject({
      n: 1,
      nll: 2,
      flags: ["first-null-skipped"],
    });
    expect(flagsOf([null, -2])).toEqual(["null"]);
    expect(flagsOf([-1, null], prompt)).toEqual(["null"]);
    expect(flagsOf([null, null, -1], prompt)).toEqual(["first-null-skipped", "null"]);
    expect(flagsOf([null], prompt)).toEqual(["empty", "first-null-skipped"]);
    expect(sequencePerplexity([-1, -2], prompt)).toMatchObject({ n: 2, flags: [] });
  });

  it("hold for the first position of every row", () => {
    const { n, flags } = perplexity([null, -1, null, -1, -1], Int32Array.of(0, 2, 5), { kind: "prompt" });
    expect([...n]).toEqual([1, 2]);
    expect([...flags].map(perplexityFlags)).toEqual([["first-null-skipped"], ["first-null-skipped"]]);
  });

  it("come to typed arrays as validity, apart from NaN", () => {
    const values = Float64Array.of(NaN, -1, 0, -1);
    const valueValid = Uint8Array.of(0, 1, 1, 0);
    const { flags } = perplexity(values, Int32Array.of(0, 2, 4), { valueValid, kind: "prompt" });
    expect([...flags].map(perplexityFlags)).toEqual([["first-null-skipped"], ["null"]]);
  });

  it("of a whole list are their own fact", () => {
    const rowValid = Uint8Array.of(0, 1);
    const { n, ppl, flags } = perplexity([-1], Int32Array.of(0, 0, 1), { rowValid });
    expect([...n]).toEqual([0, 1]);
    expect([...ppl]).toEqual([NaN, Math.E]);
    expect([...flags].map(perplexityFlags)).toEqual([["no-logprobs"], []]);
  });
});

describe("mask", () => {
  it("selects: masked values are not looked at", () => {
    const logprobs = [null, Number.NaN, 5, -INF, -9999, -1, -2];
    const result = sequencePerplexity(logprobs, { mask: [0, 0, 0, 0, 0, 1, 1] });
    expect(result).toMatchObject({ n: 2, nll: 1.5, flags: [] });
  });

  it("may be of any type", () => {
    const offsets = Int32Array.of(1, 4);
    const values = Float32Array.of(-9, -1, -7, -3);
    const bits = [0, 1, 0, 1];
    const masks = [
      bits,
      Uint8Array.from(bits),
      Int8Array.from([0, -1, 0, 2]),
      Float64Array.from(bits),
      bits.map(Boolean),
    ];
    for (const mask of masks) {
      const { n, nll } = perplexity(values, offsets, { mask });
      expect([n[0], nll[0]]).toEqual([2, 2]);
    }
  });

  it("may be ragged, with offsets of its own and rows without one", () => {
    const values = Float64Array.of(-1, -3, -5, -7);
    const offsets = Int32Array.of(0, 2, 4);
    for (const mask of [Uint8Array.of(9, 1, 0, 0, 1), [9, 1, 0, 0, 1]]) {
      const ragged = { values: mask, offsets: Int32Array.of(1, 3, 5) };
      expect([...perplexity(values, offsets, { mask: ragged }).nll]).toEqual([1, 7]);
    }
    const partly = {
      values: Uint8Array.of(0, 1),
      offsets: Int32Array.of(0, 0, 2),
      rowValid: Uint8Array.of(0, 1),
    };
    expect([...perplexity(values, offsets, { mask: partly }).nll]).toEqual([2, 7]);
  });

  it("must be as long as the values", () => {
    expect(codeOf(() => sequencePerplexity([-1, -2], { mask: [1] }))).toBe("length-mismatch");
    const short = { values: Uint8Array.of(1), offsets: Int32Array.of(0, 1) };
    expect(codeOf(() => sequencePerplexity([-1, -2], { mask: short }))).toBe("length-mismatch");
    expect(() => sequencePerplexity([-1, -2], { mask: short })).toThrow(/row 0 .* 2 .*; got 1$/);
    const rows = { values: Uint8Array.of(1, 1), offsets: Int32Array.of(0, 1, 2) };
    expect(codeOf(() => sequencePerplexity([-1, -2], { mask: rows }))).toBe("length-mismatch");
  });

  it("must say yes or no", () => {
    expect(codeOf(() => sequencePerplexity([-1], { mask: [Number.NaN] }))).toBe("data");
    const nullable = {
      values: Uint8Array.of(1, 0),
      offsets: Int32Array.of(0, 2),
      valueValid: Uint8Array.of(1, 0),
    };
    expect(() => sequencePerplexity([-1, -2], { mask: nullable })).toThrow(
      "mask[1] must be 0, 1, true or false, got null",
    );
  });
});

describe("segments", () => {
  it("average inside each segment first", () => {
    const options = { level: "segment", segmentOffsets: Int32Array.of(1) } as const;
    const result = sequencePerplexity([-1, -0.2, -0.3, -0.4], options);
    expect(result.nll).toBeCloseTo((1 + 0.3) / 2, 15);
    expect(result).toMatchObject({ n: 4, flags: [] });
    expect(result.sumLogprob).toBeCloseTo(-1.9, 15);
  });

  it("begin at rows even when not named, and never cross them", () => {
    const values = [-1, -3, -2, -2, -6];
    const segmentOffsets = Int32Array.of(0, 1, 4);
    const { nll } = perplexity(values, Int32Array.of(0, 2, 5), { level: "segment", segmentOffsets });
    expect([...nll]).toEqual([2, 4]);
  });

  it("without a counted token are left out", () => {
    const options = { level: "segment", segmentOffsets: Int32Array.of(2, 2, 3) } as const;
    const result = sequencePerplexity([-1, -1, -50, -3], { ...options, mask: [1, 1, 0, 1] });
    expect(result).toMatchObject({ n: 3, nll: 2, flags: [] });
    expect(flagsOf([-1, -1, -1], { ...options, mask: [0, 0, 0] })).toEqual(["empty"]);
  });

  it("pass their flags on, all-zero only when all are", () => {
    const options = { level: "segment", segmentOffsets: Int32Array.of(1) } as const;
    expect(flagsOf([0, -1], options)).toEqual([]);
    expect(flagsOf([-1, 0], options)).toEqual([]);
    expect(flagsOf([0, 0], options)).toEqual(["all-zero-logprobs"]);
    expect(sequencePerplexity([-INF, -1], options)).toMatchObject({ ppl: INF, flags: ["neg-inf"] });
    expect(sequencePerplexity([-INF, Number.NaN], options)).toMatchObject({
      ppl: NaN,
      flags: ["nan", "neg-inf"],
    });
  });

  it("are as one token level when there is only one", () => {
    const values = [-0.1, -0.2, -0.7];
    const options = { level: "segment", segmentOffsets: new Int32Array(0) } as const;
    expect(sequencePerplexity(values, options)).toEqual(sequencePerplexity(values));
  });
});

describe("impossible input", () => {
  it.each<[string, string, () => unknown]>([
    ["length-mismatch", "offsets past the values", () => perplexity([-1], Int32Array.of(0, 2))],
    ["data", "falling offsets", () => perplexity([-1, -1], Int32Array.of(0, 2, 1))],
    ["data", "negative offsets", () => perplexity([-1, -1], Int32Array.of(-1, 1))],
    ["data", "no offsets", () => perplexity([-1], new Int32Array(0))],
    ["data", "text", () => sequencePerplexity([-1, "-2" as unknown as number])],
    ["length-mismatch", "token ids", () => sequencePerplexity([-1], { tokenIds: [1, 2] })],
    ["option", "kind", () => sequencePerplexity([-1], { kind: "answer" as "prompt" })],
    ["option", "level", () => sequencePerplexity([-1], { level: "word" as "token" })],
    ["option", "no segments", () => sequencePerplexity([-1], { level: "segment" })],
    [
      "data",
      "falling segments",
      () => sequencePerplexity([-1], { level: "segment", segmentOffsets: Int32Array.of(1, 0) }),
    ],
  ])("is an error of code %s: %s", (code, _name, run) => {
    expect(codeOf(run)).toBe(code);
    expect(run).toThrow(CalibrantError);
  });
});

const logprob = fc.double({ min: -50, max: 0, noNaN: true });
const oddValue = fc.constantFrom(-INF, Number.NaN, -9999, -65504, 0, 1e-4, 0.5, -20000, null);

describe("laws of perplexity", () => {
  it("is at least 1", () => {
    fc.assert(
      fc.property(fc.array(logprob, { minLength: 1 }), (values) => {
        expect(sequencePerplexity(values).ppl).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  it("is the same on the plain, the masked and the careful path", () => {
    fc.assert(
      fc.property(fc.array(logprob, { maxLength: 60 }), fc.infiniteStream(fc.boolean()), (values, stream) => {
        const mask = values.map(() => stream.next().value as boolean);
        const chosen = values.filter((_, i) => mask[i]);
        const plain = sequencePerplexity(Float64Array.from(chosen));
        expect(sequencePerplexity(values, { mask })).toEqual(plain);
        // A null at the front forces the careful path and is skipped.
        const careful = sequencePerplexity([null, ...chosen], { kind: "prompt" });
        const flags = careful.flags.filter((flag) => flag !== "first-null-skipped");
        expect({ ...careful, flags }).toEqual(plain);
      }),
    );
  });

  it("does not depend on the rows around", () => {
    const row = fc.array(fc.oneof({ weight: 9, arbitrary: logprob }, { weight: 1, arbitrary: oddValue }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), fc.constantFrom("prompt", "completion"), (rows, kind) => {
        const offsets = new Int32Array(rows.length + 1);
        rows.forEach((values, i) => {
          offsets[i + 1] = (offsets[i] as number) + values.length;
        });
        const all = perplexity(rows.flat(), offsets, { kind });
        rows.forEach((values, i) => {
          const alone = sequencePerplexity(values, { kind });
          expect([all.n[i], all.nll[i], all.ppl[i]]).toEqual([alone.n, alone.nll, alone.ppl]);
          expect(perplexityFlags(all.flags[i] as number)).toEqual(alone.flags);
        });
      }),
    );
  });

  it("is NaN or infinite only with a flag that says why", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(logprob, oddValue), { maxLength: 6 }), (values) => {
        const { ppl, flags } = sequencePerplexity(values);
        if (!Number.isFinite(ppl)) expect(flags.length).toBeGreaterThan(0);
      }),
    );
  });
});
