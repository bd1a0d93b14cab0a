import { describe, expect, it } from "vitest";
import { createJsBackend } from "../../../src/uq/logprobs/js-backend.ts";
import type { LogitsBlock } from "../../../src/uq/logprobs/log-prob-backend.ts";
import { describeBackend } from "./contract.ts";

describeBackend("js", async () => createJsBackend(), {
  logprobTolerance: 1e-9,
  entropyTolerance: 1e-9,
  hiddenTolerance: 1e-9,
});

describe("the js back end", () => {
  const targets = new Int32Array(64);
  const block: LogitsBlock = { data: new Float32Array(64 * 65536), rows: 64, vocab: 65536 };

  it("says what it is", () => {
    const { name, device, info } = createJsBackend();
    expect([name, device, info]).toEqual([
      "js",
      "cpu",
      { threads: 1, detail: "JavaScript float64", tolerance: 1e-9 },
    ]);
  });

  it("lets other work have its turn between pieces of rows, which can stop it", async () => {
    const backend = createJsBackend();
    const control = new AbortController();
    const reason = new Error("enough");
    setImmediate(() => control.abort(reason));
    await expect(backend.score(block, targets, {}, control.signal)).rejects.toBe(reason);
    const head = { weights: new Float32Array(65536), vocab: 65536, width: 1 };
    const again = new AbortController();
    setImmediate(() => again.abort(reason));
    const hidden = { data: new Float32Array(64), rows: 64, width: 1 };
    await expect(backend.scoreHidden(hidden, head, targets, {}, again.signal)).rejects.toBe(reason);
  });

  it("ends a long call when it is disposed of", async () => {
    const backend = createJsBackend();
    setImmediate(() => void backend.dispose());
    await expect(backend.score(block, targets)).rejects.toThrow("the log-prob back end is disposed");
  });

  it("does not read the memory of a device", async () => {
    const backend = createJsBackend();
    const data = { pointer: 4096n, length: 8 };
    const message = "the js back end reads numbers in the memory of the computer, use the cuda back end: ";
    await expect(
      backend.score({ data, type: "float32", rows: 1, vocab: 8 }, Int32Array.of(0)),
    ).rejects.toThrow(`${message}logits are on a device`);
    const hidden = { data: new Float32Array(4), rows: 1, width: 4 };
    const head = { weights: data, type: "float16", vocab: 2, width: 4 } as const;
    await expect(backend.scoreHidden(hidden, head, Int32Array.of(0))).rejects.toThrow(
      `${message}the weights of the output layer are on a device`,
    );
  });
});
