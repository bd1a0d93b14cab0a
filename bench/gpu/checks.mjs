// Whether the back end gives on this GPU what float64 gives on the processor.
import { openCudaBackend } from "../../dist/uq/logprobs/cuda/open-cuda-backend.js";
import { gaussian, scoreRow, store, valuesOf } from "./float64.mjs";

const TYPES = ["float32", "float16", "bfloat16"];
const LOGPROB_BOUND = 2e-6;
const ENTROPY_BOUND = 1e-5;
const HIDDEN_BOUND = 2e-4;
const EVERYTHING = { entropy: true, rank: true, argmax: true };

/** All checks; each with its worst errors and whether it passed. */
export async function runChecks({ driver, cublas, device, isSmall }) {
  const results = [];
  const vocabs = isSmall ? [1, 7, 1003, 4099] : [1, 7, 8, 1003, 4099, 32000, 50257, 151936];
  for (const partCount of [1, 7, null]) {
    const backend = await openCudaBackend({ device, memoryBytes: 2 ** 31, driver, cublas, partCount });
    try {
      for (const type of TYPES)
        for (const vocab of vocabs)
          for (const place of ["host", "device"])
            for (const offset of [0, 1])
              results.push(await checkLogits(backend, { type, vocab, place, offset, partCount }));
      if (partCount === null)
        for (const shape of hiddenShapes(isSmall))
          for (const type of TYPES)
            for (const weightsType of TYPES)
              results.push(await checkHidden(backend, { ...shape, type, weightsType }));
    } finally {
      await backend.dispose();
    }
  }
  return results;
}

/** Rows that are usual, ordered, masked, skipped, and no distribution. */
async function checkLogits(backend, { type, vocab, place, offset, partCount }) {
  const rows = 6;
  const normal = gaussian(vocab + offset);
  const rowStride = vocab + offset;
  const values = Array.from({ length: offset + rows * rowStride }, (_, at) => {
    const row = Math.floor((at - offset) / rowStride);
    const id = (at - offset) % rowStride;
    if (row === 1) return (24 * id) / vocab - 12 + normal();
    if (row === 2 && id % 3 === 1) return Number.NEGATIVE_INFINITY;
    if (row === 4 && id === vocab - 1) return Number.NaN;
    return -2 + 2.5 * normal() + (id === Math.floor(vocab / 3) ? 13 : 0);
  });
  const data = store(type, values);
  const numbers = valuesOf(type, data);
  const targets = Int32Array.from({ length: rows }, (_, row) => (row === 3 ? -100 : (row * 7919) % vocab));
  const temperature = 0.8;
  const given = place === "device" ? backend.upload(data) : data;
  const block = { data: given, type, rows, vocab, rowStride, offset, temperature };
  const columns = await backend.score(block, targets, { ...EVERYTHING, topK: Math.min(3, vocab) });
  const plain = await backend.score(block, targets);
  if (place === "device") backend.free(given);
  const worst = { logprob: 0, entropy: 0, wrong: 0 };
  for (let row = 0; row < rows; row++) {
    const start = offset + row * rowStride;
    const expected =
      row === 3 ? null : scoreRow(numbers.subarray(start, start + vocab), targets[row], 1 / temperature);
    const status = row === 3 ? 1 : expected === null ? 2 : 0;
    if (columns.status[row] !== status || plain.status[row] !== status) worst.wrong++;
    if (expected === null) continue;
    worst.logprob = Math.max(
      worst.logprob,
      errorOf(columns.logprob[row], expected.logprob),
      errorOf(plain.logprob[row], expected.logprob),
    );
    worst.entropy = Math.max(worst.entropy, errorOf(columns.entropy[row], expected.entropy));
    if (columns.rank[row] !== expected.rank || columns.argmax[row] !== expected.argmax) worst.wrong++;
    if (columns.topIds[row * Math.min(3, vocab)] !== expected.argmax) worst.wrong++;
  }
  const passed = worst.logprob <= LOGPROB_BOUND && worst.entropy <= ENTROPY_BOUND && worst.wrong === 0;
  return { what: "logits", type, vocab, place, offset, parts: partCount ?? "auto", ...worst, passed };
}

function hiddenShapes(isSmall) {
  return isSmall
    ? [{ rows: 3, width: 16, vocab: 257 }]
    : [
        { rows: 5, width: 64, vocab: 1003 },
        { rows: 2, width: 1024, vocab: 32000 },
      ];
}

async function checkHidden(backend, { rows, width, vocab, type, weightsType }) {
  const normal = gaussian(rows * width);
  const hidden = store(type, Float64Array.from({ length: rows * width }, normal));
  const spread = 2 / Math.sqrt(width);
  const weights = store(
    weightsType,
    Float64Array.from({ length: vocab * width }, () => spread * normal()),
  );
  const bias = Float32Array.from({ length: vocab }, (_, id) => Math.sin(id));
  const targets = Int32Array.from({ length: rows }, (_, row) => (row * 7919) % vocab);
  const columns = await backend.scoreHidden(
    { data: hidden, type, rows, width },
    { weights, type: weightsType, vocab, width, bias },
    targets,
    { entropy: true },
  );
  const states = valuesOf(type, hidden);
  const layer = valuesOf(weightsType, weights);
  const worst = { logprob: 0, entropy: 0, wrong: 0 };
  for (let row = 0; row < rows; row++) {
    const logits = Float64Array.from({ length: vocab }, (_, id) => {
      let sum = bias[id];
      for (let i = 0; i < width; i++) sum += states[row * width + i] * layer[id * width + i];
      return sum;
    });
    const expected = scoreRow(logits, targets[row], 1);
    worst.logprob = Math.max(worst.logprob, errorOf(columns.logprob[row], expected.logprob));
    worst.entropy = Math.max(worst.entropy, errorOf(columns.entropy[row], expected.entropy));
  }
  const passed = worst.logprob <= HIDDEN_BOUND && worst.entropy <= HIDDEN_BOUND;
  return { what: "hidden", type, weightsType, rows, width, vocab, ...worst, passed };
}

/** NaN and infinities where others are expected count as an infinite error. */
function errorOf(found, expected) {
  if (found === expected) return 0;
  const error = Math.abs(found - expected);
  return Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
}
