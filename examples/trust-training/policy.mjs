import { FEATURES } from "./environment.mjs";

export const ACTIONS = 4;
/** Values that an answer token can have; 0 is the usual word at its place. */
export const WORDS = 16;
const HEAD = ACTIONS * FEATURES;

/**
 * A policy of two linear maps of a context's features, side by side in one vector of parameters: the logits of the
 * four actions, and for each action the log-odds of the usual word in its answer against all other words.
 */
export function newPolicy() {
  const policy = new Float64Array(2 * HEAD);
  for (let k = 0; k < ACTIONS; k += 1) policy[HEAD + k * FEATURES] = -Math.log(WORDS - 1);
  return policy;
}

/** What the policy thinks of a context: probabilities of the actions, and the log-odds of the usual word after each. */
export function outlook(policy, { features }) {
  const actions = new Float64Array(ACTIONS);
  const odds = new Float64Array(ACTIONS);
  for (let k = 0; k < ACTIONS; k += 1) {
    actions[k] = linear(policy, k * FEATURES, features);
    odds[k] = linear(policy, HEAD + k * FEATURES, features);
  }
  const top = Math.max(...actions);
  let sum = 0;
  for (let k = 0; k < ACTIONS; k += 1) {
    actions[k] = Math.exp(actions[k] - top);
    sum += actions[k];
  }
  for (let k = 0; k < ACTIONS; k += 1) actions[k] /= sum;
  return { actions, odds };
}

/** A sampler of responses to a context: an action, then a word at each of `places`, whose ease is added to the log-odds. */
export function sampler({ actions, odds }, places) {
  const answers = new Array(ACTIONS);
  return (uniform) => {
    const action = pick(actions, uniform());
    answers[action] ??= answerOdds(odds[action], places);
    return { action, ...sampleAnswer(answers[action], Math.log(actions[action]), uniform) };
  };
}

/** Probability of the usual word at each place, and the log-probabilities of it and of any other one word. */
function answerOdds(odds, places) {
  const chance = Float64Array.from(places, (ease) => 1 / (1 + Math.exp(-odds - ease)));
  return {
    chance,
    usual: chance.map(Math.log),
    other: chance.map((p) => Math.log((1 - p) / (WORDS - 1))),
  };
}

/**
 * `words` are the values of the answer tokens, `logprobs` those of the action and of each word, `surplus` how many more
 * usual words there are than expected: the derivative of the log-likelihood by the log-odds.
 */
function sampleAnswer({ chance, usual, other }, ofAction, uniform) {
  const words = new Uint8Array(chance.length);
  const logprobs = new Float64Array(chance.length + 1);
  logprobs[0] = ofAction;
  let surplus = 0;
  for (let i = 0; i < chance.length; i += 1) {
    const isUsual = uniform() < chance[i];
    words[i] = isUsual ? 0 : 1 + Math.floor(uniform() * (WORDS - 1));
    logprobs[i + 1] = isUsual ? usual[i] : other[i];
    surplus += (isUsual ? 1 : 0) - chance[i];
  }
  return { words, logprobs, surplus };
}

/**
 * Adds weight · ∇ of a log-likelihood to `gradient`.
 *
 * @param taken for each action how often it was taken
 * @param surplus for each action how many more usual words followed than the policy expects
 */
export function addScore(gradient, { features }, { actions }, { taken, surplus }, weight) {
  const all = taken.reduce((sum, times) => sum + times, 0);
  for (let k = 0; k < ACTIONS; k += 1) {
    const ofAction = weight * (taken[k] - all * actions[k]);
    const ofWords = weight * surplus[k];
    for (let f = 0; f < FEATURES; f += 1) {
      gradient[k * FEATURES + f] += ofAction * features[f];
      gradient[HEAD + k * FEATURES + f] += ofWords * features[f];
    }
  }
}

/** Adam (Kingma & Ba 2015) with its usual constants, climbing. Returns a function that takes a step in place. */
export function adam(policy, rate) {
  const mean = new Float64Array(policy.length);
  const square = new Float64Array(policy.length);
  let step = 0;
  return (gradient) => {
    step += 1;
    for (let i = 0; i < policy.length; i += 1) {
      mean[i] = 0.9 * mean[i] + 0.1 * gradient[i];
      square[i] = 0.999 * square[i] + 0.001 * gradient[i] ** 2;
      const scale = Math.sqrt(square[i] / (1 - 0.999 ** step)) + 1e-8;
      policy[i] += (rate * mean[i]) / (1 - 0.9 ** step) / scale;
    }
  };
}

function linear(policy, at, features) {
  let sum = 0;
  for (let f = 0; f < FEATURES; f += 1) sum += policy[at + f] * features[f];
  return sum;
}

function pick(probabilities, at) {
  let rest = at;
  for (let k = 0; k < probabilities.length - 1; k += 1) {
    rest -= probabilities[k];
    if (rest < 0) return k;
  }
  return probabilities.length - 1;
}
