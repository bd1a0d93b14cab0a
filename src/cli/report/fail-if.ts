import { CalibrantError, errorMessage } from "../../errors.ts";
import type { Evaluation } from "../../report/evaluation.ts";
import { type CompiledExpression, compileExpression } from "../../rewards/expression.ts";
import { FAIL_IF_VALUES, type JudgedSlice, type NamedValue } from "./fail-if-values.ts";

/** What a threshold says of a report. Slices stand with the values that the expression names, as `grpo (iou 0.702)`. */
export interface FailIfVerdict {
  /** The sentence that names the slices for which the expression is true; null when it is true for none. */
  readonly failing: string | null;
  /** The sentence that names the slices that a missing value keeps from being judged; null when all were judged. */
  readonly unjudged: string | null;
  /** Slices that were judged. */
  readonly judged: number;
}

/** A threshold that is ready to judge reports. */
export type FailIf = (evaluation: Evaluation) => FailIfVerdict;

/**
 * Compiles the expression of `--fail-if`, before any row is read.
 *
 * @param compared - whether slices are compared with a baseline, which `delta_…` needs.
 * @throws CalibrantError `option` for an expression that does not compile, names nothing, or lacks its baseline.
 */
export async function compileFailIf(text: string, compared: boolean): Promise<FailIf> {
  const expression = await compileExpression(text, {
    names: [...FAIL_IF_VALUES.keys()],
    missing: "unknown",
  }).catch((error: unknown) => {
    throw error instanceof CalibrantError ? refusal(errorMessage(error), error.details) : error;
  });
  if (expression.names.length === 0)
    throw refusal(`the expression names no metric, for example iou > 0.5; got ${text}`);
  const delta = expression.names.find((name) => name.startsWith("delta_"));
  if (delta !== undefined && !compared)
    throw refusal(`${delta} needs a baseline: add --compare baseline=VALUE`);
  return (evaluation) => judge(expression, evaluation);
}

/** Every slice, or the whole report when it has none. */
function judge(expression: CompiledExpression, evaluation: Evaluation): FailIfVerdict {
  const slices = evaluation.columns.by.length > 0 ? evaluation.slices : [evaluation.overall];
  const judged = slices.map((slice): JudgedSlice => {
    const comparison = evaluation.comparisons.find(({ candidate }) => candidate === slice.label);
    return { slice, comparison: comparison ?? null };
  });
  const columns = Object.fromEntries(
    expression.names.map((name) => [name, Float64Array.from(judged, (one) => namedValue(name, one).value)]),
  );
  const results = expression.evaluate(columns, judged.length);
  const words = (wanted: (result: number, one: JudgedSlice) => boolean): string[] =>
    judged
      .filter((one, index) => wanted(results[index] as number, one))
      .map((one) => sliceWords(expression, one));
  const failing = words((result) => !Number.isNaN(result) && result !== 0);
  // That the baseline has no difference to itself is no news.
  const asksDelta = expression.names.some((name) => name.startsWith("delta_"));
  const unjudged = words((result, one) => Number.isNaN(result) && !(asksDelta && one.comparison === null));
  const subject = `--fail-if "${expression.text}"`;
  return {
    failing: failing.length === 0 ? null : `${subject} is true for ${failing.join(", ")}`,
    unjudged: unjudged.length === 0 ? null : `${subject} cannot be judged for ${unjudged.join(", ")}`,
    judged: results.filter((result) => !Number.isNaN(result)).length,
  };
}

function sliceWords(expression: CompiledExpression, judged: JudgedSlice): string {
  const values = expression.names.map((name) => `${name} ${namedValue(name, judged).text}`);
  return `${judged.slice.label} (${values.join(", ")})`;
}

function namedValue(name: string, judged: JudgedSlice): NamedValue {
  const read = FAIL_IF_VALUES.get(name);
  if (read === undefined) throw new Error(`the expression names ${name}, which is not a value of a slice`);
  return read(judged);
}

function refusal(message: string, details: Readonly<Record<string, unknown>> = {}): CalibrantError {
  return new CalibrantError("option", `--fail-if: ${message}`, details);
}
