import { hasReadableArguments } from "../data/calls/call-key.ts";
import { canonicalJson } from "../data/calls/canonical-json.ts";
import { maxAssignment } from "../math/assignment.ts";
import type { GoldAction, ToolCall } from "../types.ts";

/**
 * Structural agreement of predicted with gold calls, in [0, 1]: the one-to-one assignment of predicted to gold calls
 * with the largest total of {@link callPairAgreement}, divided by the larger number of calls. Independent of the order
 * of the calls; 1 when both sides are empty. O(s² l) for s the smaller and l the larger number of calls.
 */
export function callAgreement(predicted: readonly ToolCall[], gold: readonly GoldAction[]): number {
  const larger = Math.max(predicted.length, gold.length);
  if (larger === 0) return 1;
  const weights = new Float64Array(gold.length * predicted.length);
  gold.forEach((goldCall, row) => {
    const read = createPairReader(goldCall);
    predicted.forEach((call, column) => {
      weights[row * predicted.length + column] = read(call);
    });
  });
  if (weights.length === 1) return weights[0] as number;
  return Math.min(1, maxAssignment(weights, gold.length, predicted.length).total / larger);
}

/**
 * Agreement of one predicted with one gold call, in [0, 1]: 0 unless the names are equal, else the share of arguments
 * with equal values (as canonical JSON) among all argument names of either call, 1 when neither has any. A gold
 * action's `compareArgs` limits which names count. 0 when the arguments of either are raw text (broken JSON).
 */
export function callPairAgreement(predicted: ToolCall, gold: GoldAction): number {
  return createPairReader(gold)(predicted);
}

/** Scores predicted calls against one gold call, whose arguments are written out once. */
function createPairReader(gold: GoldAction): (predicted: ToolCall) => number {
  if (!hasReadableArguments(gold)) return () => 0;
  const counts = gold.compareArgs === undefined ? null : new Set(gold.compareArgs);
  const goldTexts = new Map<string, string>();
  for (const [name, value] of countedEntries(gold.arguments, counts))
    goldTexts.set(name, canonicalJson(value));
  return (predicted) => {
    if (predicted.name !== gold.name || !hasReadableArguments(predicted)) return 0;
    let union = goldTexts.size;
    let equal = 0;
    for (const [name, value] of countedEntries(predicted.arguments, counts)) {
      const goldText = goldTexts.get(name);
      if (goldText === undefined) union += 1;
      else if (canonicalJson(value) === goldText) equal += 1;
    }
    return union === 0 ? 1 : equal / union;
  };
}

function countedEntries(
  args: Readonly<Record<string, unknown>>,
  counts: ReadonlySet<string> | null,
): [string, unknown][] {
  const entries = Object.entries(args);
  return counts === null ? entries : entries.filter(([name]) => counts.has(name));
}
