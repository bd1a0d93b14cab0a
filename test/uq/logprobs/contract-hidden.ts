import { describe, expect, it } from "vitest";
import type { HiddenBlock, LogitType, OutputHead } from "../../../src/uq/logprobs/log-prob-backend.ts";
import { type Contract, everything } from "./contract.ts";
import { expectColumns } from "./expect-columns.ts";
import { hiddenOracle } from "./oracle.ts";
import { gaussianRows, store, TYPES, targetsFor } from "./sample-blocks.ts";

const SHAPES = [
  { rows: 1, width: 1, vocab: 1 },
  { rows: 3, width: 5, vocab: 7 },
  { rows: 9, width: 16, vocab: 33 },
  { rows: 150, width: 4, vocab: 19 },
  { rows: 5, width: 48, vocab: 257 },
  { rows: 4, width: 64, vocab: 1003 },
] as const;

function headOf(type: LogitType, vocab: number, width: number): OutputHead {
  const spread = 3 / Math.sqrt(width);
  const { data } = gaussianRows({ type, rows: vocab, vocab: width }, 7 * vocab, spread);
  return { weights: data.subarray(0, vocab * width), type, vocab, width };
}

const biasOf = (vocab: number): Float32Array =>
  Float32Array.from({ length: vocab }, (_bias, id) =>
    id % 11 === 5 ? Number.NEGATIVE_INFINITY : Math.sin(id),
  );

/** Log-probs from hidden states and an output layer. */
export function describeHidden({ backend, hiddenTolerance, light }: Contract): void {
  const tolerance = { logprob: hiddenTolerance, entropy: hiddenTolerance, order: hiddenTolerance };
  const check = async (
    hidden: HiddenBlock,
    head: OutputHead,
    targets: Int32Array,
    exact = false,
  ): Promise<void> => {
    const want = everything(Math.min(4, head.vocab));
    const columns = await backend().scoreHidden(hidden, head, targets, want);
    const bounds = exact ? { ...tolerance, order: 0 } : tolerance;
    expectColumns(columns, hiddenOracle(hidden, head, targets, want), want, bounds);
  };

  describe("hidden states", () => {
    for (const type of TYPES) {
      it.each(light ? SHAPES.slice(0, 5) : SHAPES)(
        `${type}: $rows of width $width, a vocabulary of $vocab`,
        async ({ rows, width, vocab }) => {
          const hidden = gaussianRows({ type, rows, vocab: width }, rows);
          const head = headOf(type, vocab, width);
          await check(hidden, head, targetsFor(rows, vocab));
          const odd = gaussianRows({ type, rows, vocab: width, gap: 3, offset: 1, before: 1 }, rows + 1);
          const scaled = { ...head, bias: biasOf(vocab), scale: 0.5, temperature: 0.7 };
          await check(odd, scaled, targetsFor(rows, vocab, 2));
        },
      );

      it(`${type}: a state that is not finite, skipped rows, a masked target`, async () => {
        const width = 6;
        const hidden = gaussianRows({ type, rows: 5, vocab: width }, 4);
        const { data } = hidden;
        data[width + 2] = store([Number.NaN], type)[0] as number;
        data[3 * width] = store([Number.POSITIVE_INFINITY], type)[0] as number;
        const head = { ...headOf(type, 40, width), bias: biasOf(40) };
        const targets = Int32Array.of(5, 6, -100, 8, 9);
        await check(hidden, head, targets);
        const { status, logprob } = await backend().scoreHidden(hidden, head, targets);
        expect(Array.from(status)).toEqual([0, 2, 1, 2, 0]);
        expect(logprob[0]).toBe(Number.NEGATIVE_INFINITY);
      });

      it(`${type}: ties of logits that are whole numbers`, async () => {
        const [rows, width, vocab] = [4, 8, 90];
        const whole = (length: number, span: number, step: number): Float32Array | Uint16Array =>
          store(
            Float64Array.from({ length }, (_value, i) => ((i * step) % (2 * span + 1)) - span),
            type,
          );
        const hidden = { data: whole(rows * width, 3, 5), type, rows, width };
        const head = { weights: whole(vocab * width, 2, 3), type, vocab, width };
        await check(hidden, head, targetsFor(rows, vocab), true);
      });
    }

    it("all masked by the bias, and no rows", async () => {
      const bias = new Float32Array(7).fill(Number.NEGATIVE_INFINITY);
      const head = { ...headOf("float32", 7, 5), bias };
      await check(gaussianRows({ type: "float32", rows: 2, vocab: 5 }, 1), head, Int32Array.of(1, 2));
      const none = { data: new Float32Array(0), rows: 0, width: 5 };
      await check(none, head, new Int32Array(0));
    });

    it("states and weights of two types, or says that it cannot", async () => {
      const hidden = gaussianRows({ type: "float32", rows: 3, vocab: 16 }, 2);
      const head = headOf("bfloat16", 33, 16);
      const failure = await check(hidden, head, targetsFor(3, 33)).catch((error: unknown) => error);
      if (failure !== undefined) expect(failure).toMatchObject({ name: "CalibrantError", code: "option" });
    });

    it("refuses widths, biases and targets that do not fit", async () => {
      const hidden = gaussianRows({ type: "float32", rows: 2, vocab: 5 }, 1);
      const head = headOf("float32", 7, 5);
      const two = Int32Array.of(0, 1);
      const refused = async (block: HiddenBlock, layer: OutputHead, targets: Int32Array, code: string) =>
        expect(backend().scoreHidden(block, layer, targets)).rejects.toMatchObject({
          name: "CalibrantError",
          code,
        });
      await refused(hidden, { ...head, width: 4 }, two, "length-mismatch");
      await refused(hidden, { ...head, bias: new Float32Array(6) }, two, "length-mismatch");
      await refused({ ...hidden, rows: 4 }, head, new Int32Array(4), "length-mismatch");
      await refused(hidden, head, new Int32Array(3), "length-mismatch");
      await refused(hidden, { ...head, scale: 0 }, two, "option");
      await refused(hidden, head, Int32Array.of(0, 7), "data");
      const failure = backend().scoreHidden(hidden, head, Int32Array.of(0, 7));
      await expect(failure).rejects.toMatchObject({ details: { row: 1, id: 7, vocab: 7 } });
    });
  });
}
