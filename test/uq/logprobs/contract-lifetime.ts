import { describe, expect, it } from "vitest";
import type { LogitsBlock, LogProbColumns } from "../../../src/uq/logprobs/log-prob-backend.ts";
import { type Contract, everything } from "./contract.ts";
import { expectColumns } from "./expect-columns.ts";
import { hiddenOracle, scoreOracle } from "./oracle.ts";
import { gaussianRows, realistic, TYPES, targetsFor } from "./sample-blocks.ts";

/** Calls beside each other, again and again, stopped, and after the end. */
export function describeLifetime(contract: Contract): void {
  describe("calls", () => {
    describeSplitting(contract);
    describeRepetition(contract);
    describeAbort(contract);
    describeDisposal(contract);
  });
}

function describeSplitting({ backend, splitTolerance }: Contract): void {
  it.each(TYPES)("%s rows give the same numbers in one call and in several", async (type) => {
    for (const vocab of [7, 1030, 4099]) {
      const rows = 23;
      const block = realistic({ type, rows, vocab, gap: 1, offset: 1, temperature: 0.9 }, 9);
      const targets = targetsFor(rows, vocab);
      const want = everything(3);
      const whole = await backend().score(block, targets, want);
      for (const size of [1, 4, 11]) {
        const parts: LogProbColumns[] = [];
        for (let row = 0; row < rows; row += size) {
          const part = Math.min(size, rows - row);
          const offset = 1 + row * (vocab + 1);
          parts.push(
            await backend().score({ ...block, rows: part, offset }, targets.slice(row, row + part), want),
          );
        }
        const { counts: _counts, ...columns } = whole;
        for (const [name, column] of Object.entries(columns)) {
          const joined = parts.flatMap((part) => Array.from(part[name as keyof typeof columns] ?? []));
          const worst = joined.reduce(
            (most, value, i) => Math.max(most, Math.abs(value - (column[i] as number))),
            0,
          );
          expect(worst, `${name} in parts of ${size}`).toBeLessThanOrEqual(splitTolerance);
          expect(joined.length).toBe(column.length);
        }
      }
    }
  });
}

function describeRepetition({ backend, tolerance, hiddenTolerance }: Contract): void {
  it("gives the same numbers 200 times", async () => {
    const block = realistic({ type: "float16", rows: 5, vocab: 1029 }, 21);
    const targets = targetsFor(5, 1029);
    const first = await backend().score(block, targets, everything(3));
    for (let call = 0; call < 200; call++)
      expect(await backend().score(block, targets, everything(3))).toEqual(first);
  });

  it("serves calls beside each other", async () => {
    const blocks = TYPES.flatMap((type, index) =>
      [1003, 4099].map((vocab) => realistic({ type, rows: 6 + index, vocab, temperature: 1 + index }, index)),
    );
    const targets = blocks.map(({ rows, vocab }) => targetsFor(rows, vocab));
    const hidden = gaussianRows({ type: "float32", rows: 3, vocab: 12 }, 5);
    const { data } = gaussianRows({ type: "float32", rows: 50, vocab: 12 }, 6, 0.7);
    const head = { weights: data.subarray(0, 600), width: 12, vocab: 50 };
    const [layer, ...scores] = await Promise.all([
      backend().scoreHidden(hidden, head, targetsFor(3, 50)),
      ...blocks.map((block, i) => backend().score(block, targets[i] as Int32Array, everything(1 + i))),
    ]);
    blocks.forEach((block, i) => {
      const want = everything(1 + i);
      expectColumns(
        scores[i] as LogProbColumns,
        scoreOracle(block, targets[i] as Int32Array, want),
        want,
        tolerance,
      );
    });
    const bounds = { logprob: hiddenTolerance, entropy: hiddenTolerance, order: hiddenTolerance };
    expectColumns(layer, hiddenOracle(hidden, head, targetsFor(3, 50)), {}, bounds);
  });
}

function describeAbort({ backend, tolerance }: Contract): void {
  const large = (): LogitsBlock => ({ data: new Float32Array(4096 * 1025), rows: 4096, vocab: 1025 });

  it("does not begin under a signal that is aborted already", async () => {
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);
    await expect(backend().score(large(), new Int32Array(4096), {}, signal)).rejects.toBe(reason);
    const hidden = { data: new Float32Array(8), rows: 2, width: 4 };
    const head = { weights: new Float32Array(12), vocab: 3, width: 4 };
    await expect(backend().scoreHidden(hidden, head, Int32Array.of(0, 1), {}, signal)).rejects.toBe(reason);
  });

  it("stops a call that runs, and not the one beside it", async () => {
    const reason = new Error("enough");
    const control = new AbortController();
    const stopped = backend().score(large(), new Int32Array(4096), everything(2), control.signal);
    const block = realistic({ type: "float32", rows: 5, vocab: 1030 }, 8);
    const targets = targetsFor(5, 1030);
    const beside = backend().score(block, targets, everything(2));
    control.abort(reason);
    await expect(stopped).rejects.toBe(reason);
    const oracle = scoreOracle(block, targets, everything(2));
    expectColumns(await beside, oracle, everything(2), tolerance);
    expectColumns(await backend().score(block, targets, everything(2)), oracle, everything(2), tolerance);
  });

  it("leaves a signal that is not used without listeners that stop later calls", async () => {
    const control = new AbortController();
    const block = realistic({ type: "float32", rows: 3, vocab: 1030 }, 8);
    await backend().score(block, targetsFor(3, 1030), {}, control.signal);
    control.abort();
    const columns = await backend().score(block, targetsFor(3, 1030), {});
    expectColumns(columns, scoreOracle(block, targetsFor(3, 1030)), {}, tolerance);
  });
}

function describeDisposal({ create, backend, tolerance }: Contract): void {
  const block = realistic({ type: "float32", rows: 3, vocab: 1030 }, 12);
  const targets = targetsFor(3, 1030);

  it("tells what it is", () => {
    const { name, device, info } = backend();
    expect(["wasm", "js", "tfjs", "cuda"]).toContain(name);
    expect(["cpu", "gpu"]).toContain(device);
    expect(info.threads).toBeGreaterThanOrEqual(0);
    expect(info.detail).not.toBe("");
    expect(info.tolerance).toBeGreaterThanOrEqual(tolerance.logprob);
  });

  it("can be disposed of twice and then refuses every call", async () => {
    const used = await create();
    await used.score(block, targets);
    await used.dispose();
    await used.dispose();
    const refusal = { name: "CalibrantError", code: "option", message: "the log-prob back end is disposed" };
    await expect(used.score(block, targets)).rejects.toMatchObject(refusal);
    const hidden = { data: new Float32Array(4), rows: 1, width: 4 };
    const head = { weights: new Float32Array(12), vocab: 3, width: 4 };
    await expect(used.scoreHidden(hidden, head, Int32Array.of(0))).rejects.toMatchObject(refusal);
  });

  it("leaves another of its kind alone when it is disposed of", async () => {
    const [one, two] = await Promise.all([create(), create()]);
    await one.score(block, targets);
    await one.dispose();
    expectColumns(await two.score(block, targets), scoreOracle(block, targets), {}, tolerance);
    await two.dispose();
  });

  it("settles a call that runs when it is disposed of", async () => {
    const used = await create();
    const [call] = await Promise.allSettled([used.score(block, targets), used.dispose()]);
    if (call.status === "fulfilled") expectColumns(call.value, scoreOracle(block, targets), {}, tolerance);
    else expect(call.reason).toMatchObject({ name: "CalibrantError" });
  });
}
