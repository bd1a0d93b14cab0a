import type { Comparison, EvaluationSlice } from "../../report/evaluation.ts";
import { formatCount, formatNumber } from "../../report/format-number.ts";
import { METRIC_NAMES, METRICS, type MetricName } from "../../report/metric-info.ts";
import { reasonText } from "../../report/render/reason-text.ts";

/** A value that a threshold may name, of one slice. */
export interface NamedValue {
  /** NaN = missing. */
  readonly value: number;
  /** The value for a reader, or why it is missing. */
  readonly text: string;
}

/** A slice, and how it differs from the baseline; null for the baseline and without a comparison. */
export interface JudgedSlice {
  readonly slice: EvaluationSlice;
  readonly comparison: Comparison | null;
}

type Read = (judged: JudgedSlice) => NamedValue;

/**
 * Everything that `--fail-if` may name: every metric, the ends of its interval as `iou_low` and `iou_high`, the nulls,
 * the counts, and the differences to the baseline as `delta_iou`, `delta_iou_low`, `delta_iou_high`.
 */
export const FAIL_IF_VALUES: ReadonlyMap<string, Read> = new Map<string, Read>([
  ...METRIC_NAMES.map((name): [string, Read] => [name, (judged) => metricValue(judged, name)]),
  ["iou_null", ({ slice }) => plain(slice.iouNull.mean)],
  ["ece_null", ({ slice }) => plain(slice.reliability.nullMean)],
  ["p_value", ({ slice }) => plain(slice.iouNull.pValue)],
  ["n", ({ slice }) => counted(slice.correct + slice.wrong)],
  ["rows", ({ slice }) => counted(slice.rows)],
  ["excluded", ({ slice }) => counted(slice.rows - slice.correct - slice.wrong)],
  ...METRIC_NAMES.flatMap((name) => ends(name, name, ({ slice }) => slice.metrics[name])),
  ...METRIC_NAMES.flatMap((name): [string, Read][] => [
    [`delta_${name}`, (judged) => deltaValue(judged, name)],
    ...ends(`delta_${name}`, name, ({ comparison }) => comparison?.deltas[name]),
  ]),
]);

function metricValue({ slice }: JudgedSlice, name: MetricName): NamedValue {
  const { value, reason } = slice.metrics[name];
  return Number.isNaN(value)
    ? { value, text: `missing: ${reasonText(reason, slice)}` }
    : { value, text: formatNumber(value, METRICS[name].unit) };
}

function deltaValue({ comparison }: JudgedSlice, name: MetricName): NamedValue {
  const delta = comparison?.deltas[name];
  return plain(delta?.value ?? Number.NaN, METRICS[name].unit);
}

function ends(
  prefix: string,
  name: MetricName,
  interval: (judged: JudgedSlice) => { readonly low: number; readonly high: number } | undefined,
): [string, Read][] {
  const { unit } = METRICS[name];
  return [
    [`${prefix}_low`, (judged) => plain(interval(judged)?.low ?? Number.NaN, unit)],
    [`${prefix}_high`, (judged) => plain(interval(judged)?.high ?? Number.NaN, unit)],
  ];
}

function plain(value: number, unit = "fraction"): NamedValue {
  return { value, text: Number.isNaN(value) ? "missing" : formatNumber(value, unit) };
}

function counted(value: number): NamedValue {
  return { value, text: formatCount(value) };
}
