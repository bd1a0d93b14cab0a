// Whether the back end gives on this GPU what float64 gives on the processor.
import { createCudaBackend } from "../../dist/uq/logprobs/cuda-backend.js";
import { createJsBackend } from "../../dist/uq/logprobs/js-backend.js";
import { compare, everything } from "./float64.mjs";
import { hiddenBlock, logitsBlock, repeated } from "./made-up.mjs";

export const TYPES = ["float32", "float16", "bfloat16"];
const LOGPROB_BOUND = 2e-6;
const ENTROPY_BOUND = 1e-5;
/** Of log-probs from hidden states: float32 sums of `width` products, whose errors add up. */
const hiddenBound = (width) => (2e-5 * Math.max(64, width)) / 64;
const TOP = 5;

const LAYOUTS = [
  { gap: 0, offset: 0, temperature: 1 },
  { gap: 1, offset: 1, temperature: 0.7 },
];

const SHAPES = {
  whole: {
    vocabs: [7, 1003, 32000, 151936],
    rows: [1, 4, 64],
    repeats: 8,
    hidden: [64, 1024].flatMap((width) => [4099, 32000].map((vocab) => ({ width, vocab }))),
  },
  quick: { vocabs: [7, 1003], rows: [1, 4, 16], repeats: 2, hidden: [{ width: 64, vocab: 257 }] },
};

/** All checks; each with its worst errors and whether it passed. */
export async function runChecks({ libraries, device, isQuick, hasCublas }) {
  const shapes = isQuick ? SHAPES.quick : SHAPES.whole;
  const js = createJsBackend();
  const cuda = await createCudaBackend({ device, ...libraries });
  try {
    const logits = await checkAllLogits({ js, cuda }, shapes);
    const hidden = hasCublas ? await checkAllHidden({ js, cuda }, shapes) : [];
    return [...logits, ...hidden];
  } finally {
    await cuda.dispose();
    await js.dispose();
  }
}

async function checkAllLogits(backends, { vocabs, rows: rowCounts, repeats }) {
  const results = [];
  for (const type of TYPES)
    for (const vocab of vocabs)
      for (const rows of rowCounts)
        for (const layout of LAYOUTS) {
          // Of few rows the odd ones, of one row a usual one.
          const made = logitsBlock({ type, rows, vocab, ...layout, first: rows === 4 ? 4 : 0 });
          results.push(...(await checkLogits(backends, made, ["host", "device"])));
          if (rows === rowCounts.at(-1) && layout.gap === 0)
            results.push(...(await checkLogits(backends, repeated(made, repeats), ["device"])));
        }
  return results;
}

async function checkLogits({ js, cuda }, { block, targets }, places) {
  const { type, rows, vocab, offset } = block;
  const topK = Math.min(TOP, vocab);
  const expected = await js.score(block, targets, everything(topK));
  const results = [];
  for (const place of places) {
    const data = place === "device" ? cuda.upload(block.data) : block.data;
    const given = { ...block, data };
    const all = compare(await cuda.score(given, targets, everything(topK)), expected, { topK, vocab });
    const plain = compare(await cuda.score(given, targets), expected, { topK: 0, vocab });
    if (place === "device") cuda.free(data);
    const logprob = Math.max(all.logprob, plain.logprob);
    const wrong = all.wrong + plain.wrong;
    const passed = logprob <= LOGPROB_BOUND && all.entropy <= ENTROPY_BOUND && wrong === 0;
    results.push({
      ...{ what: "logits", type, rows, vocab, place, offset, logprob, entropy: all.entropy, wrong, passed },
    });
  }
  return results;
}

async function checkAllHidden({ js, cuda }, { hidden: shapes }) {
  const results = [];
  // The least shape also with weights of other types.
  for (const [at, { width, vocab }] of shapes.entries())
    for (const type of TYPES)
      for (const weightsType of at === 0 ? TYPES : [type]) {
        const made = hiddenBlock({ type, weightsType, rows: 5, width, vocab });
        results.push(...(await checkHidden({ js, cuda }, made)));
      }
  return results;
}

async function checkHidden({ js, cuda }, { hidden, head, targets }) {
  const { type, rows, width } = hidden;
  const { type: weightsType, vocab } = head;
  const bound = hiddenBound(width);
  const expectedK = Math.min(TOP + 3, vocab);
  const expected = await js.scoreHidden(hidden, head, targets, everything(expectedK));
  const results = [];
  for (const place of ["host", "device"]) {
    const isThere = place === "device";
    const data = isThere ? cuda.upload(hidden.data) : hidden.data;
    const weights = isThere ? cuda.upload(head.weights) : head.weights;
    const found = await cuda.scoreHidden({ ...hidden, data }, { ...head, weights }, targets, everything(TOP));
    for (const array of isThere ? [data, weights] : []) cuda.free(array);
    const worst = compare(found, expected, { topK: TOP, expectedK, margin: 2 * bound, vocab });
    const passed = worst.logprob <= bound && worst.entropy <= bound && worst.wrong === 0;
    results.push({ what: "hidden", type, weightsType, rows, width, vocab, place, bound, ...worst, passed });
  }
  return results;
}
