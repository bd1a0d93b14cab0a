// One kernel of Calibrant on the arrays of bench/metrics.mjs: node bench/metrics-kernels.mjs TASK PREFIX
import { readFileSync } from "node:fs";
import {
  auroc,
  bootstrapAuroc,
  brierScore,
  calibrationError,
  confusionMatrix,
  f1Scores,
  negativeLogLikelihood,
} from "../dist/metrics/index.js";
import { calibrationIou } from "../dist/uq/index.js";
import { median } from "./measure.mjs";

const [task, prefix] = process.argv.slice(2);

function load(name, Type) {
  const bytes = readFileSync(`${prefix}.${name}`);
  return new Type(bytes.buffer, bytes.byteOffset, bytes.byteLength / Type.BYTES_PER_ELEMENT);
}

const labels = load("labels.u8", Uint8Array);
const scores64 = () => load("scores.f64", Float64Array);

/** Each task: a function that loads, and returns the function that is timed. */
const TASKS = {
  ece: () => {
    const p = scores64();
    return () => calibrationError(p, labels).error;
  },
  auroc64: () => {
    const p = scores64();
    return () => auroc(p, labels).auroc;
  },
  auroc32: () => {
    const p = load("scores.f32", Float32Array);
    return () => auroc(p, labels).auroc;
  },
  f1: () => {
    const truth = load("classes.u8", Uint8Array);
    const predicted = load("predicted.u8", Uint8Array);
    return () => f1Scores(confusionMatrix(truth, predicted, { classes: 4 })).macro;
  },
  brier: () => {
    const p = scores64();
    return () => brierScore(p, labels).brier;
  },
  nll: () => {
    const p = scores64();
    return () => negativeLogLikelihood(p, labels).nll;
  },
  bootstrap: () => {
    const p = scores64().subarray(0, 10_000);
    const y = labels.subarray(0, 10_000);
    return () => bootstrapAuroc(p, y, { resamples: 1000 }).low;
  },
  iou: () => {
    // Perplexities of a million rows, the class by the label.
    const ppl = scores64()
      .subarray(0, 1_000_000)
      .map((p) => 1 / Math.max(p, 1e-6));
    const side = (label) => ppl.filter((_, row) => labels[row] === label);
    const [correct, wrong] = [side(1), side(0)];
    return () => calibrationIou(correct, wrong, { resamples: 1000, permutations: 200 }).iou;
  },
};

const run = TASKS[task]();
let answer = run();
const seconds = [];
for (let round = 0; round < 3; round += 1) {
  const started = performance.now();
  answer = run();
  seconds.push((performance.now() - started) / 1000);
}
const peakMiB = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ seconds: median(seconds), answer, peakMiB }));
