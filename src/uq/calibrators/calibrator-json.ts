import { CalibrantError } from "../../errors.ts";
import type { Calibrator, CalibratorFlag } from "./calibrator.ts";

/** The name and version of the JSON form of a calibrator. */
export const CALIBRATOR_SCHEMA = "calibrant/calibrator@1";

const FLAGS: readonly CalibratorFlag[] = [
  "empty",
  "single-class",
  "unbounded-T->0",
  "unbounded-T->inf",
  "below-clamp",
  "above-clamp",
  "flat",
  "separable",
  "not-converged",
];
const INFINITE: readonly string[] = ["Infinity", "-Infinity", "NaN"];

/**
 * A calibrator as one line of JSON text that {@link calibratorFromJson} reads back to the same numbers, bit by bit.
 * NaN and infinities are written as the strings "NaN", "Infinity" and "-Infinity".
 *
 * @example
 * ```ts
 * import { calibratorFromJson, calibratorToJson, fitIsotonic } from "calibrant/uq";
 * const text = calibratorToJson(fitIsotonic([1, 2], [0, 1]));
 * console.log(text.slice(0, 54)); // {"schema":"calibrant/calibrator@1","kind":"isotonic","
 * console.log(calibratorFromJson(text).n); // 2
 * ```
 */
export function calibratorToJson(calibrator: Calibrator): string {
  return JSON.stringify({ schema: CALIBRATOR_SCHEMA, ...calibrator }, (_, value: unknown) => {
    if (value instanceof Float64Array) return Array.from(value);
    // JSON would write -0 as 0.
    if (typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0))) {
      return Object.is(value, -0) ? "-0" : String(value);
    }
    return value;
  });
}

/**
 * Reads the text of {@link calibratorToJson}, and nothing else: every field is checked.
 *
 * @throws CalibrantError `data` for text that is no JSON, has another schema, or has a field of another kind.
 */
export function calibratorFromJson(text: string): Calibrator {
  const fields = parse(text);
  if (fields.schema !== CALIBRATOR_SCHEMA) throw wrong("schema", JSON.stringify(CALIBRATOR_SCHEMA), fields);
  const fit = {
    flags: flagsOf(fields),
    n: wholeNumber("n", 0, fields),
    fingerprint: fingerprintOf(fields),
  };
  if (fields.kind === "temperature") {
    return {
      kind: "temperature",
      temperature: positive("temperature", fields),
      classes: wholeNumber("classes", 1, fields),
      nll: number("nll", fields),
      nllBefore: number("nllBefore", fields),
      ...fit,
    };
  }
  if (fields.kind === "platt") {
    return { kind: "platt", a: number("a", fields), b: number("b", fields), ...fit };
  }
  if (fields.kind !== "isotonic") throw wrong("kind", "temperature, platt or isotonic", fields);
  const { direction } = fields;
  if (direction !== "increasing" && direction !== "decreasing") {
    throw wrong("direction", "increasing or decreasing", fields);
  }
  return { kind: "isotonic", direction, ...knots(fields, direction === "increasing" ? 1 : -1), ...fit };
}

type Fields = Readonly<Record<string, unknown>>;

function parse(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CalibrantError("data", "calibrator is no JSON text", {}, { cause });
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new CalibrantError("data", `calibrator must be a JSON object, got ${text.slice(0, 40)}`);
}

function readNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  return value === "-0" || INFINITE.includes(value) ? Number(value) : undefined;
}

function number(name: string, fields: Fields): number {
  const value = readNumber(fields[name]);
  if (value === undefined) throw wrong(name, "a number", fields);
  return value;
}

/** A temperature: positive, or NaN for an empty fit. */
function positive(name: string, fields: Fields): number {
  const value = number(name, fields);
  if (value <= 0) throw wrong(name, "positive", fields);
  return value;
}

function wholeNumber(name: string, least: number, fields: Fields): number {
  const value = number(name, fields);
  if (!(Number.isSafeInteger(value) && value >= least))
    throw wrong(name, `a whole number from ${least}`, fields);
  return value;
}

function flagsOf(fields: Fields): CalibratorFlag[] {
  const { flags } = fields;
  if (Array.isArray(flags) && flags.every((flag) => FLAGS.includes(flag))) return flags;
  throw wrong("flags", "a list of known flags", fields);
}

function fingerprintOf(fields: Fields): string {
  const { fingerprint } = fields;
  if (typeof fingerprint === "string" && /^[0-9a-f]{16}$/.test(fingerprint)) return fingerprint;
  throw wrong("fingerprint", "16 hexadecimal digits", fields);
}

function knots(fields: Fields, sign: 1 | -1): { readonly x: Float64Array; readonly y: Float64Array } {
  const x = numbers("x", fields);
  const y = numbers("y", fields);
  if (x.length !== y.length) throw wrong("y", `as long as x (${x.length})`, fields);
  for (let i = 0; i < x.length; i++) {
    if (Number.isNaN(x[i]) || (i > 0 && !((x[i] as number) > (x[i - 1] as number)))) {
      throw wrong("x", "strictly ascending", fields);
    }
    const finite = Number.isFinite(y[i]);
    if (!finite || (i > 0 && !(sign * ((y[i] as number) - (y[i - 1] as number)) >= 0))) {
      throw wrong("y", "finite and monotone in its direction", fields);
    }
  }
  return { x, y };
}

function numbers(name: string, fields: Fields): Float64Array {
  const list = fields[name];
  if (!Array.isArray(list)) throw wrong(name, "a list of numbers", fields);
  return Float64Array.from(list, (item: unknown) => {
    const value = readNumber(item);
    if (value === undefined) throw wrong(name, "a list of numbers", fields);
    return value;
  });
}

function wrong(name: string, expected: string, fields: Fields): CalibrantError {
  const shown = (JSON.stringify(fields[name]) ?? "nothing").slice(0, 60);
  return new CalibrantError("data", `calibrator field ${name} must be ${expected}, got ${shown}`, { name });
}
