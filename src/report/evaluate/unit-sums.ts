import { binConfidence } from "../../metrics/confidence-bins.ts";
import { uniformEdges } from "../../metrics/confidence-edges.ts";
import { type CellLayout, SCALAR } from "./cell-layout.ts";
import { RESIDUAL_CELLS } from "./smoothing-kernel.ts";
import type { SliceRows } from "./split-rows.ts";

/** The sums of every resampling unit of a slice, zeros left out: unit u has `values[starts[u]] … values[starts[u + 1] - 1]`. */
export interface UnitSums {
  readonly units: number;
  readonly starts: Int32Array;
  /** Which sum of the layout each value belongs to. */
  readonly cells: Int32Array;
  readonly values: Float64Array;
  readonly layout: CellLayout;
}

/**
 * Sums rows by resampling unit.
 *
 * @param unitOf unit of each cluster, `(clusters)`; units are numbered anew from 0 in order of their number
 * @param units units in all; with `keep` all of them are kept, so that two slices resample the same ones
 */
export function unitSums(
  rows: SliceRows,
  layout: CellLayout,
  unitOf: Int32Array,
  units: number,
  keep: "present" | "all",
): UnitSums {
  const local = localUnits(rows, unitOf, units, keep);
  const { size } = layout.at;
  const dense = new Float64Array(local.count * size);
  addRows(
    rows,
    layout,
    (row) => (local.of[unitOf[rows.cluster[row] as number] as number] as number) * size,
    dense,
  );
  return compress(dense, local.count, layout);
}

interface LocalUnits {
  /** Number of the unit in this slice; -1 when it is not there. */
  readonly of: Int32Array;
  readonly count: number;
}

function localUnits(rows: SliceRows, unitOf: Int32Array, units: number, keep: "present" | "all"): LocalUnits {
  const of = new Int32Array(units).fill(keep === "all" ? 0 : -1);
  if (keep === "present") {
    for (let row = 0; row < rows.rows; row += 1) of[unitOf[rows.cluster[row] as number] as number] = 0;
  }
  let count = 0;
  for (let unit = 0; unit < units; unit += 1) if (of[unit] === 0) of[unit] = count++;
  return { of, count };
}

function addRows(
  rows: SliceRows,
  layout: CellLayout,
  baseOf: (row: number) => number,
  sums: Float64Array,
): void {
  const { at, bins, eceBins, edges, rankEnds } = layout;
  const { x, y, weights, extra } = rows;
  const { confidence = null, reward = null, certainty = null, margin = null } = extra;
  const findCell = cellFinder(edges, bins);
  const confidenceBins = confidence === null ? null : binConfidence(confidence, uniformEdges(eceBins));
  const scalars = at.scalars;
  const add = (place: number, value: number): void => {
    sums[place] = (sums[place] as number) + value;
  };
  for (let row = 0; row < rows.rows; row += 1) {
    const base = baseOf(row);
    const w = weights === null ? 1 : (weights[row] as number);
    const label = y[row] as number;
    const value = x[row] as number;
    if (label >= 0) {
      add(base + scalars + SCALAR.labelled, w);
      if (label === 1) add(base + scalars + SCALAR.right, w);
      if (!Number.isNaN(value)) {
        const wrong = label === 0;
        add(base + (wrong ? at.wrong : at.correct) + findCell(value), w);
        add(base + (wrong ? at.rankWrong : at.rankCorrect) + cellOf(value, rankEnds), w);
      }
      if (confidence !== null) addConfidence(base, row, label, w);
    }
    addMean(base + scalars + SCALAR.rewardWeight, reward, row, w);
    addMean(base + scalars + SCALAR.certaintyWeight, certainty, row, w);
    addMean(base + scalars + SCALAR.marginWeight, margin, row, w);
  }

  function addConfidence(base: number, row: number, label: number, w: number): void {
    const p = (confidence as Float64Array)[row] as number;
    if (Number.isNaN(p)) return;
    const bin = (confidenceBins as Uint16Array)[row] as number;
    add(base + at.eceCount + bin, w);
    add(base + at.eceConfidence + bin, w * p);
    if (label === 1) add(base + at.eceRight + bin, w);
    add(base + at.residual + Math.min(RESIDUAL_CELLS - 1, Math.floor(p * RESIDUAL_CELLS)), w * (label - p));
    add(base + scalars + SCALAR.brier, w * (p - label) * (p - label));
    add(base + scalars + SCALAR.nll, -w * (label === 1 ? Math.log(p) : Math.log1p(-p)));
  }

  function addMean(place: number, values: Float64Array | null, row: number, w: number): void {
    const value = values === null ? Number.NaN : (values[row] as number);
    if (Number.isNaN(value)) return;
    add(place, w);
    add(place + 1, w * value);
  }
}

/** Cell of an axis value: bins are [a, b), finite values outside are in the end bins, infinities in cells of their own. */
function cellFinder(edges: Float64Array, bins: number): (value: number) => number {
  const inner = edges.subarray(1, Math.max(1, edges.length - 1));
  return (value) => {
    if (value === Number.POSITIVE_INFINITY) return bins;
    if (value === Number.NEGATIVE_INFINITY) return bins + 1;
    let low = 0;
    let high = inner.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (value < (inner[middle] as number)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/** Number of ends below the value: a value equal to an end is in its cell. */
function cellOf(value: number, ends: Float64Array): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= (ends[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function compress(dense: Float64Array, units: number, layout: CellLayout): UnitSums {
  const { size } = layout.at;
  let filled = 0;
  for (let i = 0; i < dense.length; i += 1) if (dense[i] !== 0) filled += 1;
  const starts = new Int32Array(units + 1);
  const cells = new Int32Array(filled);
  const values = new Float64Array(filled);
  let at = 0;
  for (let unit = 0; unit < units; unit += 1) {
    for (let cell = 0; cell < size; cell += 1) {
      const value = dense[unit * size + cell] as number;
      if (value === 0) continue;
      cells[at] = cell;
      values[at++] = value;
    }
    starts[unit + 1] = at;
  }
  return { units, starts, cells, values, layout };
}
