import { CalibrantError } from "../../errors.ts";
import { SILENT_FAULTS, type SilentFault } from "../fault-kinds.ts";
import type { ResultChange } from "../injection-record.ts";
import { type CorruptionRules, checkCorruptionRules } from "./corruption-rules.ts";
import { factualEdits } from "./factual-error.ts";
import { type FieldMarks, markFields } from "./field-marks.ts";
import { type JsonEdit, type JsonTree, pointerTo } from "./json-tree.ts";
import { partialEdits } from "./partial-result.ts";
import { staleEdits } from "./stale-result.ts";
import { treeOfText } from "./tree-of-text.ts";
import { treeOfValue } from "./tree-of-value.ts";

/** What {@link corruptResult} returns. */
export interface CorruptedResult {
  /** Of the same type as the input: JSON text for JSON text. Parts without a change are the input's own. */
  readonly value: unknown;
  /** In document order; empty when the result holds nothing that the fault may change. */
  readonly changes: readonly ResultChange[];
}

/**
 * Changes a tool's result as a silent fault of Bench2Robust does (arXiv 2608.11977, Table 6), and says what it changed. The
 * result keeps its JSON shape; fields that are identifiers or codes are neither changed nor removed; the input is not touched.
 *
 * - `partial` empties one to three fields that decisions hang on: `[]`, `{}`, `""`.
 * - `stale` moves one state field back along its lifecycle by one or more stages.
 * - `factual_error` moves one to three numbers by 10 to 25 %, up or down; integers stay integers.
 *
 * A text that holds a JSON object or array stays text, and all of it but the changed values stays as it is written. Other text
 * is emptied by `partial`, whatever it mentions, unless it is an identifier; of it `factual_error` changes a number with a decimal point, and nothing
 * else is changed. With the same value, fault, rules and random numbers the answer is the same.
 *
 * @param value - JSON-like data, or text.
 * @param random - numbers in [0, 1); not called when nothing can be changed.
 * @throws CalibrantError `option` for a fault that is not silent, and for rules that {@link checkCorruptionRules} refuses.
 *
 * @example
 * ```ts
 * import { corruptResult } from "calibrant/recovery";
 * const order = '{"order_id": "#W1", "status": "delivered", "total": 50.00}';
 * const stale = corruptResult(order, "stale", () => 0);
 * console.log(stale.value); // {"order_id": "#W1", "status": "pending", "total": 50.00}
 * console.log(stale.changes); // [ { pointer: '/status', before: 'delivered', after: 'pending' } ]
 * ```
 */
export function corruptResult(
  value: unknown,
  fault: SilentFault,
  random: () => number,
  rules: CorruptionRules = {},
): CorruptedResult {
  checkCorruptionRules(rules);
  if (!SILENT_FAULTS.includes(fault))
    throw new CalibrantError("option", `fault must be ${SILENT_FAULTS.join(", ")}, got ${String(fault)}`, {
      fault,
    });
  return corruptByRules(value, fault, random, rules);
}

/** {@link corruptResult} with rules that were checked before. */
export function corruptByRules(
  value: unknown,
  fault: SilentFault,
  random: () => number,
  rules: CorruptionRules,
): CorruptedResult {
  const text = typeof value === "string" ? treeOfText(value, fault === "factual_error") : null;
  const tree = text ?? treeOfValue(value);
  const marks = markFields(tree, rules);
  const edits = editsOf(tree, marks, fault, random, rules, text !== null);
  if (edits.length === 0) return { value, changes: [] };
  const changes = edits.map(({ node, token }) => ({
    pointer: pointerTo(tree, node),
    before: tree.value(node),
    after: tree.valueOf(node, token),
  }));
  return { value: tree.edited(edits), changes };
}

function editsOf(
  tree: JsonTree,
  marks: FieldMarks,
  fault: SilentFault,
  random: () => number,
  rules: CorruptionRules,
  isText: boolean,
): JsonEdit[] {
  if (fault === "stale") return staleEdits(tree, marks, rules.lifecycles, random);
  if (fault === "factual_error") return factualEdits(tree, marks, !isText, random);
  return partialEdits(tree, marks, rules.criticalFields !== undefined, random);
}
