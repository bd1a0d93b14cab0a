import { describe, expect, it } from "vitest";
import { CalibrantError } from "../../../src/errors.ts";
import { checkHiddenJob, checkLogitsJob, isOnDevice } from "../../../src/uq/logprobs/check-log-prob-input.ts";
import type {
  HiddenBlock,
  LogitsBlock,
  OutputHead,
  Want,
} from "../../../src/uq/logprobs/log-prob-backend.ts";

const logits = (more: object = {}): LogitsBlock =>
  ({ data: new Float32Array(6), rows: 2, vocab: 3, ...more }) as LogitsBlock;
const hidden = (more: object = {}): HiddenBlock =>
  ({ data: new Float32Array(4), rows: 2, width: 2, ...more }) as HiddenBlock;
const head = (more: object = {}): OutputHead =>
  ({ weights: new Float32Array(6), vocab: 3, width: 2, ...more }) as OutputHead;
const two = Int32Array.of(0, 2);

function failureOf(run: () => unknown): CalibrantError {
  try {
    run();
  } catch (error) {
    if (error instanceof CalibrantError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("logits and targets", () => {
  it("get everything said", () => {
    const block = logits();
    expect(checkLogitsJob(block, two)).toEqual({
      logits: { data: block.data, type: "float32", rows: 2, columns: 3, rowStride: 3, offset: 0 },
      scale: 1,
      targets: two,
      want: { entropy: false, rank: false, argmax: false, topK: 0 },
    });
    const odd = { data: new Uint16Array(12), type: "bfloat16", rowStride: 5, offset: 1, temperature: 0.5 };
    const job = checkLogitsJob(logits(odd), Int32Array.of(-100, 1), { rank: true, topK: 3 });
    expect(job.logits).toMatchObject({ type: "bfloat16", rowStride: 5, offset: 1 });
    expect(job.scale).toBe(2);
    expect(job.want).toEqual({ entropy: false, rank: true, argmax: false, topK: 3 });
  });

  it("may be none, and may lie on a device", () => {
    expect(
      checkLogitsJob(logits({ data: new Float32Array(0), rows: 0, offset: 9 }), new Int32Array(0)).logits
        .rows,
    ).toBe(0);
    const device = { pointer: 4096n, length: 6 };
    const job = checkLogitsJob(logits({ data: device, type: "float32" }), two);
    expect(job.logits.type).toBe("float32");
    expect(isOnDevice(job.logits.data)).toBe(true);
    expect(isOnDevice(new Uint16Array(1))).toBe(false);
  });

  it("the last row may end with the array", () => {
    expect(
      checkLogitsJob(logits({ data: new Float32Array(8), rowStride: 4, offset: 1 }), two).logits.offset,
    ).toBe(1);
  });

  const wrong: readonly [string, object, Want, CalibrantError["code"], string][] = [
    ["too few numbers", { rows: 3 }, {}, "length-mismatch", "logits need 9 numbers for 3 rows of 3, got 6"],
    [
      "a stride beyond them",
      { rowStride: 4 },
      {},
      "length-mismatch",
      "logits need 7 numbers for 2 rows of 3, got 6",
    ],
    [
      "an offset beyond them",
      { offset: 1 },
      {},
      "length-mismatch",
      "logits need 7 numbers for 2 rows of 3, got 6",
    ],
    ["no vocabulary", { vocab: 0 }, {}, "option", "vocab of logits must be a whole number from 1, got 0"],
    ["rows below 0", { rows: -1 }, {}, "option", "rows of logits must be a whole number from 0, got -1"],
    ["half a row", { rows: 1.5 }, {}, "option", "rows of logits must be a whole number from 0, got 1.5"],
    [
      "rows that overlap",
      { rowStride: 2 },
      {},
      "option",
      "rowStride of logits must be a whole number from 3, got 2",
    ],
    [
      "an offset below 0",
      { offset: -1 },
      {},
      "option",
      "offset of logits must be a whole number from 0, got -1",
    ],
    ["temperature 0", { temperature: 0 }, {}, "option", "temperature must be a positive number, got 0"],
    [
      "temperature NaN",
      { temperature: Number.NaN },
      {},
      "option",
      "temperature must be a positive number, got NaN",
    ],
    [
      "an unknown type",
      { type: "int8" },
      {},
      "option",
      "logits: type must be float32, float16, bfloat16, got int8",
    ],
    [
      "no type",
      { data: new Uint16Array(6) },
      {},
      "option",
      "logits: type must say how the numbers are stored: float16, bfloat16 or float32",
    ],
    [
      "a 16-bit type of 32-bit numbers",
      { type: "float16" },
      {},
      "option",
      "logits: a Float32Array is float32, got type float16",
    ],
    [
      "a 32-bit type of 16-bit numbers",
      { data: new Uint16Array(6), type: "float32" },
      {},
      "option",
      "logits: a Uint16Array is float16 or bfloat16, got type float32",
    ],
    [
      "a plain array",
      { data: [1, 2, 3, 4, 5, 6] },
      {},
      "option",
      "logits: data must be a Float32Array, a Uint16Array of 16-bit patterns, or numbers on a device",
    ],
    [
      "no array",
      { data: null },
      {},
      "option",
      "logits: data must be a Float32Array, a Uint16Array of 16-bit patterns, or numbers on a device",
    ],
    [
      "a misspelt option",
      { temprature: 2 },
      {},
      "option",
      "logits has no option temprature: did you mean temperature?",
    ],
    [
      "a misspelt wish",
      {},
      { ranks: true } as Want,
      "option",
      "want has no option ranks: did you mean rank?",
    ],
    ["more than all tokens", {}, { topK: 4 }, "option", "topK must be a whole number from 0 to 3, got 4"],
    ["half a token", {}, { topK: 0.5 }, "option", "topK must be a whole number from 0 to 3, got 0.5"],
  ];
  it.each(wrong)("%s are refused", (_name, more, want, code, message) => {
    const rows = (more as { rows?: number }).rows ?? 2;
    const targets = Number.isInteger(rows) && rows >= 0 ? new Int32Array(rows) : two;
    const failure = failureOf(() => checkLogitsJob(logits(more), targets, want));
    expect([failure.code, failure.message]).toEqual([code, message]);
  });

  it("targets must be ids of the vocabulary, one a row", () => {
    const outside = failureOf(() => checkLogitsJob(logits(), Int32Array.of(0, 3)));
    expect(outside.message).toBe(
      "row 1: the target must be a token id from 0 to 2, or -100 to skip the row, got 3",
    );
    expect([outside.code, outside.details]).toEqual(["data", { row: 1, id: 3, vocab: 3 }]);
    expect(failureOf(() => checkLogitsJob(logits(), Int32Array.of(-1, 0))).details).toEqual({
      row: 0,
      id: -1,
      vocab: 3,
    });
    const few = failureOf(() => checkLogitsJob(logits(), Int32Array.of(0)));
    expect([few.code, few.message]).toEqual(["length-mismatch", "targets must have 2 ids, one a row, got 1"]);
    const plain = failureOf(() => checkLogitsJob(logits(), [0, 1] as unknown as Int32Array));
    expect([plain.code, plain.message]).toEqual(["option", "targets must be an Int32Array"]);
  });
});

describe("hidden states and output layer", () => {
  it("get everything said; scale and temperature become one", () => {
    const bias = Float32Array.of(1, 2, 3);
    const layer = head({ weights: new Uint16Array(6), type: "float16", bias, scale: 3, temperature: 2 });
    const job = checkHiddenJob(hidden({ data: new Float32Array(6), rowStride: 3, offset: 1 }), layer, two);
    expect(job.hidden).toMatchObject({ type: "float32", rows: 2, columns: 2, rowStride: 3, offset: 1 });
    expect(job.weights).toMatchObject({ type: "float16", rows: 3, columns: 2, rowStride: 2, offset: 0 });
    expect([job.bias, job.scale]).toEqual([bias, 1.5]);
    expect(checkHiddenJob(hidden(), head(), two)).toMatchObject({ bias: null, scale: 1 });
  });

  const wrong: readonly [string, object, object, CalibrantError["code"], string][] = [
    [
      "two widths",
      {},
      { width: 3 },
      "length-mismatch",
      "hidden states and output layer must have one width, got 2 and 3",
    ],
    [
      "too few states",
      { rows: 3 },
      {},
      "length-mismatch",
      "hidden states need 6 numbers for 3 rows of 2, got 4",
    ],
    [
      "too few weights",
      {},
      { vocab: 4 },
      "length-mismatch",
      "the weights of the output layer need 8 numbers for 4 rows of 2, got 6",
    ],
    [
      "a short bias",
      {},
      { bias: new Float32Array(2) },
      "length-mismatch",
      "bias must be a Float32Array of 3 numbers, got 2",
    ],
    [
      "no vocabulary",
      { rows: 0 },
      { vocab: 0 },
      "option",
      "vocab of the output layer must be a whole number from 1, got 0",
    ],
    ["scale 0", {}, { scale: 0 }, "option", "scale must be a positive number, got 0"],
    [
      "an infinite scale",
      {},
      { scale: Number.POSITIVE_INFINITY },
      "option",
      "scale must be a positive number, got Infinity",
    ],
    [
      "temperature below 0",
      {},
      { temperature: -1 },
      "option",
      "temperature must be a positive number, got -1",
    ],
    [
      "a temperature of the states",
      { temperature: 1 },
      {},
      "option",
      "hidden states has no option temperature: known are data, type, rows, width, rowStride, offset",
    ],
    [
      "a misspelt option",
      {},
      { biases: null },
      "option",
      "the output layer has no option biases: did you mean bias?",
    ],
    [
      "weights without a type",
      {},
      { weights: new Uint16Array(6) },
      "option",
      "the weights of the output layer: type must say how the numbers are stored: float16, bfloat16 or float32",
    ],
  ];
  it.each(wrong)("%s are refused", (_name, states, layer, code, message) => {
    const targets = new Int32Array((states as { rows?: number }).rows ?? 2);
    const failure = failureOf(() => checkHiddenJob(hidden(states), head(layer), targets));
    expect([failure.code, failure.message]).toEqual([code, message]);
  });

  it("targets are ids of the output layer", () => {
    const failure = failureOf(() => checkHiddenJob(hidden(), head(), Int32Array.of(2, 3)));
    expect([failure.code, failure.details]).toEqual(["data", { row: 1, id: 3, vocab: 3 }]);
  });
});
