import type { EvaluationFlag } from "../evaluation.ts";

/** The facts about a slice that may need a remark. */
export interface SliceFacts {
  readonly rows: number;
  readonly correct: number;
  readonly wrong: number;
  readonly excluded: number;
  readonly infinite: { readonly correct: number; readonly wrong: number };
  readonly iou: number;
  readonly nullMean: number;
  /** Distinct bins, and cells of infinite values, that hold rows. */
  readonly filledCells: number;
  readonly clusters: number;
  readonly clustered: boolean;
  readonly merged: boolean;
  readonly resampled: boolean;
  /** The IoU is one of the bounds or smooth forms, not the histogram. */
  readonly method: "histogram" | "ks" | "kde";
}

const SMALL_CLASS = 100;
const FEW_CLUSTERS = 30;

/** Remarks on a slice in plain words, most serious first. */
export function sliceFlags(facts: SliceFacts): EvaluationFlag[] {
  return [...classFlags(facts), ...valueFlags(facts), ...resamplingFlags(facts)];
}

function classFlags(facts: SliceFacts): EvaluationFlag[] {
  const { correct, wrong, rows, excluded } = facts;
  const flags: EvaluationFlag[] = [];
  if (correct + wrong === 0) {
    flags.push({ code: "empty", text: "No row has both an uncertainty and a known correctness." });
  } else if (correct === 0 || wrong === 0) {
    const only = correct === 0 ? "wrong" : "correct";
    flags.push({ code: "single-class", text: `All rows are ${only}: nothing can be separated.` });
  } else if (Math.min(correct, wrong) < SMALL_CLASS) {
    flags.push({
      code: "small-n",
      text: `Only ${counted(Math.min(correct, wrong), `${correct < wrong ? "correct" : "wrong"} row`)}: below ${SMALL_CLASS} a class, chance alone moves the IoU far from 1, so read it beside its null mean.`,
    });
  }
  if (rows > 0 && excluded > 0.1 * rows) {
    const share = Math.round((100 * excluded) / rows);
    flags.push({
      code: "excluded",
      text: `${share} % of the rows are left out: see the reasons in the table.`,
    });
  }
  return flags;
}

function valueFlags(facts: SliceFacts): EvaluationFlag[] {
  const { infinite, filledCells, correct, wrong, method } = facts;
  const flags: EvaluationFlag[] = [];
  const endless = infinite.correct + infinite.wrong;
  if (endless > 0) {
    flags.push({
      code: "infinite",
      text: `${endless} of the rows ${endless === 1 ? "has" : "have"} an infinite uncertainty (a token of probability zero) and ${endless === 1 ? "counts" : "count"} in one cell of the IoU beside its bins.`,
    });
  }
  if (filledCells === 1 && correct > 0 && wrong > 0) {
    flags.push({
      code: "one-bin",
      text: "All rows fall into one bin: the uncertainty does not vary on this axis.",
    });
  }
  if (method === "ks") {
    flags.push({
      code: "ks-upper-bound",
      text: "The IoU is the upper bound that the Kolmogorov–Smirnov distance gives, not that of the histograms.",
    });
  }
  return flags;
}

function resamplingFlags(facts: SliceFacts): EvaluationFlag[] {
  const flags: EvaluationFlag[] = [];
  if (facts.iou > 0.9 * facts.nullMean) {
    flags.push({
      code: "ci-unreliable",
      text: "The IoU is close to what identical distributions would show: its interval cannot tell how much closer to 1 the truth is.",
    });
  }
  if (!facts.resampled) return flags;
  if (facts.clusters < FEW_CLUSTERS && facts.correct + facts.wrong > 0) {
    const what = facts.clustered ? "prompt" : "row";
    flags.push({
      code: "few-units",
      text: `Only ${counted(facts.clusters, what)}: intervals from so few independent units are too narrow.`,
    });
  }
  if (facts.merged) {
    flags.push({
      code: "clusters-merged",
      text: "For speed, prompts or rows were merged at random into blocks before resampling; the width of the intervals is known to a few per cent.",
    });
  }
  return flags;
}

function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
