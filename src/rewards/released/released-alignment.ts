import type { Action } from "../../types.ts";
import { pythonJsonText } from "./python-json.ts";
import { pythonStrip } from "./python-text.ts";
import { allowedNames, type ReleasedCall, readReleasedCall } from "./released-call.ts";
import { lowerTokens, type ReleasedTokens, releasedTokens, tokensF1 } from "./released-f1.ts";

/**
 * How well an answer matches a reference by the released rules, in [0, 1], unrounded.
 *
 * @param predAction null gives 0
 * @param answer as read from the response; null or blank gives 0
 */
export type ReleasedAligner = (predAction: Action | null, answer: string | null) => number;

/**
 * Prepares a reference that answers are compared with: what is needed of it is read once, when it is needed. A direct answer
 * is compared by `releasedF1`; so is a request if it is a question, and an inability if it is a refusal and no question; calls are
 * compared by name and arguments, half each, and a name that `tools` does not list gives 0.
 *
 * @param chosenResponse the reference; anything but text, and blank text, gives 0
 * @param tools counts only as a list of objects, or JSON text of objects, with a `name`
 *
 * @example
 * ```ts
 * import { createReleasedAligner } from "calibrant/rewards";
 * const align = createReleasedAligner("Paris is the capital.");
 * console.log(align("direct_answer", "Paris"), align("cannot_answer", "Paris")); // 0.4 0
 * ```
 */
export function createReleasedAligner(chosenResponse: unknown, tools?: unknown): ReleasedAligner {
  const wanted = typeof chosenResponse === "string" ? pythonStrip(chosenResponse) : "";
  const tokensOf = once(() => releasedTokens(wanted));
  const callOf = once(() => wantedCall(wanted, tools));
  const compareWords = (lower: string): number => tokensF1(lowerTokens(lower), tokensOf());
  return (predAction, answer) => {
    const given = pythonStrip(answer ?? "");
    if (given === "" || wanted === "") return 0;
    switch (predAction) {
      case "direct_answer":
        return compareWords(given.toLowerCase());
      case "tool_call":
        return callAlignment(readReleasedCall(given), callOf());
      case "request_for_info": {
        const lower = given.toLowerCase();
        return isQuestion(lower) ? compareWords(lower) : 0;
      }
      case "cannot_answer": {
        const lower = given.toLowerCase();
        return REFUSAL.test(lower) && !isQuestion(lower) ? compareWords(lower) : 0;
      }
      case null:
        return 0;
    }
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The reference's call: its name, the tokens of its arguments, whether it has none, and the names that are allowed. */
interface WantedCall {
  readonly name: string;
  readonly tokens: ReleasedTokens;
  readonly isBare: boolean;
  readonly allowed: ReadonlySet<string> | null;
}

function wantedCall(wanted: string, tools: unknown): WantedCall {
  const call = readReleasedCall(wanted);
  return {
    name: call.name,
    tokens: releasedTokens(pythonJsonText(call.arguments)),
    isBare: call.arguments.size === 0,
    allowed: allowedNames(tools),
  };
}

function callAlignment(given: ReleasedCall, wanted: WantedCall): number {
  if (given.name === "") return 0;
  if (wanted.allowed !== null && !wanted.allowed.has(given.name)) return 0;
  return 0.5 * (given.name === wanted.name ? 1 : 0) + 0.5 * argumentAlignment(given, wanted);
}

function argumentAlignment(given: ReleasedCall, wanted: WantedCall): number {
  // The text of no arguments, `{}`, holds no token, so that the F1 of one bare side is 0.
  if (given.arguments.size === 0 || wanted.isBare) return given.arguments.size === 0 && wanted.isBare ? 1 : 0;
  return tokensF1(releasedTokens(pythonJsonText(given.arguments)), wanted.tokens);
}

const QUESTION = /(?:could|can|would) you|please (?:provide|specify)|(?:what|which|how) /;
const REFUSAL = /unable|cannot|can't|sorry|apologies|i do not have/;

/** Substring tests of a lower-cased text, as published: `show me` holds `how `. */
function isQuestion(lower: string): boolean {
  return lower.includes("?") || QUESTION.test(lower);
}
