/**
 * The experiment. `contexts` are numbers of decision points, `base` says what the corpus is like (see `basePolicy`),
 * `tokens` are the answer tokens of a response, `group` its rollouts, `batch` the contexts of a step, `rate` Adam's; `std`,
 * `tau` and `answer` are options of the package. Held-out decisions are sampled `perContext` times every `every` steps.
 */
export const SETTINGS = {
  contexts: { corpus: 400, train: 256, heldOut: 400 },
  base: { accuracy: 0.65, usualRight: 0.92, usualWrong: 0.84, difficulty: 0.75, steps: 200, rate: 0.05 },
  tokens: 24,
  group: 8,
  batch: 32,
  steps: 150,
  every: 10,
  rate: 0.002,
  std: "sample",
  tau: 0.1,
  answer: "auto",
  perContext: 8,
};

export const SEEDS = 12;

/** The same with one thing changed, over the first seeds. */
export const VARIATIONS = [
  { name: "advantages not divided by the deviation", change: { std: "none" } },
  { name: "τ = 0.5", change: { tau: 0.5 } },
  { name: "8 answer tokens", change: { tokens: 8 } },
  { name: "4 rollouts a group", change: { group: 4 } },
  { name: "learning rate 0.005", change: { rate: 0.005 } },
  { name: "without R_ans", change: { answer: "off" } },
];

export const VARIATION_SEEDS = 8;
