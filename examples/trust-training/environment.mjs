import { gaussians, streamOf, uniforms } from "./random.mjs";

const INPUTS = 8;
const TEACHER_UNITS = 24;
/** Features that the policy sees of a context: a constant and random tanh units. */
export const FEATURES = 49;

/**
 * Decision points of one seed. A context is a Gaussian vector of 8 numbers. Its gold action is what a random network
 * (the teacher) prefers; the policy sees 48 other random features of the same vector, so it can approximate the teacher
 * but not copy it. `difficulty` is standard normal: contexts whose answers are harder to word, whatever the action; `places` says the same of the places of an answer.
 *
 * @returns `corpus` to imitate, `train` to reinforce, `heldOut` to measure: lists of `{ features, gold, difficulty }`; and
 *   `places`, an ease for each of `tokens` places
 */
export function environment(seed, { corpus, train, heldOut }, tokens) {
  const normal = gaussians(uniforms(streamOf(seed, 0)));
  const vector = (length, scale = 1) => Float64Array.from({ length }, () => scale * normal());
  const teacher = network(vector, TEACHER_UNITS, 4);
  const eye = Array.from({ length: FEATURES - 1 }, () => ({
    weights: vector(INPUTS, 0.5),
    shift: normal() / 2,
  }));
  const slope = vector(INPUTS);
  const steepness = Math.sqrt(dot(slope, slope));
  const context = () => {
    const x = vector(INPUTS);
    const seen = eye.map(({ weights, shift }) => Math.tanh(dot(weights, x) + shift));
    return {
      features: Float64Array.from([1, ...seen]),
      gold: largest(teacher(x)),
      difficulty: dot(slope, x) / steepness,
    };
  };
  const contexts = (length) => Array.from({ length }, context);
  return {
    corpus: contexts(corpus),
    train: contexts(train),
    heldOut: contexts(heldOut),
    places: vector(tokens),
  };
}

/** A random network whose outputs are centred over 1,000 contexts, so that no action is gold almost always. */
function network(vector, units, outputs) {
  const hidden = Array.from({ length: units }, () => vector(INPUTS));
  const heads = Array.from({ length: outputs }, () => vector(units));
  const raw = (x) => {
    const activations = hidden.map((weights) => Math.tanh(dot(weights, x)));
    return heads.map((head) => dot(head, activations));
  };
  const sums = new Float64Array(outputs);
  for (let i = 0; i < 1000; i += 1) {
    for (const [k, value] of raw(vector(INPUTS)).entries()) sums[k] += value;
  }
  return (x) => raw(x).map((value, k) => value - sums[k] / 1000);
}

function largest(values) {
  return values.reduce((best, value, i) => (value > values[best] ? i : best), 0);
}

function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i] * b[i];
  return sum;
}
