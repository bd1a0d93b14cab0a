import type { CalibratorKind } from "../../uq/calibrators/calibrator.ts";
import { crossFitCalibrator } from "../../uq/calibrators/cross-fit.ts";
import { countFlags, keepRows } from "./keep-rows.ts";
import type { SliceRows } from "./split-rows.ts";

/**
 * The confidence of every row, in the order of `rows`: the output of a calibrator that was fitted to the uncertainty of all
 * slices together, each half of the clusters (prompts) with the fit of the other half. NaN where the uncertainty or the
 * correctness is missing.
 */
export function fittedConfidence(rows: SliceRows, calibrator: CalibratorKind, seed: number): Float64Array {
  const used = new Uint8Array(rows.rows);
  for (let row = 0; row < rows.rows; row += 1) {
    if (!Number.isNaN(rows.x[row]) && rows.y[row] !== -1) used[row] = 1;
  }
  const kept = countFlags(used);
  const x = keepRows(rows.x, used, kept);
  const scores = calibrator === "temperature" ? x.map(logitOfNll) : x;
  const { calibrated } = crossFitCalibrator(calibrator, scores, keepRows(rows.y, used, kept), {
    clusters: keepRows(rows.cluster, used, kept),
    // The higher the uncertainty, the less likely a row is correct.
    direction: "decreasing",
    seed,
  });
  const all = new Float64Array(rows.rows).fill(Number.NaN);
  let next = 0;
  for (let row = 0; row < rows.rows; row += 1) if (used[row] === 1) all[row] = calibrated[next++] as number;
  return all;
}

/** The logit of p = exp(-nll): -ln(e^nll - 1). Held inside ±700, where p is 0 or 1 to the last bit anyway. */
function logitOfNll(nll: number): number {
  return Math.max(-700, Math.min(700, -Math.log(Math.expm1(Math.min(nll, 700)))));
}
