import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CalibrantError } from "../../../src/errors.ts";
import type {
  LogitsBlock,
  LogProbBackend,
  LogProbColumns,
  Want,
} from "../../../src/uq/logprobs/log-prob-backend.ts";
import { describeHidden } from "./contract-hidden.ts";
import { describeLifetime } from "./contract-lifetime.ts";
import { describePatterns } from "./contract-patterns.ts";
import { expectColumns } from "./expect-columns.ts";
import { scoreOracle } from "./oracle.ts";
import { blockOf, type Layout, realistic, TYPES, targetsFor } from "./sample-blocks.ts";

/** How a back end is tried. */
export interface ContractOptions {
  /** Why it cannot be tried here; shown in the report. */
  readonly skip?: string | null;
  /** In nats; default 2e-6. */
  readonly logprobTolerance?: number;
  /** In nats; default 1e-5. */
  readonly entropyTolerance?: number;
  /** Of log-probs from hidden states of width ≤ 64, in nats; default 2e-5. */
  readonly hiddenTolerance?: number;
  /** How much a log-prob may change when its row is scored with other rows; default 0. */
  readonly splitTolerance?: number;
  /** Fewer rows of the large vocabularies, for a slow back end. */
  readonly light?: boolean;
}

/** Options with everything said, and the back end of the tests. */
export interface Contract {
  readonly create: () => Promise<LogProbBackend>;
  /** One back end for all tests that do not dispose of theirs. */
  readonly backend: () => LogProbBackend;
  readonly tolerance: { readonly logprob: number; readonly entropy: number };
  readonly hiddenTolerance: number;
  readonly splitTolerance: number;
  readonly light: boolean;
}

/** Everything wanted. */
export const everything = (topK: number): Want => ({ entropy: true, rank: true, argmax: true, topK });

/** The tests that every back end passes. */
export function describeBackend(
  name: string,
  create: () => Promise<LogProbBackend>,
  options: ContractOptions = {},
): void {
  const { skip = null, logprobTolerance = 2e-6, entropyTolerance = 1e-5 } = options;
  const { hiddenTolerance = 2e-5, splitTolerance = 0, light = false } = options;
  describe.skipIf(skip !== null)(skip === null ? name : `${name} (skipped: ${skip})`, () => {
    let backend: LogProbBackend;
    beforeAll(async () => {
      backend = await create();
    });
    afterAll(async () => {
      await backend.dispose();
    });
    const tolerance = { logprob: logprobTolerance, entropy: entropyTolerance };
    const contract = { create, backend: () => backend, tolerance, hiddenTolerance, splitTolerance, light };
    describeShapes(contract);
    describeOddLogits(contract);
    describeInput(contract);
    describePatterns(contract);
    describeHidden(contract);
    describeLifetime(contract);
  });
}

/** Scores a block, with what is wanted and for the log-prob alone, and compares with the oracle. */
export async function expectScores(
  { backend, tolerance }: Contract,
  block: LogitsBlock,
  targets: Int32Array,
  want: Want,
): Promise<LogProbColumns> {
  const columns = await backend().score(block, targets, want);
  const oracle = scoreOracle(block, targets, want);
  expectColumns(columns, oracle, want, tolerance);
  expectColumns(await backend().score(block, targets), oracle, {}, tolerance);
  return columns;
}

function describeShapes(contract: Contract): void {
  const { light } = contract;
  const large = light ? 1 : 2;
  const shapes = [
    ...[1, 7, 8, 1003, 1024, 1025, 4099].map((vocab) => ({ vocab, rows: 5 })),
    { vocab: 32000, rows: light ? 2 : 4 },
    { vocab: 151936, rows: large },
  ];
  for (const type of TYPES) {
    it.each(shapes)(`${type} logits of a vocabulary of $vocab`, async ({ vocab, rows }) => {
      const block = realistic({ type, rows, vocab }, vocab);
      await expectScores(contract, block, targetsFor(rows, vocab), everything(Math.min(vocab, 5)));
    });

    const layouts = [
      { gap: 1, offset: 1 },
      { gap: 3, offset: 5, before: 1 },
      { gap: 0, offset: 7, before: 3 },
      { gap: 13, before: 1 },
    ];
    it.each(layouts)(`${type} rows that lie at odd places: %o`, async (layout) => {
      for (const vocab of [1, 7, 1003, 1025, 4099]) {
        const block = realistic({ type, rows: 4, vocab, ...layout }, vocab + 1);
        await expectScores(contract, block, targetsFor(4, vocab), everything(1));
      }
    });

    it.each([0.1, 0.7, 3])(`${type} logits at temperature %d`, async (temperature) => {
      for (const vocab of [7, 1003, 4099]) {
        const block = realistic({ type, rows: 4, vocab, temperature }, vocab + 2);
        await expectScores(contract, block, targetsFor(4, vocab), everything(3));
      }
    });
  }

  it("many short rows, with rows among them that are skipped or no distribution", async () => {
    for (const type of TYPES) {
      const [rows, vocab] = [2000, 37];
      const block = blockOf({ type, rows, vocab, gap: 1 }, (row, id) =>
        row % 11 === 5 && id === row % 37 ? Number.NaN : Math.sin(row * 3.7 + id * 1.3) * 5,
      );
      const targets = Int32Array.from({ length: rows }, (_id, row) =>
        row % 7 === 3 ? -100 : (row * 5) % 37,
      );
      await expectScores(contract, block, targets, everything(2));
    }
  });

  it.each(allWants())("gives what is wanted and no more: %o", async (want) => {
    for (const vocab of [7, 1030]) {
      const block = realistic({ type: "bfloat16", rows: 6, vocab, temperature: 1.3 }, 5);
      await expectScores(contract, block, targetsFor(6, vocab), want);
    }
  });

  it("gives the whole vocabulary when asked for so many", async () => {
    for (const type of TYPES) {
      const block = blockOf({ type, rows: 3, vocab: 1003 }, (row, id) =>
        id % 5 === row ? Number.NEGATIVE_INFINITY : Math.sin(id * 1.7 + row) * 8,
      );
      const columns = await expectScores(contract, block, Int32Array.of(0, 1, 2), { topK: 1003 });
      for (const mass of columns.coveredMass ?? []) expect(mass).toBeCloseTo(1, 5);
    }
  });
}

function allWants(): Want[] {
  return Array.from({ length: 16 }, (_want, bits) => ({
    ...(bits & 1 && { entropy: true }),
    ...(bits & 2 && { rank: true }),
    ...(bits & 4 && { argmax: true }),
    ...(bits & 8 && { topK: 4 }),
  }));
}

const masked = Number.NEGATIVE_INFINITY;

/** Rows, by what is odd about them. */
const ODD_ROWS: Readonly<Record<string, (id: number, vocab: number) => number>> = {
  "some masked": (id) => (id % 3 === 1 ? masked : Math.cos(id) * 4),
  "the first block masked": (id, vocab) => (id < vocab - 2 ? masked : id / vocab),
  "all but the first masked": (id) => (id === 0 ? -3 : masked),
  "all but the last masked": (id, vocab) => (id === vocab - 1 ? 2 : masked),
  "all masked": () => masked,
  "all NaN": () => Number.NaN,
  "NaN first": (id) => (id === 0 ? Number.NaN : id % 7),
  "NaN in the middle": (id, vocab) => (id === vocab >> 1 ? Number.NaN : id % 7),
  "NaN last": (id, vocab) => (id === vocab - 1 ? Number.NaN : id % 7),
  "NaN among masked": (id, vocab) => (id === vocab >> 2 ? Number.NaN : masked),
  "+Infinity first": (id) => (id === 0 ? Number.POSITIVE_INFINITY : id % 7),
  "+Infinity last": (id, vocab) => (id === vocab - 1 ? Number.POSITIVE_INFINITY : id % 7),
  "+Infinity and masked": (id, vocab) => (id === vocab >> 1 ? Number.POSITIVE_INFINITY : masked),
  "all equal": () => -1.5,
  "all zero, of both signs": (id) => (id % 2 === 0 ? -0 : 0),
  "ties at the top": (id) => (id % 3 === 1 ? 6 : id % 5),
  "a tie of the last two": (id, vocab) => (id >= vocab - 2 ? 6 : id % 5),
  "about 10,000": (id) => 1e4 + Math.sin(id) * 3,
  "about -10,000": (id) => -1e4 + Math.sin(id) * 3,
  "from -10,000 to 10,000": (id) => (id % 2 === 0 ? -1e4 : 1e4) + Math.sin(id) * 20,
};

const HUGE_ROWS: Readonly<Record<string, (id: number, vocab: number) => number>> = {
  "3e38 and -3e38": (id) => (id % 2 === 0 ? -3e38 : 3e38),
  "one 3e38": (id, vocab) => (id === vocab - 1 ? 3e38 : -3e38),
  "all -3e38": () => -3e38,
  "-3e38 and masked": (id) => (id % 2 === 0 ? -3e38 : masked),
  "-3e38 before 0": (id, vocab) => (id < vocab - 3 ? -3e38 : id % 3),
};

function describeOddLogits(contract: Contract): void {
  const cases = [
    ...TYPES.flatMap((type) => Object.keys(ODD_ROWS).map((name) => [type, name] as const)),
    ...(["float32", "bfloat16"] as const).flatMap((type) =>
      Object.keys(HUGE_ROWS).map((name) => [type, name] as const),
    ),
  ];
  it.each(cases)("%s rows, %s", async (type, name) => {
    const logit = (ODD_ROWS[name] ?? HUGE_ROWS[name]) as (id: number, vocab: number) => number;
    for (const vocab of [2, 7, 8, 1003, 2050]) {
      const targets = Int32Array.of(0, vocab - 1, vocab >> 1, 1);
      const block = blockOf({ type, rows: 4, vocab }, (_row, id) => logit(id, vocab));
      await expectScores(contract, block, targets, everything(2));
      await expectScores(contract, { ...block, temperature: 0.7 }, targets, { entropy: true });
    }
  });

  it("a row that is no distribution leaves the rows beside it alone", async () => {
    const { backend, tolerance } = contract;
    for (const type of TYPES) {
      const vocab = 1029;
      const block = blockOf({ type, rows: 7, vocab }, (row, id) => {
        if (row === 2 && id === 1028) return Number.NaN;
        if (row === 4) return masked;
        return row === 5 && id === 3 ? Number.POSITIVE_INFINITY : Math.sin(id + row) * 6;
      });
      const targets = Int32Array.of(5, 6, 7, -100, 9, 10, 11);
      const columns = await backend().score(block, targets, everything(2));
      expectColumns(columns, scoreOracle(block, targets, everything(2)), everything(2), tolerance);
      expect(Array.from(columns.status)).toEqual([0, 0, 2, 1, 2, 2, 0]);
    }
  });

  it("a masked target has log-prob -Infinity and a rank behind all others", async () => {
    for (const type of TYPES) {
      const block = blockOf({ type, rows: 2, vocab: 1100 }, (_row, id) => (id < 100 ? masked : Math.sin(id)));
      const columns = await expectScores(contract, block, Int32Array.of(99, 0), everything(1));
      expect(Array.from(columns.logprob)).toEqual([masked, masked]);
      expect(Array.from(columns.rank ?? [])).toEqual([1001, 1001]);
      expect(Array.from(columns.status)).toEqual([0, 0]);
    }
  });
}

function describeInput(contract: Contract): void {
  const layout: Layout = { type: "float32", rows: 5, vocab: 1003 };

  it("skips targets of -100, whatever their logits are, and counts them", async () => {
    const block = blockOf(layout, (row, id) => (row === 3 ? Number.NaN : Math.sin(id)));
    const targets = Int32Array.of(-100, 4, -100, -100, 1002);
    const columns = await expectScores(contract, block, targets, everything(3));
    expect(columns.counts).toEqual({ scored: 2, skipped: 3, notFinite: 0 });
    await expectScores(contract, block, new Int32Array(5).fill(-100), everything(2));
  });

  it.each([1003, -1, -99, -101, 2147483647, -2147483648])("refuses the target %d", async (id) => {
    const targets = Int32Array.of(0, 1, 2, id, -100);
    const failure = contract.backend().score(realistic(layout, 1), targets);
    await expect(failure).rejects.toThrow(CalibrantError);
    await expect(failure).rejects.toMatchObject({ code: "data", details: { row: 3, id, vocab: 1003 } });
    await expect(failure).rejects.toThrow(new RegExp(`row 3: .* 0 to 1002, .* got ${id}$`));
  });

  it("gives empty columns for no rows", async () => {
    for (const type of TYPES) {
      const block = blockOf({ type, rows: 0, vocab: 9 }, () => 0);
      await expectScores(contract, block, new Int32Array(0), everything(3));
      const data = block.data.subarray(0, 0);
      await expectScores(contract, { ...block, data }, new Int32Array(0), {});
    }
  });

  it("refuses blocks, wishes and targets that cannot be", async () => {
    const block = realistic(layout, 2);
    const targets = targetsFor(5, 1003);
    const { backend } = contract;
    const wrong: readonly [LogitsBlock, Int32Array, Want, string][] = [
      [{ ...block, rows: 6 }, new Int32Array(6), {}, "length-mismatch"],
      [block, new Int32Array(4), {}, "length-mismatch"],
      [{ ...block, vocab: 0 }, targets, {}, "option"],
      [{ ...block, rowStride: 1002 }, targets, {}, "option"],
      [{ ...block, temperature: 0 }, targets, {}, "option"],
      [{ ...block, temperature: Number.NaN }, targets, {}, "option"],
      [{ ...block, type: "float16" }, targets, {}, "option"],
      [block, targets, { topK: 1004 }, "option"],
      [block, targets, { topK: -1 }, "option"],
      [block, targets, { entropie: true } as Want, "option"],
    ];
    for (const [logits, ids, want, code] of wrong)
      await expect(backend().score(logits, ids, want)).rejects.toMatchObject({
        name: "CalibrantError",
        code,
      });
  });

  it("reads shared memory, and leaves logits and targets as they are", async () => {
    for (const type of TYPES) {
      const block = realistic({ type, rows: 4, vocab: 1030, gap: 2, offset: 1 }, 3);
      const { data } = block;
      const shared = new SharedArrayBuffer(data.byteLength);
      const view = data instanceof Float32Array ? new Float32Array(shared) : new Uint16Array(shared);
      view.set(data);
      const targets = Int32Array.of(7, -100, 1029, 0);
      await expectScores(contract, { ...block, data: view }, targets, everything(4));
      // By bits: the gaps are NaN.
      expect(Buffer.compare(bytesOf(view), bytesOf(data))).toBe(0);
      expect(Array.from(targets)).toEqual([7, -100, 1029, 0]);
    }
  });
}

const bytesOf = (view: Float32Array | Uint16Array): Buffer =>
  Buffer.from(view.buffer, view.byteOffset, view.byteLength);
