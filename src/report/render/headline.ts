import { FEWEST_UNITS } from "../../math/beyond-noise.ts";
import type { Estimate, Evaluation, EvaluationSlice } from "../evaluation.ts";
import { formatCount, formatEstimate, formatNumber, formatPercent } from "../format-number.ts";
import type { MetricName } from "../metric-info.ts";
import { compareSentences } from "./headline-comparison.ts";
import { excludedText, reasonText } from "./reason-text.ts";
import { plural, type Sentence } from "./sentence.ts";
import { rowsOfSmallerClass, type Separation, separation } from "./separation.ts";
import { sliceName } from "./slice-name.ts";

/** What a reader should know after ten seconds. */
export interface Headline {
  readonly question: string;
  /** The answer in one short sentence. */
  readonly answer: Sentence;
  /** The numbers that it rests on, a sentence each. */
  readonly evidence: readonly Sentence[];
  /** The rows that are used, and those that are not, with the reasons. */
  readonly rows: Sentence;
  /** Remarks to know before believing the numbers; empty without flags. */
  readonly flags: readonly Sentence[];
  /** The verdicts of the comparisons; empty when nothing was compared. */
  readonly comparisons: readonly Sentence[];
}

/**
 * The answer of a report in a few sentences, the same in every format: does the policy know when it is wrong, and is it
 * better than the baseline beyond noise.
 */
export function headline(evaluation: Evaluation): Headline {
  const { slices, overall } = evaluation;
  const shown = slices.length === 0 ? [overall] : slices;
  const verdicts = shown.map((slice) => separation(slice, evaluation));
  const single = shown.length === 1 ? (shown[0] as EvaluationSlice) : null;
  return {
    question: "Does this policy know when it is wrong?",
    answer:
      single === null
        ? answerOfMany(shown, verdicts)
        : [answerOfOne(single, verdicts[0] as Separation, evaluation)],
    evidence: single === null ? evidenceOfMany(shown, verdicts, evaluation.level) : evidenceOfOne(single),
    rows: rowsSentence(evaluation),
    flags: single === null ? flagsOfMany(shown) : single.flags.map(({ code, text }) => [`${code}: ${text}`]),
    comparisons: compareSentences(evaluation),
  };
}

function answerOfOne(slice: EvaluationSlice, verdict: Separation, { columns }: Evaluation): string {
  const iou = `calibration IoU ${formatEstimate(slice.metrics.iou)}${nullText(slice)}`;
  switch (verdict) {
    case "separated":
      return `Yes, beyond chance: ${iou}.`;
    case "barely":
      return `Barely: beyond chance, but the uncertainties of correct and wrong answers are almost alike: ${iou}.`;
    case "ranked":
      return `Yes, by their ranking (AUROC ${formatEstimate(slice.metrics.auroc)}); the bins of the IoU are too coarse or too thin to show it: ${iou}.`;
    case "none":
      return `Not shown: the uncertainties of correct and wrong answers do not differ beyond chance: ${iou}.`;
    case "shape":
      return `Not in order: the uncertainties of correct and wrong answers differ${columns.cluster === null ? " beyond chance" : ", by a test that takes rows of one prompt for independent"}, but the wrong ones are not reliably the less certain: ${iou}.`;
    case "few":
      return `It cannot be said from ${fewWords(slice, columns.cluster === null ? "row" : "prompt")}: ${iou}.`;
    case "reversed":
      return `The wrong way round: wrong answers come with less uncertainty than correct ones: ${iou}.`;
    case "untested":
      return `Not tested against chance (no resamples, no permutations): ${iou}.`;
    case "unknown":
      return `It cannot be said: there are ${reasonText(slice.metrics.iou.reason, slice)}.`;
  }
}

function fewWords(slice: EvaluationSlice, unit: string): string {
  if (slice.clusters < FEWEST_UNITS) return `${plural(slice.clusters, unit)}, fewer than 10 independent ones`;
  return `${plural(rowsOfSmallerClass(slice), slice.correct < slice.wrong ? "correct row" : "wrong row")}, fewer than 10`;
}

/** The two numbers between which the IoU lies: 0, and what it is without any separation. */
function nullText({ iouNull }: EvaluationSlice): string {
  return Number.isNaN(iouNull.mean) ? "" : `, where no separation would read ${formatNumber(iouNull.mean)}`;
}

function answerOfMany(slices: readonly EvaluationSlice[], verdicts: readonly Separation[]): Sentence {
  const range = rangeOf(slices, "iou", formatIou);
  const verdict = verdictOfMany(verdicts);
  return range === null ? [`${verdict}.`] : [`${verdict}: calibration IoU `, ...range, "."];
}

function formatIou({ value }: Estimate): string {
  return formatNumber(value);
}

const YES: readonly Separation[] = ["separated", "barely", "ranked"];
const UNJUDGED: readonly Separation[] = ["few", "untested", "unknown"];

function verdictOfMany(verdicts: readonly Separation[]): string {
  const total = verdicts.length;
  const yes = verdicts.filter((verdict) => YES.includes(verdict)).length;
  if (verdicts.every((verdict) => UNJUDGED.includes(verdict)))
    return `It cannot be said for any of the ${formatCount(total)} slices`;
  if (yes === total) return `Beyond chance in ${total === 2 ? "both" : `all ${formatCount(total)}`} slices`;
  const reversed = verdicts.filter((verdict) => verdict === "reversed").length;
  const wrongWay = reversed === 0 ? "" : `, the wrong way round in ${formatCount(reversed)}`;
  if (yes === 0) return `Beyond chance in none of the ${formatCount(total)} slices${wrongWay}`;
  return `Beyond chance in ${formatCount(yes)} of ${formatCount(total)} slices${wrongWay}`;
}

const VERDICTS: Readonly<Record<Separation, string>> = {
  separated: "separated",
  barely: "barely separated (IoU near that of identical distributions)",
  ranked: "separated by their ranking, which the bins of the IoU do not show",
  none: "not beyond chance",
  shape: "different in shape, but not in order",
  reversed: "the wrong way round",
  few: "from fewer than 10 independent units, or correct or wrong rows",
  untested: "not tested",
  unknown: "without an IoU",
};

/** How many slices have which verdict; null when all have the plain one. */
function verdictSentence(verdicts: readonly Separation[]): Sentence | null {
  if (verdicts.every((verdict) => verdict === "separated")) return null;
  const kinds = Object.keys(VERDICTS) as Separation[];
  const counts = kinds.map((kind) => [kind, verdicts.filter((verdict) => verdict === kind).length] as const);
  const parts = counts.filter(([, n]) => n > 0).map(([kind, n]) => `${formatCount(n)} ${VERDICTS[kind]}`);
  return [`Slices: ${parts.join(", ")}.`];
}

function evidenceOfOne(slice: EvaluationSlice): Sentence[] {
  const { auroc, accuracy, ece } = slice.metrics;
  const sentences: Sentence[] = [];
  if (!Number.isNaN(auroc.value)) {
    const share = "in that share of pairs, the wrong answer is the less certain one (0.5 is guessing)";
    sentences.push([`AUROC ${formatEstimate(auroc)}: ${share}.`]);
  }
  if (!Number.isNaN(accuracy.value)) {
    const error = Number.isNaN(ece.value) ? "" : `; ECE ${formatEstimate(ece)}${eceNullText(slice)}`;
    sentences.push([`Accuracy ${formatEstimate(accuracy)}${error}.`]);
  }
  return sentences;
}

function eceNullText(slice: EvaluationSlice): string {
  const { nullMean } = slice.reliability;
  return Number.isNaN(nullMean) ? "" : `, where exact confidences would show ${formatNumber(nullMean)}`;
}

function flagsOfMany(slices: readonly EvaluationSlice[]): Sentence[] {
  const flagged = slices.filter(({ flags }) => flags.length > 0);
  if (flagged.length === 0) return [];
  const codes = [...new Set(flagged.flatMap(({ flags }) => flags.map(({ code }) => code)))].map((code) => {
    const count = flagged.filter(({ flags }) => flags.some((flag) => flag.code === code)).length;
    return `${code} on ${formatCount(count)}`;
  });
  return [
    [`Flags on ${formatCount(flagged.length)} of ${formatCount(slices.length)} slices: ${codes.join(", ")}.`],
  ];
}

function evidenceOfMany(
  slices: readonly EvaluationSlice[],
  verdicts: readonly Separation[],
  level: number,
): Sentence[] {
  const aucRemark = ": in that share of pairs, the wrong answer is the less certain one";
  return [
    verdictSentence(verdicts),
    chanceSentence(verdicts.filter((verdict) => !UNJUDGED.includes(verdict)).length, level),
    nullSentence(slices),
    rangeSentence(slices, "auroc", "AUROC", aucRemark),
    rangeSentence(slices, "accuracy", "Accuracy", ""),
  ].filter((sentence): sentence is Sentence => sentence !== null);
}

function chanceSentence(slices: number, level: number): Sentence | null {
  const expected = Math.round(slices * (1 - level));
  if (expected === 0) return null;
  const rate = formatPercent(1 - level);
  return [
    `With ${formatCount(slices)} slices judged at ${rate} each, about ${formatCount(expected)} would look separated by chance alone.`,
  ];
}

function nullSentence(slices: readonly EvaluationSlice[]): Sentence | null {
  const means = slices.map(({ iouNull }) => iouNull.mean).filter((mean) => !Number.isNaN(mean));
  if (means.length === 0) return null;
  const ends = [Math.min(...means), Math.max(...means)].map((mean) => formatNumber(mean));
  const range = ends[0] === ends[1] ? ends[0] : `from ${ends.join(" to ")}`;
  return [`An IoU of 0 is full separation; without any, these counts would read ${range}.`];
}

function rangeSentence(
  slices: readonly EvaluationSlice[],
  name: MetricName,
  title: string,
  remark: string,
): Sentence | null {
  const range = rangeOf(slices, name, formatEstimate);
  return range === null ? null : [`${title} `, ...range, `${remark}.`];
}

/** `from 0.334 (base) to 0.699 (TRUST)`; null when no slice has a number. */
function rangeOf(
  slices: readonly EvaluationSlice[],
  name: MetricName,
  format: (estimate: Estimate) => string,
): Sentence | null {
  const value = (slice: EvaluationSlice): number => slice.metrics[name].value;
  const known = slices.filter((slice) => !Number.isNaN(value(slice)));
  const [first] = known;
  if (first === undefined) return null;
  const lowest = known.reduce((best, slice) => (value(slice) < value(best) ? slice : best), first);
  const highest = known.reduce((best, slice) => (value(slice) > value(best) ? slice : best), first);
  const text = (slice: EvaluationSlice): string => format(slice.metrics[name]);
  if (known.length === 1) return [`${text(first)} (`, sliceName(first), ")"];
  if (value(lowest) === value(highest)) return [`${text(first)} in each`];
  return [`from ${text(lowest)} (`, sliceName(lowest), `) to ${text(highest)} (`, sliceName(highest), ")"];
}

function rowsSentence(evaluation: Evaluation): Sentence {
  const { overall, columns } = evaluation;
  const { correct, wrong, clusters } = overall;
  const units = columns.cluster === null ? "" : ` from ${plural(formatCount(clusters), "prompt")}`;
  const used = `${plural(formatCount(correct + wrong), "row")} used (${formatCount(correct)} correct, ${formatCount(wrong)} wrong)${units}`;
  const excluded = excludedText(overall.excluded);
  return [excluded === "" ? `${used}.` : `${used}; not used: ${excluded}.`];
}
