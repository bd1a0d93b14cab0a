import type { Evaluation } from "../evaluation.ts";
import { PANEL_WIDTH, PLAIN_NUMBER, type Spec } from "./plot-frame.ts";

/** The axis of the uncertainty in a picture, shared by all slices of a report. */
export interface UncertaintyAxis {
  /** What is measured, as `perplexity` or the column's name. */
  readonly name: string;
  /** Both ends of the finite values on the axis (ln PPL for the scale `log`), the first smaller. */
  readonly domain: readonly [number, number];
  /** Both ends of the cell for infinite values, right of the domain and as wide as a bin; null without such values. */
  readonly cell: readonly [number, number] | null;
  /** Vega-Lite axis. */
  readonly axis: Spec;
  /** The unit that a density is per, as `unit of ln PPL`. */
  readonly per: string;
  /** The place on the axis of a value in units of the column. */
  readonly place: (value: number) => number;
}

const MAX_TICKS = 9;
const MIN_GAP = 32;

/**
 * The axis of an evaluation's histograms; null when its edges are not finite numbers.
 *
 * An axis of no width, where all rows are equal, is widened by 0.05 to both sides.
 *
 * @param infinite whether there are infinite values, which get a cell of their own
 */
export function uncertaintyAxis(
  { iou, columns }: Pick<Evaluation, "iou" | "columns">,
  infinite: boolean,
): UncertaintyAxis | null {
  const low = iou.edges[0];
  const high = iou.edges[iou.edges.length - 1];
  if (low === undefined || high === undefined || !Number.isFinite(low) || !Number.isFinite(high)) return null;
  const domain = low < high ? ([low, high] as const) : ([low - 0.05, low + 0.05] as const);
  const bin = (domain[1] - domain[0]) / (iou.edges.length - 1);
  const cell = infinite ? ([domain[1] + bin, domain[1] + 2 * bin] as const) : null;
  const column = columns.uncertainty.replace(/ on the scale .*$/, "");
  const kind = iou.scale === "log" ? logKind(column, domain) : plainKind(column, domain);
  const { ticks, label, title, ...words } = kind;
  return { ...words, domain, cell, axis: axisOf(title, ticks, label, cell) };
}

interface AxisKind extends Pick<UncertaintyAxis, "name" | "per" | "place"> {
  readonly title: string;
  readonly ticks: readonly number[];
  readonly label: string;
}

function logKind(column: string, [low, high]: readonly [number, number]): AxisKind {
  // On this axis an nll is the logarithm of a perplexity, which is what the ticks say.
  const isPerplexity = column === "ppl" || column === "nll";
  const name = isPerplexity ? "perplexity" : column;
  // A widened axis may begin below perplexity 1, where there is none.
  const from = isPerplexity ? Math.max(0, low) : low;
  return {
    name,
    title: column === "nll" ? "perplexity, exp(nll) (log scale)" : `${name} (log scale)`,
    ticks: logTicks(from, high, PANEL_WIDTH).map(Math.log),
    label: "format(exp(datum.value), ',.6~g')",
    per: isPerplexity ? "unit of ln PPL" : `unit of ln ${column}`,
    place: Math.log,
  };
}

function plainKind(column: string, [low, high]: readonly [number, number]): AxisKind {
  const rows = linearRows(low, high);
  return {
    name: column,
    title: column === "nll" ? "nll (nats a token)" : column,
    ticks: rows.reduce((best, row) => (row.length > best.length ? row : best), []),
    label: PLAIN_NUMBER,
    per: `unit of ${column}`,
    place: (value) => value,
  };
}

function axisOf(title: string, ticks: readonly number[], label: string, cell: UncertaintyAxis["cell"]): Spec {
  if (cell === null) return { title, values: ticks, labelExpr: label };
  const middle = (cell[0] + cell[1]) / 2;
  return { title, values: [...ticks, middle], labelExpr: `datum.value > ${cell[0]} ? '∞' : ${label}` };
}

/**
 * Round values between two ends of a log axis: the finest of a few rows of round numbers whose labels keep apart, as
 * 1, 1.2, 1.5, 2, 3, 5, 10.
 *
 * @param low, high natural logarithms of the ends, low < high
 * @param pixels length of the axis
 */
export function logTicks(low: number, high: number, pixels: number): number[] {
  const gap = (MIN_GAP / pixels) * (high - low);
  let best: number[] = [];
  for (const row of roundRows(low, high)) {
    const inside = row.filter((value) => Math.log(value) >= low - 1e-9 && Math.log(value) <= high + 1e-9);
    if (inside.length > MAX_TICKS || !apart(inside, gap)) continue;
    if (inside.length > best.length) best = inside;
  }
  return best;
}

function apart(values: readonly number[], gap: number): boolean {
  return values.every((value, i) => i === 0 || Math.log(value) - Math.log(values[i - 1] as number) >= gap);
}

function roundRows(low: number, high: number): number[][] {
  const decades = Math.max(1, Math.ceil((high - low) / Math.LN10 / 7));
  const first = Math.floor(low / Math.LN10);
  const last = Math.ceil(high / Math.LN10);
  const rows = [[1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 5, 7], [1, 1.2, 1.5, 2, 3, 5, 7]].map((digits, i) =>
    decadeRow(first, last, i === 0 ? decades : 1, digits),
  );
  if (last - first > 3) return rows;
  return [...rows, ...linearRows(Math.exp(low), Math.exp(high))];
}

/** Multiples of 1, 2 and 5 times a power of ten between two ends, from coarse to fine. */
function linearRows(from: number, to: number): number[][] {
  const coarsest = Math.floor(Math.log10(to - from));
  return [coarsest, coarsest - 1].flatMap((exponent) =>
    [5, 2, 1].map((digit) => linearRow(from, to, digit * 10 ** exponent)),
  );
}

function decadeRow(first: number, last: number, stride: number, digits: readonly number[]): number[] {
  const row: number[] = [];
  const start = Math.ceil(first / stride) * stride;
  for (let exponent = start; exponent <= last; exponent += stride)
    for (const digit of digits) row.push(Number(`${digit}e${exponent}`));
  return row;
}

/** Multiples of a step; empty when there are too many to label. */
function linearRow(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step - 1e-9);
  const count = Math.floor(to / step + 1e-9) - first + 1;
  if (count > MAX_TICKS) return [];
  return Array.from({ length: Math.max(0, count) }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}
