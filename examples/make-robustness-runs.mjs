// Writes synthetic rollouts for `calibrant robustness`: three systems, two subsets, three conditions, five seeds.
//   node examples/make-robustness-runs.mjs robustness-runs.jsonl
//
// Every task has a difficulty, so a task that passes clean passes more often under injection too; each injected episode met
// one to three faults. The rates are near those of Bench2Robust's Table 2, but every number here is made up.
import { writeFileSync } from "node:fs";

const SYSTEMS = [
  { model: "4b", clean: 0.64, injected: 0.2, injected_alt: 0.32, tokens: 80_000 },
  { model: "4b+btm", clean: 0.65, injected: 0.37, injected_alt: 0.44, tokens: 110_000 },
  { model: "4b+rl+btm", clean: 0.64, injected: 0.41, injected_alt: 0.46, tokens: 112_000 },
];
const SUBSETS = [
  { subset: "retail", tasks: 60, shift: 0.05 },
  { subset: "airline", tasks: 40, shift: -0.05 },
];
const CONDITIONS = ["clean", "injected", "injected_alt"];
/** The chances of the nine faults (Table 7). */
const FAULTS = [
  ["timeout", 6],
  ["rate_limit", 5],
  ["server_error", 5],
  ["malformed_response", 4],
  ["auth_error", 3],
  ["schema_drift", 3],
  ["partial", 5],
  ["stale", 4],
  ["factual_error", 5],
];
const SEEDS = [1, 2, 3, 4, 5];

const uniform = uniformNumbers(20_260_811);
const lines = [];
for (const { subset, tasks, shift } of SUBSETS) {
  for (let task = 0; task < tasks; task += 1) {
    const difficulty = uniform();
    for (const system of SYSTEMS) {
      for (const condition of CONDITIONS) {
        for (const seed of SEEDS)
          lines.push(JSON.stringify(episode(system, condition, difficulty)(subset, task, seed, shift)));
      }
    }
  }
}
writeFileSync(process.argv[2] ?? "robustness-runs.jsonl", `${lines.join("\n")}\n`);

function episode(system, condition, difficulty) {
  return (subset, task, seed, shift) => {
    // Half of the chance belongs to the task, half to the episode.
    const completed = (difficulty + uniform()) / 2 < threshold(system[condition] + shift);
    const injected = condition !== "clean";
    return {
      model: system.model,
      subset,
      condition,
      task_id: `${subset}-${task}`,
      seed,
      completed,
      ...(injected && { fault_types: faults(), p_clean: 0.6, budget: 5, k_max: 2 }),
      turns: 8 + Math.floor(8 * uniform()),
      tokens: Math.round(system.tokens * (0.6 + 0.8 * uniform())),
    };
  };
}

/** The point below which the mean of two uniform numbers lies with probability p. */
function threshold(p) {
  return p < 0.5 ? Math.sqrt(p / 2) : 1 - Math.sqrt((1 - p) / 2);
}

function faults() {
  const found = new Set();
  const calls = 1 + Math.floor(3 * uniform());
  for (let call = 0; call < calls; call += 1) found.add(fault());
  return [...found];
}

function fault() {
  let rest = uniform() * FAULTS.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of FAULTS) {
    rest -= weight;
    if (rest < 0) return name;
  }
  return "factual_error";
}

/** Mulberry32. */
function uniformNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
