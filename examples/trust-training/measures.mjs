import { calibrationIou, iouEdges } from "calibrant/uq";

/**
 * What is said of the decisions of every step of runs of one seed. The bins of the IoU are laid once over the decisions
 * of all steps of all runs of the seed, because IoUs over different bins cannot be compared.
 *
 * @param runs for each reward the history that `train` returns
 * @returns for each reward a list of `{ step, iou, nullMean, auroc, accuracy, right, wrong }`, the last two median PPLs
 */
export function measureRuns(runs) {
  const histories = Object.values(runs).flat();
  const edges = iouEdges(pooled(histories, "correct"), pooled(histories, "wrong"));
  return Object.fromEntries(
    Object.entries(runs).map(([reward, history]) => [
      reward,
      history.map((one) => measure(one, edges, history)),
    ]),
  );
}

function measure({ step, correct, wrong }, edges, history) {
  const atEnds = step === 0 || step === history.at(-1).step;
  const { iou, nullMean, auroc } = calibrationIou(correct, wrong, {
    edges,
    resamples: 0,
    permutations: atEnds ? 20 : 0,
  });
  const accuracy = correct.length / (correct.length + wrong.length);
  return { step, iou, nullMean, auroc, accuracy, right: median(correct), wrong: median(wrong) };
}

function pooled(histories, side) {
  return Float64Array.from(histories.flatMap((decisions) => Array.from(decisions[side])));
}

function median(values) {
  const sorted = values.toSorted();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Mean over seeds with its 95 % interval by Student's t. */
export function meanOf(values) {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  const half = T_975[n - 2] * Math.sqrt(variance / n);
  return { mean, low: mean - half, high: mean + half };
}

/** Student's t at 97.5 % for 1 to 15 degrees of freedom. */
const T_975 = [
  12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622, 2.2281, 2.201, 2.1788, 2.1604,
  2.1448, 2.1314,
];
