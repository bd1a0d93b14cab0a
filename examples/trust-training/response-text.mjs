import { WORDS } from "./policy.mjs";

/** The four actions by the names that both variants of TRUST know; their letters are A to D. */
export const ACTION_NAMES = ["direct_answer", "tool_call", "request_for_info", "cannot_answer"];

const MOST_TOKENS = 128;

/** Different words at every place, so that an answer token is the usual one or has nothing in common with it. */
const VOCABULARY = Array.from({ length: MOST_TOKENS }, (_, place) =>
  Array.from({ length: WORDS }, (_, value) => `w${place}x${value}`),
);

/**
 * A response as a model would write it, in the format that both variants accept in full.
 *
 * @param words value of each answer token; at most 128
 */
export function responseText(action, words) {
  const name = ACTION_NAMES[action];
  const letter = "ABCD"[action];
  const thought = `source=conversation suggested_action=${name} <${letter}>`;
  return `<think>${thought}</think>${name}<${letter}><answer>${answerText(action, words)}</answer>`;
}

/** The target answer of every action: the usual words. */
export function goldAnswers(tokens) {
  return ACTION_NAMES.map((_, action) => answerText(action, new Uint8Array(tokens)));
}

/** The answer that carries the words, in the form that its action asks for. */
function answerText(action, words) {
  const name = ACTION_NAMES[action];
  if (name === "tool_call") return callText(words);
  let text = VOCABULARY[0][words[0]];
  for (let i = 1; i < words.length; i += 1) text += ` ${VOCABULARY[i][words[i]]}`;
  if (name === "request_for_info") return `Could you tell me ${text}?`;
  return name === "cannot_answer" ? `I cannot ${text}.` : `${text}.`;
}

function callText(words) {
  let fields = `"k0": "${VOCABULARY[0][words[0]]}"`;
  for (let i = 1; i < words.length; i += 1) fields += `, "k${i}": "${VOCABULARY[i][words[i]]}"`;
  return `<tool_call>{"name": "look_up", "arguments": {${fields}}}</tool_call>`;
}
