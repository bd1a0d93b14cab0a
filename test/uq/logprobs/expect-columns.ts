import { expect } from "vitest";
import type { LogProbColumns, Want } from "../../../src/uq/logprobs/log-prob-backend.ts";
import type { OracleRow } from "./oracle.ts";

/** The greatest errors allowed, in nats. */
export interface Tolerance {
  readonly logprob: number;
  readonly entropy: number;
  /** How near two logits must be for their order not to count. 0 = ranks and ids are exact. */
  readonly order?: number;
}

/** Compares every wanted column with the oracle; what was not wanted must be absent. */
export function expectColumns(
  actual: LogProbColumns,
  expected: readonly OracleRow[],
  want: Want,
  tolerance: Tolerance,
): void {
  const { topK = 0 } = want;
  const rows = expected.length;
  const sizes = { logprob: rows, status: rows } as Record<string, number>;
  for (const name of ["entropy", "rank", "argmax"] as const) if (want[name] === true) sizes[name] = rows;
  if (topK > 0) Object.assign(sizes, { topIds: rows * topK, topLogprobs: rows * topK, coveredMass: rows });
  const { counts, ...columns } = actual;
  expect(Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.length]))).toEqual(
    sizes,
  );
  const count = (status: number): number => expected.filter((row) => row.status === status).length;
  expect(counts).toEqual({ scored: count(0), skipped: count(1), notFinite: count(2) });
  const wrong = expected.flatMap((row, index) => wrongCells(actual, row, index, topK, tolerance));
  expect(wrong.slice(0, 5), `${wrong.length} cells differ`).toEqual([]);
}

function wrongCells(
  actual: LogProbColumns,
  row: OracleRow,
  index: number,
  topK: number,
  { logprob, entropy, order = 0 }: Tolerance,
): string[] {
  const wrong: string[] = [];
  const check = (name: string, found: number | undefined, wanted: number, tolerance: number): void => {
    if (found !== undefined && !isNear(found, wanted, tolerance))
      wrong.push(`row ${index}: ${name} ${found}, not ${wanted}`);
  };
  check("status", actual.status[index], row.status, 0);
  check("logprob", actual.logprob[index], row.logprob, logprob);
  check("entropy", actual.entropy?.[index], row.entropy, entropy);
  check("coveredMass", actual.coveredMass?.[index], row.coveredMass, logprob + 1e-12);
  for (let place = 0; place < topK; place++)
    check(
      `topLogprobs[${place}]`,
      actual.topLogprobs?.[index * topK + place],
      row.topLogprobs[place] as number,
      logprob,
    );
  const topIds = actual.topIds?.subarray(index * topK, (index + 1) * topK);
  if (order > 0 && row.status === 0) return [...wrong, ...wrongOrder(actual, row, index, topIds, order)];
  check("rank", actual.rank?.[index], row.rank, 0);
  check("argmax", actual.argmax?.[index], row.argmax, 0);
  topIds?.forEach((id, place) => {
    check(`topIds[${place}]`, id, row.topIds[place] as number, 0);
  });
  return wrong;
}

/** Ranks and ids where logits were computed and so have errors of their own. */
function wrongOrder(
  actual: LogProbColumns,
  row: OracleRow,
  index: number,
  topIds: Int32Array | undefined,
  order: number,
): string[] {
  const wrong: string[] = [];
  const { logits, scale } = row;
  const margin = order / scale;
  const above = (least: number): number => logits.filter((logit) => logit > least).length;
  const rank = actual.rank?.[index];
  if (rank !== undefined && (rank < 1 + above(row.aim + margin) || rank > 1 + above(row.aim - margin)))
    wrong.push(`row ${index}: rank ${rank}, not about ${row.rank}`);
  const argmax = actual.argmax?.[index];
  if (argmax !== undefined && !isNear(logits[argmax] ?? Number.NaN, logits[row.argmax] as number, margin))
    wrong.push(`row ${index}: argmax ${argmax}, not ${row.argmax}`);
  topIds?.forEach((id, place) => {
    const wanted = row.topIds[place] as number;
    const repeated = id >= 0 && topIds.indexOf(id) !== place;
    if (
      repeated ||
      (wanted === -1 ? id !== -1 : !isNear(logits[id] ?? Number.NaN, logits[wanted] as number, margin))
    )
      wrong.push(`row ${index}: topIds[${place}] ${id}, not ${wanted}`);
  });
  return wrong;
}

function isNear(found: number, wanted: number, tolerance: number): boolean {
  if (Number.isNaN(wanted)) return Number.isNaN(found);
  return found === wanted || Math.abs(found - wanted) <= tolerance + 1e-13 * Math.abs(wanted);
}
