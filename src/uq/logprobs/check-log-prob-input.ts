import { checkOptionNames } from "../../data/check-option-names.ts";
import { CalibrantError } from "../../errors.ts";
import type {
  DeviceArray,
  HiddenBlock,
  LogitsBlock,
  LogitType,
  OutputHead,
  Want,
} from "./log-prob-backend.ts";

/** The target of a row that is not to be scored. */
export const SKIPPED_TARGET = -100;

/** A {@link Want} with everything said. */
export interface CheckedWant {
  readonly entropy: boolean;
  readonly rank: boolean;
  readonly argmax: boolean;
  readonly topK: number;
}

/** Numbers in rows of a matrix, with everything said. */
export interface CheckedMatrix {
  readonly data: Float32Array | Uint16Array | DeviceArray;
  readonly type: LogitType;
  readonly rows: number;
  readonly columns: number;
  readonly rowStride: number;
  readonly offset: number;
}

/** Logits, targets and what is wanted, found right. */
export interface LogitsJob {
  readonly logits: CheckedMatrix;
  /** What logits are multiplied by: 1 / temperature. */
  readonly scale: number;
  /** A copy: what was checked is what is computed, whatever becomes of the caller's while the call waits. */
  readonly targets: Int32Array;
  readonly want: CheckedWant;
}

/** Hidden states, output layer, targets and what is wanted, found right. */
export interface HiddenJob {
  readonly hidden: CheckedMatrix;
  readonly weights: CheckedMatrix;
  readonly bias: Float32Array | null;
  /** What `hidden · weightsᵀ + bias` is multiplied by: scale / temperature. */
  readonly scale: number;
  readonly targets: Int32Array;
  readonly want: CheckedWant;
}

/** @throws CalibrantError as `LogProbBackend.score`. */
export function checkLogitsJob(block: LogitsBlock, targets: Int32Array, want: Want = {}): LogitsJob {
  checkOptionNames(block, ["data", "type", "rows", "vocab", "rowStride", "offset", "temperature"], "logits");
  const { data, type, rows, vocab, rowStride, offset } = block;
  const logits = checkMatrix("logits", "vocab", { data, type, rows, columns: vocab, rowStride, offset });
  checkTargets(targets, rows, vocab);
  return {
    logits,
    scale: 1 / positive("temperature", block.temperature ?? 1),
    targets: targets.slice(),
    want: checkWant(want, vocab),
  };
}

/** @throws CalibrantError as `LogProbBackend.scoreHidden`. */
export function checkHiddenJob(
  block: HiddenBlock,
  head: OutputHead,
  targets: Int32Array,
  want: Want = {},
): HiddenJob {
  checkOptionNames(block, ["data", "type", "rows", "width", "rowStride", "offset"], "hidden states");
  const names = ["weights", "type", "vocab", "width", "bias", "scale", "temperature"];
  checkOptionNames(head, names, "the output layer");
  const { data, type, rows, width, rowStride, offset } = block;
  const { vocab, bias = null } = head;
  if (head.width !== width)
    throw new CalibrantError(
      "length-mismatch",
      `hidden states and output layer must have one width, got ${width} and ${head.width}`,
    );
  whole("vocab of the output layer", vocab, 1);
  const hidden = checkMatrix("hidden states", "width", {
    data,
    type,
    rows,
    columns: width,
    rowStride,
    offset,
  });
  const weights = checkMatrix("the weights of the output layer", "width", {
    data: head.weights,
    type: head.type,
    rows: vocab,
    columns: width,
    rowStride: undefined,
    offset: undefined,
  });
  if (bias !== null && (!(bias instanceof Float32Array) || bias.length !== vocab))
    throw new CalibrantError(
      "length-mismatch",
      `bias must be a Float32Array of ${vocab} numbers, got ${bias.length}`,
    );
  checkTargets(targets, rows, vocab);
  const scale = positive("scale", head.scale ?? 1) / positive("temperature", head.temperature ?? 1);
  return { hidden, weights, bias, scale, targets: targets.slice(), want: checkWant(want, vocab) };
}

/** Whether numbers lie on a CUDA device. */
export function isOnDevice(data: CheckedMatrix["data"]): data is DeviceArray {
  return !ArrayBuffer.isView(data);
}

interface GivenMatrix {
  readonly data: CheckedMatrix["data"];
  readonly type: LogitType | undefined;
  readonly rows: number;
  readonly columns: number;
  readonly rowStride: number | undefined;
  readonly offset: number | undefined;
}

const TYPES: readonly string[] = ["float32", "float16", "bfloat16"];

function checkMatrix(what: string, width: string, given: GivenMatrix): CheckedMatrix {
  const { data, rows, columns } = given;
  whole(`rows of ${what}`, rows, 0);
  whole(`${width} of ${what}`, columns, 1);
  const rowStride = whole(`rowStride of ${what}`, given.rowStride ?? columns, columns);
  const offset = whole(`offset of ${what}`, given.offset ?? 0, 0);
  const type = typeOf(what, data, given.type);
  const needed = rows === 0 ? 0 : offset + (rows - 1) * rowStride + columns;
  if (data.length < needed)
    throw new CalibrantError(
      "length-mismatch",
      `${what} need ${needed} numbers for ${rows} rows of ${columns}, got ${data.length}`,
      { needed, length: data.length },
    );
  return { data, type, rows, columns, rowStride, offset };
}

function typeOf(what: string, data: CheckedMatrix["data"], given: LogitType | undefined): LogitType {
  const wrong = (message: string): CalibrantError => new CalibrantError("option", `${what}: ${message}`);
  if (given !== undefined && !TYPES.includes(given))
    throw wrong(`type must be ${TYPES.join(", ")}, got ${given}`);
  if (data instanceof Float32Array) {
    if (given !== undefined && given !== "float32")
      throw wrong(`a Float32Array is float32, got type ${given}`);
    return "float32";
  }
  const isDevice = typeof (data as Partial<DeviceArray> | null)?.pointer === "bigint";
  if (!(data instanceof Uint16Array) && !isDevice)
    throw wrong("data must be a Float32Array, a Uint16Array of 16-bit patterns, or numbers on a device");
  if (given === undefined)
    throw wrong("type must say how the numbers are stored: float16, bfloat16 or float32");
  if (given === "float32" && !isDevice) throw wrong("a Uint16Array is float16 or bfloat16, got type float32");
  return given;
}

function checkTargets(targets: Int32Array, rows: number, vocab: number): void {
  if (!(targets instanceof Int32Array)) throw new CalibrantError("option", "targets must be an Int32Array");
  if (targets.length !== rows)
    throw new CalibrantError(
      "length-mismatch",
      `targets must have ${rows} ids, one a row, got ${targets.length}`,
    );
  for (let row = 0; row < rows; row++) {
    const id = targets[row] as number;
    if ((id >= 0 && id < vocab) || id === SKIPPED_TARGET) continue;
    throw new CalibrantError(
      "data",
      `row ${row}: the target must be a token id from 0 to ${vocab - 1}, or ${SKIPPED_TARGET} to skip the row, got ${id}`,
      { row, id, vocab },
    );
  }
}

function checkWant(want: Want, vocab: number): CheckedWant {
  checkOptionNames(want, ["entropy", "rank", "argmax", "topK"], "want");
  const { entropy = false, rank = false, argmax = false, topK = 0 } = want;
  if (!Number.isInteger(topK) || topK < 0 || topK > vocab)
    throw new CalibrantError("option", `topK must be a whole number from 0 to ${vocab}, got ${topK}`, {
      topK,
    });
  return { entropy, rank, argmax, topK };
}

function positive(name: string, value: number): number {
  if (typeof value === "number" && value > 0 && Number.isFinite(value)) return value;
  throw new CalibrantError("option", `${name} must be a positive number, got ${String(value)}`, { value });
}

function whole(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new CalibrantError("option", `${name} must be a whole number from ${least}, got ${String(value)}`, {
    value,
  });
}
