import { numberColumn, placeOf } from "../../data/batch-columns.ts";
import { actionLabelCode } from "../../data/calls/action.ts";
import type { KeyColumn, RolloutBatch } from "../../data/columns.ts";
import { CalibrantError, CalibrantRangeError } from "../../errors.ts";
import type { EvaluationSettings } from "./evaluation-settings.ts";

/** Perplexities this much below 1 are rounding of float32 storage and count as 1. */
const ROUNDING = 1e-6;

/**
 * Uncertainty on the report's axis: ln PPL, or the column itself; NaN = missing. An overflowed perplexity takes the
 * value of the column `nll` where there is one.
 *
 * @throws CalibrantRangeError for a perplexity below 1 or an nll below 0, with its place.
 */
export function readUncertainty(batch: RolloutBatch, settings: EvaluationSettings): Float64Array {
  const values = numberColumn(batch, settings.uncertainty) ?? new Float64Array(batch.rows).fill(Number.NaN);
  if (settings.scale === "identity") return values.slice(0, batch.rows);
  const nll = settings.takeLog ? numberColumn(batch, "nll") : null;
  const least = settings.takeLog ? 1 : 0;
  const x = new Float64Array(batch.rows);
  for (let row = 0; row < batch.rows; row += 1) {
    const value = values[row] as number;
    if (value < least - ROUNDING) throw belowRange(batch, row, settings, value, least);
    if (!settings.takeLog) x[row] = Math.max(value, 0);
    else if (value === Number.POSITIVE_INFINITY) x[row] = overflowed(nll, row);
    else x[row] = value < 1 ? 0 : Math.log(value);
  }
  return x;
}

function overflowed(nll: Float64Array | null, row: number): number {
  const value = nll?.[row];
  return value === undefined || Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
}

function belowRange(
  batch: RolloutBatch,
  row: number,
  { uncertainty }: EvaluationSettings,
  value: number,
  least: number,
): CalibrantRangeError {
  return new CalibrantRangeError(
    "data",
    `${placeOf(batch, row)}: ${uncertainty} must be at least ${least} (for another kind of score: --uncertainty COLUMN --scale identity), got ${value}`,
    { row, column: uncertainty, value },
  );
}

/**
 * exp(-nll): 1 / PPL by division, so that a perplexity of 3 is a confidence of exactly one third. NaN = missing.
 */
export function readExpNll(batch: RolloutBatch, settings: EvaluationSettings): Float64Array {
  const p = readUncertainty(batch, settings);
  const ppl = settings.takeLog ? numberColumn(batch, settings.uncertainty) : null;
  for (let row = 0; row < p.length; row += 1) {
    const value = ppl?.[row] ?? Number.POSITIVE_INFINITY;
    p[row] = value === Number.POSITIVE_INFINITY ? Math.exp(-(p[row] as number)) : Math.min(1, 1 / value);
  }
  return p;
}

/**
 * Correctness of each row: 1, 0, or -1 where it is unknown. An action that is no action name is wrong; a row without a
 * gold action is unknown.
 *
 * @throws CalibrantError `data` for a value that is neither 0 nor 1, with its place.
 */
export function readCorrect(batch: RolloutBatch, settings: EvaluationSettings): Int8Array {
  const { correct } = settings;
  if (correct.kind === "actions") return equalActions(batch);
  const name = correct.kind === "column" ? correct.name : "r_cls";
  const values = numberColumn(batch, name);
  const y = new Int8Array(batch.rows).fill(-1);
  if (values === null) return y;
  for (let row = 0; row < batch.rows; row += 1) {
    const value = values[row] as number;
    if (Number.isNaN(value)) continue;
    if (correct.kind === "class-reward") y[row] = isRightClass(batch, row, value, correct.right);
    else if (value === 0 || value === 1) y[row] = value;
    else throw noLabel(batch, row, name, value);
  }
  return y;
}

/** @throws CalibrantError `data` for an r_cls of the other variant of TRUST, by which every row would be wrong. */
function isRightClass(batch: RolloutBatch, row: number, value: number, right: number): 0 | 1 {
  if (value >= right - 2 && value <= right) return value === right ? 1 : 0;
  throw new CalibrantError(
    "data",
    `${placeOf(batch, row)}: r_cls must be from ${right - 2} to ${right} (of trust 1 to 3; of trust-released 0 to 2, beside the column r_align), got ${value}`,
    { row, value },
  );
}

function noLabel(batch: RolloutBatch, row: number, column: string, value: number): CalibrantError {
  return new CalibrantError(
    "data",
    `${placeOf(batch, row)}: ${column} must be true, false, 1 or 0, got ${value}`,
    { row, column, value },
  );
}

function equalActions(batch: RolloutBatch): Int8Array {
  const y = new Int8Array(batch.rows).fill(-1);
  const gold = keyColumn(batch, "gt_action");
  if (gold === null) return y;
  const action = keyColumn(batch, "action");
  const goldCodes = gold.keys.map(actionLabelCode);
  const codes = action?.keys.map(actionLabelCode) ?? [];
  for (let row = 0; row < batch.rows; row += 1) {
    const goldKey = gold.codes[row] as number;
    const wanted = goldKey < 0 ? -1 : (goldCodes[goldKey] as number);
    if (wanted < 0) continue;
    const key = action === null ? -1 : (action.codes[row] as number);
    y[row] = key >= 0 && codes[key] === wanted ? 1 : 0;
  }
  return y;
}

function keyColumn(batch: RolloutBatch, name: string): KeyColumn | null {
  const column = batch.columns.get(name);
  return column?.kind === "key" ? column : null;
}

/**
 * Confidences; NaN = missing.
 *
 * @throws CalibrantRangeError for a value outside [0, 1], with its place.
 */
export function readUnitInterval(batch: RolloutBatch, name: string): Float64Array {
  const values = numberColumn(batch, name);
  if (values === null) return new Float64Array(batch.rows).fill(Number.NaN);
  for (let row = 0; row < batch.rows; row += 1) {
    const value = values[row] as number;
    if (value < 0 || value > 1) {
      throw new CalibrantRangeError(
        "data",
        `${placeOf(batch, row)}: the confidence ${name} must be in [0, 1], got ${value}`,
        { row, column: name, value },
      );
    }
  }
  return values.slice(0, batch.rows);
}

/**
 * Row weights; null without a weight column.
 *
 * @throws CalibrantRangeError for a missing, negative or infinite weight, with its place.
 */
export function readWeights(batch: RolloutBatch, settings: EvaluationSettings): Float64Array | null {
  if (settings.weight === null) return null;
  const values = numberColumn(batch, settings.weight);
  const weights = new Float64Array(batch.rows);
  for (let row = 0; row < batch.rows; row += 1) {
    const value = values?.[row] ?? Number.NaN;
    if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) {
      throw new CalibrantRangeError(
        "data",
        `${placeOf(batch, row)}: the weight ${settings.weight} must be finite and at least 0, got ${value}`,
        { row, column: settings.weight, value },
      );
    }
    weights[row] = value;
  }
  return weights;
}
