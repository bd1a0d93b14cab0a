import { callKey, hasReadableArguments } from "../data/calls/call-key.ts";
import { canonicalJson } from "../data/calls/canonical-json.ts";
import { maxAssignment } from "../math/assignment.ts";
import type { GoldAction, ToolCall } from "../types.ts";

/**
 * How many gold actions an episode's calls match, as multisets: the largest number of pairs in which every call and
 * every gold action occurs at most once (a maximum matching, so the order of neither matters).
 *
 * A call matches a gold action when the names are equal and so are the arguments as canonical JSON; `compareArgs` of the
 * gold action limits which arguments must be equal (`[]` = the name alone). An argument that one side lacks is not
 * equal. Arguments that are raw text (broken JSON) match nothing.
 *
 * @example
 * ```ts
 * import { matchActions } from "calibrant/rewards";
 * const gold = [{ name: "transfer", arguments: { summary: "lost card" }, compareArgs: [] }];
 * console.log(matchActions([{ name: "transfer", arguments: { summary: "card is gone" } }], gold)); // 1
 * ```
 */
export function matchActions(calls: readonly ToolCall[], gold: readonly GoldAction[]): number {
  const readable = calls.filter(hasReadableArguments);
  const required = gold.filter(hasReadableArguments);
  if (readable.length === 0 || required.length === 0) return 0;
  // Without compareArgs matching is equality of keys, an equivalence: counting is the maximum.
  if (required.every((action) => action.compareArgs === undefined)) return countEqual(readable, required);
  const weights = new Float64Array(required.length * readable.length);
  required.forEach((action, row) => {
    const key = comparedKey(action, action.compareArgs);
    readable.forEach((call, column) => {
      const matches = call.name === action.name && comparedKey(call, action.compareArgs) === key;
      weights[row * readable.length + column] = matches ? 1 : 0;
    });
  });
  return maxAssignment(weights, required.length, readable.length).total;
}

function countEqual(calls: readonly ToolCall[], gold: readonly ToolCall[]): number {
  const unmatched = new Map<string, number>();
  for (const action of gold) {
    const key = callKey(action);
    unmatched.set(key, (unmatched.get(key) ?? 0) + 1);
  }
  let matched = 0;
  for (const call of calls) {
    const key = callKey(call);
    const count = unmatched.get(key) ?? 0;
    if (count === 0) continue;
    unmatched.set(key, count - 1);
    matched += 1;
  }
  return matched;
}

/** The arguments of a call that count, as canonical JSON. */
function comparedKey(call: ToolCall, compareArgs: readonly string[] | undefined): string {
  if (compareArgs === undefined || typeof call.arguments === "string") return canonicalJson(call.arguments);
  return canonicalJson(
    Object.fromEntries(Object.entries(call.arguments).filter(([name]) => compareArgs.includes(name))),
  );
}
