import { isBeyondNoise } from "../../math/beyond-noise.ts";
import { centredInterval } from "../../math/centred-interval.ts";
import { denseCodes } from "../../math/dense-codes.ts";
import { seededRandom } from "../../math/seeded-random.ts";
import type { NumericArray } from "../../types.ts";
import { checkResampling, type IouResamplingOptions } from "./calibration-iou.ts";
import type { IouEdges } from "./iou-edges.ts";
import { edgesOf, estimateIou, type IouMethodOptions, scaleOf } from "./iou-estimate.ts";
import { type BlockRun, blockSampler, type CellSampler, iouOfCells, rowSampler } from "./iou-interval.ts";
import { rankRows } from "./iou-ranks.ts";
import { type IouRows, type IouSide, pooledRows, usableRows } from "./iou-rows.ts";
import { resampledUnits } from "./iou-units.ts";

/** The uncertainties of one run. */
export interface IouRun {
  /** Uncertainties of correct rows, `(n_c)`. */
  readonly correct: NumericArray;
  /** Uncertainties of wrong rows, `(n_w)`. */
  readonly wrong: NumericArray;
  /** Prompt code of each row, whole numbers from 0; the same code in both runs is the same prompt. */
  readonly clusters?: { readonly correct: NumericArray; readonly wrong: NumericArray };
  /** Row weights, not negative. */
  readonly weights?: { readonly correct?: NumericArray; readonly wrong?: NumericArray };
}

/** Options of {@link compareCalibrationIou}: those of the calibration IoU; weights belong to the runs. */
export interface CompareIouOptions extends Omit<IouMethodOptions, "weights">, IouResamplingOptions {}

/** The result of {@link compareCalibrationIou}. */
export interface IouComparison {
  /** IoU of each run on the prompts that both have; NaN when a class is empty. */
  readonly baseline: number;
  readonly candidate: number;
  /** candidate − baseline: negative = the candidate separates right and wrong decisions better. */
  readonly difference: number;
  /** Bootstrap interval of the difference; NaN without resamples or when a class is empty. */
  readonly low: number;
  readonly high: number;
  /** Whether the interval excludes 0; null without an interval, or with fewer than 10 prompts (rows, where unpaired). */
  readonly beyondNoise: boolean | null;
  /** The verdict in words, with the numbers. */
  readonly sentence: string;
  /** Whether the same prompts were resampled for both runs; without clusters the runs are resampled apart. */
  readonly paired: boolean;
  /** Prompts in both runs, which are compared, and in one only, which are left out; 0 where not paired. */
  readonly prompts: {
    readonly shared: number;
    readonly baselineOnly: number;
    readonly candidateOnly: number;
  };
  /** The bins of both IoUs. */
  readonly edges: IouEdges;
  /** `no-shared-prompts`, or `empty`: a run lacks a class. Null when the difference is a number. */
  readonly reason: "empty" | "no-shared-prompts" | null;
}

/**
 * The difference of two runs' calibration IoU on the prompts that both have, and whether it is beyond noise. The bins are laid
 * once over both runs (IoUs of different bins cannot be compared), then whole prompts are resampled for both runs together:
 * a paired cluster bootstrap with fixed edges, its percentiles moved by the bias as in `calibrationIou`. Without
 * `clusters` in both runs all rows are used and the runs are resampled independently.
 *
 * @param baseline rows of the run to compare with
 * @param candidate rows of the other run
 * @throws CalibrantRangeError for a perplexity below 1, a negative weight, a level outside (0, 1).
 * @throws CalibrantError `length-mismatch` for weights or clusters of another length, `option` for a bad option.
 *
 * @example
 * ```ts
 * import { compareCalibrationIou } from "calibrant/uq";
 * const clusters = { correct: [0, 1, 2, 3], wrong: [0, 1, 2, 3] };
 * const result = compareCalibrationIou(
 *   { correct: [1.2, 1.4, 1.3, 1.5], wrong: [1.2, 1.4, 1.3, 1.5], clusters },
 *   { correct: [1.1, 1.2, 1.1, 1.2], wrong: [2.1, 2.2, 2.3, 2.4], clusters },
 * );
 * console.log(result.difference, result.beyondNoise, result.prompts.shared); // -1 null 4
 * ```
 */
export function compareCalibrationIou(
  baseline: IouRun,
  candidate: IouRun,
  options: CompareIouOptions = {},
): IouComparison {
  const { resamples = 1000, level = 0.95, seed = 0 } = options;
  checkResampling(resamples, level, seed);
  const scale = scaleOf(options);
  const both = sharedRows(rowsOfRun(baseline, scale), rowsOfRun(candidate, scale));
  const [base, other] = both.runs;
  const pooled = {
    correct: pooledRows(base.correct, other.correct),
    wrong: pooledRows(base.wrong, other.wrong),
  };
  const edges = edgesOf(rankRows(pooled.correct), rankRows(pooled.wrong), { ...options, scale });
  const measured = both.runs.map((run) => {
    const estimate = estimateIou(rankRows(run.correct), rankRows(run.wrong), { ...options, scale, edges });
    return { ...run, cells: estimate.cells, iou: estimate.iou };
  }) as unknown as readonly [MeasuredRun, MeasuredRun];
  const difference = measured[1].iou - measured[0].iou;
  const replicates = Number.isNaN(difference) ? 0 : resamples;
  const interval = differenceInterval(measured, both.paired, difference, {
    resamples: replicates,
    level,
    seed,
  });
  const reason = !Number.isNaN(difference) ? null : isUnshared(both) ? "no-shared-prompts" : "empty";
  const numbers = { baseline: measured[0].iou, candidate: measured[1].iou, difference, ...interval };
  const beyondNoise = isBeyondNoise({ ...numbers, units: unitsOf(both) });
  const sentence = sentenceOf({ ...numbers, beyondNoise, reason, level });
  return { ...numbers, beyondNoise, sentence, paired: both.paired, prompts: both.prompts, edges, reason };
}

/** Independent units behind the interval: shared prompts, or the rows of the smaller run. */
function unitsOf({ paired, prompts, runs }: SharedRows): number {
  if (paired) return prompts.shared;
  return Math.min(...runs.map(({ correct, wrong }) => correct.values.length + wrong.values.length));
}

interface RunRows {
  readonly correct: IouRows;
  readonly wrong: IouRows;
}

interface MeasuredRun extends BlockRun {
  readonly iou: number;
}

interface SharedRows {
  readonly runs: readonly [RunRows, RunRows];
  readonly paired: boolean;
  readonly prompts: IouComparison["prompts"];
}

function rowsOfRun(run: IouRun, scale: "log" | "identity"): RunRows {
  const rowsOf = (side: IouSide): IouRows =>
    usableRows({
      side,
      values: run[side],
      weights: run.weights?.[side],
      clusters: run.clusters?.[side],
      scale,
    });
  return { correct: rowsOf("correct"), wrong: rowsOf("wrong") };
}

/** The rows of the prompts that both runs have, with their codes renumbered; all rows where a run has no clusters. */
function sharedRows(baseline: RunRows, candidate: RunRows): SharedRows {
  const lists = [baseline.correct, baseline.wrong, candidate.correct, candidate.wrong];
  const clusters = lists.map((rows) => rows.clusters);
  if (clusters.some((codes) => codes === null)) {
    const prompts = { shared: 0, baselineOnly: 0, candidateOnly: 0 };
    return { runs: [baseline, candidate], paired: false, prompts };
  }
  const { codes, count } = denseCodes(clusters as NumericArray[]);
  const seen = new Uint8Array(count);
  codes.forEach((list, index) => {
    for (let i = 0; i < list.length; i++)
      seen[list[i] as number] = (seen[list[i] as number] as number) | (index < 2 ? 1 : 2);
  });
  const prompts = { shared: 0, baselineOnly: 0, candidateOnly: 0 };
  for (let code = 0; code < count; code++) {
    if (seen[code] === 3) prompts.shared += 1;
    else if (seen[code] === 1) prompts.baselineOnly += 1;
    else prompts.candidateOnly += 1;
  }
  const kept = lists.map((rows, index) => rowsSeenTwice(rows, codes[index] as Int32Array, seen));
  const [a, b, c, d] = kept as [IouRows, IouRows, IouRows, IouRows];
  return {
    runs: [
      { correct: a, wrong: b },
      { correct: c, wrong: d },
    ],
    paired: true,
    prompts,
  };
}

function rowsSeenTwice(rows: IouRows, codes: Int32Array, seen: Uint8Array): IouRows {
  const isShared = (_value: number, index: number): boolean => seen[codes[index] as number] === 3;
  return {
    values: (rows.values as Float64Array).filter(isShared),
    weights: rows.weights?.filter(isShared) ?? null,
    clusters: codes.filter(isShared),
    excluded: rows.excluded,
  };
}

function isUnshared({ paired, prompts }: SharedRows): boolean {
  return paired && prompts.shared === 0;
}

function differenceInterval(
  runs: readonly [MeasuredRun, MeasuredRun],
  paired: boolean,
  difference: number,
  { resamples, level, seed }: Required<IouResamplingOptions>,
): { low: number; high: number } {
  const none = { low: Number.NaN, high: Number.NaN };
  if (resamples === 0) return none;
  const [base, other] = runs;
  const sizes = runs.map((run) => 2 * run.cells.correct.length) as [number, number];
  const cells = new Float64Array(sizes[0] + sizes[1]);
  const draw = paired ? pairedSampler(runs, seed) : separateSampler(runs, sizes[0], seed);
  const replicates = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) {
    draw(cells);
    replicates[i] = iouOfCells(other.cells, cells, sizes[0]) - iouOfCells(base.cells, cells);
  }
  return centredInterval(difference, replicates, level, { low: -1, high: 1 });
}

function pairedSampler(runs: readonly [MeasuredRun, MeasuredRun], seed: number): CellSampler {
  const random = seededRandom(seed);
  const units = resampledUnits(
    runs.flatMap((run) => [run.correct, run.wrong]),
    random,
  );
  return blockSampler(runs, units, random);
}

function separateSampler(
  runs: readonly [MeasuredRun, MeasuredRun],
  split: number,
  seed: number,
): CellSampler {
  const random = seededRandom(seed);
  const [first, second] = runs.map((run): CellSampler => {
    const lists = [run.correct, run.wrong];
    const single = lists.every((rows) => rows.weights === null && rows.clusters === null);
    return single
      ? rowSampler(run.cells, random)
      : blockSampler([run], resampledUnits(lists, random), random);
  }) as [CellSampler, CellSampler];
  return (cells) => {
    first(cells.subarray(0, split));
    second(cells.subarray(split));
  };
}

interface Verdict {
  readonly baseline: number;
  readonly candidate: number;
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  readonly beyondNoise: boolean | null;
  readonly reason: IouComparison["reason"];
  readonly level: number;
}

function sentenceOf(verdict: Verdict): string {
  const { baseline, candidate, difference, low, high, beyondNoise, reason, level } = verdict;
  if (reason === "no-shared-prompts")
    return "The runs share no prompt, so their calibration IoU cannot be compared.";
  if (reason === "empty")
    return "A run lacks correct or wrong rows, so the calibration IoU cannot be compared.";
  const change = `The calibration IoU goes from ${baseline.toFixed(3)} to ${candidate.toFixed(3)}, a difference of ${signed(difference)}`;
  if (Number.isNaN(low)) return `${change}, without an interval.`;
  const interval = `${change} (${Number((100 * level).toFixed(6))} % interval ${signed(low)} to ${signed(high)})`;
  if (beyondNoise === null) return `${interval}: too few independent units to judge.`;
  if (!beyondNoise) return `${interval}: not beyond noise.`;
  const direction = difference < 0 ? "better" : "worse";
  return `${interval}: beyond noise, the candidate separates right and wrong decisions ${direction}.`;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}
