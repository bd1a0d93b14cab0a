import { FEWEST_UNITS } from "../../math/beyond-noise.ts";
import type { Comparison, Delta, Evaluation } from "../evaluation.ts";
import { formatCount, formatInterval, formatSigned } from "../format-number.ts";
import { type LabelPart, plural, type Sentence } from "./sentence.ts";
import { sliceName } from "./slice-name.ts";

/** Up to this many comparisons get a sentence each; more are counted by verdict. */
const SPELLED_OUT = 6;

/**
 * The verdicts on the IoU of every compared slice, in sentences: each slice, or counts when there are many. The metric is
 * lower = better only while wrong rows are the less certain ones, so a slice with an AUROC below 0.5 is named as such.
 */
export function compareSentences(evaluation: Evaluation): Sentence[] {
  const { comparisons } = evaluation;
  if (comparisons.length <= SPELLED_OUT) return comparisons.map((item) => spelledOut(item, evaluation));
  return counted(evaluation);
}

function spelledOut(comparison: Comparison, evaluation: Evaluation): Sentence {
  const delta = comparison.deltas.iou;
  const candidate = nameOf(comparison.candidate, evaluation);
  const baseline = nameOf(comparison.baseline, evaluation);
  if (delta === undefined || delta.verdict === "undetermined") {
    return [
      candidate,
      " against ",
      baseline,
      `: the calibration IoU cannot be compared, ${whyNot(comparison)}.`,
    ];
  }
  const numbers = `(ΔIoU ${formatSigned(delta.value)} ${formatInterval(delta.low, delta.high)}`.trimEnd();
  if (delta.verdict === "not beyond noise") {
    return [candidate, " against ", baseline, `: no difference beyond noise ${numbers}).`];
  }
  const reversed = [comparison.candidate, comparison.baseline].some((label) => isReversed(label, evaluation));
  const verb = `separates wrong from correct ${delta.value < 0 ? "better" : "worse"} than`;
  const direction = reversed ? `has ${delta.value < 0 ? "less" : "more"} overlap than` : verb;
  const remark = reversed ? ", but an AUROC is below 0.5: there, uncertainty points the wrong way" : "";
  return [candidate, ` ${direction} `, baseline, `, beyond noise ${numbers})${remark}.`];
}

/** Why there is no verdict on the IoU. */
function whyNot({ deltas, paired, prompts }: Comparison): string {
  if (paired && prompts.shared === 0) return "as they share no prompt";
  if (deltas.iou === undefined || Number.isNaN(deltas.iou.value)) return "as one lacks correct or wrong rows";
  if (Number.isNaN(deltas.iou.low)) return "as there is no interval";
  const units = paired ? plural(prompts.shared, "shared prompt") : "so few rows";
  return `as there is no verdict from ${units}, fewer than ${FEWEST_UNITS}`;
}

function nameOf(label: string, { slices }: Evaluation): LabelPart {
  return sliceName(slices.find((slice) => slice.label === label) ?? { label, key: {} });
}

function isReversed(label: string, evaluation: Evaluation): boolean {
  return evaluation.slices.some((slice) => slice.label === label && slice.metrics.auroc.value < 0.5);
}

function counted(evaluation: Evaluation): Sentence[] {
  const { comparisons } = evaluation;
  const deltas = comparisons.map(({ deltas }) => deltas.iou);
  const count = (test: (delta: Delta) => boolean): string =>
    formatCount(deltas.filter((delta) => delta !== undefined && test(delta)).length);
  const beyond = (delta: Delta): boolean => delta.verdict === "beyond noise";
  const lower = count((delta) => beyond(delta) && delta.value < 0);
  const higher = count((delta) => beyond(delta) && delta.value > 0);
  const same = count(({ verdict }) => verdict === "not beyond noise");
  const unknown = deltas.filter((delta) => delta === undefined || delta.verdict === "undetermined").length;
  const rest = unknown === 0 ? "" : `, ${formatCount(unknown)} cannot be compared`;
  const bases = [...new Set(comparisons.map(({ baseline }) => baseline))];
  const [base] = bases;
  const against: Sentence =
    bases.length === 1 && base !== undefined
      ? ["against ", nameOf(base, evaluation)]
      : ["against their baselines"];
  return [
    [
      `Of ${formatCount(comparisons.length)} slices `,
      ...against,
      `: ${lower} with a lower IoU beyond noise (better), ${higher} with a higher one (worse), ${same} not beyond noise${rest}.`,
    ],
  ];
}
