import { harmonicDifference } from "../../math/harmonic.ts";
import { METRIC_NAMES, type MetricName } from "../metric-info.ts";
import { type CellLayout, SCALAR } from "./cell-layout.ts";
import { RESIDUAL_CELLS } from "./smoothing-kernel.ts";

const INDEX = Object.fromEntries(METRIC_NAMES.map((name, index) => [name, index])) as Record<
  MetricName,
  number
>;

/**
 * The metrics that follow from the sums of some rows, in the order of `METRIC_NAMES`; NaN where undefined. Those that
 * rest on the ordering are exact when every value has a rank cell of its own, and close otherwise: they serve the
 * spread of resamples, not the estimate.
 */
export function cellMetrics(sums: Float64Array, layout: CellLayout): Float64Array {
  const out = new Float64Array(METRIC_NAMES.length).fill(Number.NaN);
  const set = (name: MetricName, value: number): void => {
    out[INDEX[name]] = value;
  };
  const scalar = (index: number): number => sums[layout.at.scalars + index] as number;
  set("accuracy", scalar(SCALAR.right) / scalar(SCALAR.labelled));
  overlapMetrics(sums, layout, set);
  rankMetrics(sums, layout, set);
  confidenceMetrics(sums, layout, set);
  set("reward", scalar(SCALAR.reward) / scalar(SCALAR.rewardWeight));
  set("certainty", scalar(SCALAR.certainty) / scalar(SCALAR.certaintyWeight));
  set("margin", scalar(SCALAR.margin) / scalar(SCALAR.marginWeight));
  return out;
}

type Set = (name: MetricName, value: number) => void;

function total(sums: Float64Array, start: number, length: number): number {
  let sum = 0;
  for (let i = start; i < start + length; i += 1) sum += sums[i] as number;
  return sum;
}

function overlapMetrics(sums: Float64Array, layout: CellLayout, set: Set): void {
  const { at, valueCells, normalize } = layout;
  const correct = total(sums, at.correct, valueCells);
  const wrong = total(sums, at.wrong, valueCells);
  if (correct === 0 || wrong === 0) return;
  const perCorrect = normalize === "density" ? 1 / correct : 1;
  const perWrong = normalize === "density" ? 1 / wrong : 1;
  let both = 0;
  let either = 0;
  let overlap = 0;
  for (let bin = 0; bin < valueCells; bin += 1) {
    const c = sums[at.correct + bin] as number;
    const w = sums[at.wrong + bin] as number;
    both += Math.min(c * perCorrect, w * perWrong);
    either += Math.max(c * perCorrect, w * perWrong);
    overlap += Math.min(c / correct, w / wrong);
  }
  set("iou", both / either);
  set("overlap", overlap);
}

function rankMetrics(sums: Float64Array, layout: CellLayout, set: Set): void {
  const { at, rankEnds } = layout;
  const cells = rankEnds.length + 1;
  const correct = total(sums, at.rankCorrect, cells);
  const wrong = total(sums, at.rankWrong, cells);
  const n = correct + wrong;
  if (n === 0) return;
  let below = 0;
  let pairs = 0;
  let risk = 0;
  let seen = 0;
  let seenWrong = 0;
  for (let cell = 0; cell < cells; cell += 1) {
    const c = sums[at.rankCorrect + cell] as number;
    const w = sums[at.rankWrong + cell] as number;
    pairs += w * (below + c / 2);
    below += c;
    risk += prefixRisk(seen, seenWrong, c + w, w);
    seen += c + w;
    seenWrong += w;
  }
  const aurc = risk / n;
  set("aurc", aurc);
  set("eaurc", aurc - prefixRisk(correct, 0, wrong, wrong) / n);
  if (correct > 0) set("ppl_correct", atShare(sums, at.rankCorrect, layout, correct / 2).value);
  if (wrong > 0) set("ppl_wrong", atShare(sums, at.rankWrong, layout, wrong / 2).value);
  if (correct === 0 || wrong === 0) return;
  set("auroc", pairs / (correct * wrong));
  set("ap", averagePrecision(sums, layout, wrong));
  lowMetrics(sums, layout, { correct, wrong }, set);
}

/** Sum of the risks of the prefixes that end inside a block of tied rows, over the mean of its orders. */
function prefixRisk(before: number, wrongBefore: number, rows: number, wrong: number): number {
  if (rows === 0) return 0;
  const excess = wrongBefore - (wrong * before) / rows;
  return wrong + excess * harmonicDifference(before, rows);
}

function averagePrecision(sums: Float64Array, { at, rankEnds }: CellLayout, wrong: number): number {
  let taken = 0;
  let hits = 0;
  let sum = 0;
  for (let cell = rankEnds.length; cell >= 0; cell -= 1) {
    const w = sums[at.rankWrong + cell] as number;
    hits += w;
    taken += w + (sums[at.rankCorrect + cell] as number);
    if (w > 0) sum += (w * hits) / taken;
  }
  return sum / wrong;
}

interface Place {
  readonly cell: number;
  /** Share of the cell that lies below. */
  readonly share: number;
  /** The value there, in the unit of the report. */
  readonly value: number;
}

/** Where the running sum of a class reaches `target`, spread evenly inside a cell. */
function atShare(sums: Float64Array, start: number, layout: CellLayout, target: number): Place {
  const cells = layout.rankEnds.length + 1;
  let before = 0;
  for (let cell = 0; cell < cells; cell += 1) {
    const count = sums[start + cell] as number;
    if (count > 0 && before + count >= target) {
      const share = (target - before) / count;
      const low = layout.rankLow[cell] as number;
      const x = low + share * ((layout.rankHigh[cell] as number) - low);
      return { cell, share, value: layout.logAxis ? Math.exp(x) : x };
    }
    before += count;
  }
  return { cell: cells, share: 0, value: Number.NaN };
}

function lowMetrics(
  sums: Float64Array,
  layout: CellLayout,
  n: { readonly correct: number; readonly wrong: number },
  set: Set,
): void {
  const { at } = layout;
  const { cell, share } = atShare(sums, at.rankCorrect, layout, n.correct / 2);
  let low = share * (sums[at.rankWrong + cell] as number);
  for (let i = 0; i < cell; i += 1) low += sums[at.rankWrong + i] as number;
  set("wrong_low_of_wrong", low / n.wrong);
  set("wrong_low_of_all", low / (n.correct + n.wrong));
  set("wrong_low_of_low", low / (low + n.correct / 2));
}

function confidenceMetrics(sums: Float64Array, layout: CellLayout, set: Set): void {
  const { at, eceBins } = layout;
  const n = total(sums, at.eceCount, eceBins);
  if (n === 0) return;
  let gap = 0;
  for (let bin = 0; bin < eceBins; bin += 1) {
    gap += Math.abs((sums[at.eceConfidence + bin] as number) - (sums[at.eceRight + bin] as number));
  }
  set("ece", gap / n);
  set("smooth_ece", smoothGap(sums, layout) / n);
  set("brier", (sums[at.scalars + SCALAR.brier] as number) / n);
  set("nll", (sums[at.scalars + SCALAR.nll] as number) / n);
}

/** The smoothed residuals without their signs, summed over [0, 1]. */
function smoothGap(sums: Float64Array, { at, kernel }: CellLayout): number {
  let gap = 0;
  for (let to = 0; to < RESIDUAL_CELLS; to += 1) {
    let smoothed = 0;
    for (let from = 0; from < RESIDUAL_CELLS; from += 1) {
      smoothed += (kernel[to * RESIDUAL_CELLS + from] as number) * (sums[at.residual + from] as number);
    }
    gap += Math.abs(smoothed);
  }
  return gap;
}
