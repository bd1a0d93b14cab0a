// Writes rollouts of three synthetic checkpoints of one policy whose true calibration IoU is known:
//   node examples/make-checkpoints.mjs runs   →   runs/base.jsonl runs/grpo.jsonl runs/trust.jsonl
//
// ln PPL is Gaussian with deviation 0.25 for correct and for wrong decisions, the wrong ones d deviations higher. Two such
// Gaussians overlap by OVL = 2 Φ(−d/2), and IoU = OVL / (2 − OVL): d = 1.3256, 0.4460 and 1.2913 give 0.34, 0.70 and 0.35.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PROMPTS = 400;
const ROLLOUTS = 8;
const ACTIONS = ["direct_answer", "tool_call", "request_for_info", "cannot_answer"];

/** Share of correct decisions, mean ln PPL of the correct ones, and how many deviations the wrong ones lie higher. */
const CHECKPOINTS = [
  { name: "base", accuracy: 0.58, level: 1.2, d: 1.3256, iou: 0.34 },
  { name: "grpo", accuracy: 0.72, level: 0.9, d: 0.446, iou: 0.7 },
  { name: "trust", accuracy: 0.81, level: 1.0, d: 1.2913, iou: 0.35 },
];

const folder = process.argv[2] ?? "runs";
mkdirSync(folder, { recursive: true });
for (const [index, checkpoint] of CHECKPOINTS.entries()) {
  writeFileSync(join(folder, `${checkpoint.name}.jsonl`), rollouts(checkpoint, index));
}

function rollouts({ name, accuracy, level, d }, index) {
  const shared = gaussians(20_261_130);
  const own = gaussians(index + 1);
  const lines = [];
  for (let prompt = 0; prompt < PROMPTS; prompt += 1) {
    // Half of the variance belongs to the prompt, so rollouts of one prompt are alike; the marginal law stays Gaussian.
    const difficulty = shared();
    const surprise = shared();
    const gold = ACTIONS[prompt % 4];
    for (let rollout = 0; rollout < ROLLOUTS; rollout += 1) {
      const correct = (difficulty + own()) / Math.SQRT2 < quantile(accuracy);
      const z = (surprise + own()) / Math.SQRT2 + (correct ? 0 : d);
      lines.push(
        JSON.stringify({
          rollout_id: `${name}-${prompt}-${rollout}`,
          group_id: `prompt-${prompt}`,
          checkpoint: name,
          action: correct ? gold : ACTIONS[(prompt + 1 + (rollout % 3)) % 4],
          gt_action: gold,
          ppl: Number(Math.exp(Math.max(0, level + 0.25 * z)).toFixed(6)),
        }),
      );
    }
  }
  return `${lines.join("\n")}\n`;
}

/** Standard normal numbers from a seed: Mulberry32 and the polar form of Box and Muller. */
function gaussians(seed) {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** The normal quantile by bisection on the error function's series: enough digits for a share of correct rows. */
function quantile(p) {
  let low = -6;
  let high = 6;
  for (let i = 0; i < 60; i += 1) {
    const middle = (low + high) / 2;
    if (cdf(middle) < p) low = middle;
    else high = middle;
  }
  return low;
}

function cdf(x) {
  let term = x;
  let sum = x;
  for (let k = 1; k < 200; k += 1) {
    term *= (x * x) / (2 * k + 1);
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}
