import type { ColumnKind } from "../columns.ts";
import { isNumberList, type RowShape, SEEN } from "./row-shape.ts";

/** The types seen in a column in words, for example `utf8`, `list<double>`, `int | utf8`; `null` when none was. */
export function typeWords(shape: RowShape): string {
  const has = (bits: number): boolean => (shape.seen & bits) !== 0;
  const isNumber = has(SEEN.int | SEEN.float);
  const words: string[] = [];
  // Words such as "NaN" are what stands beside them.
  if (has(SEEN.text) || (has(SEEN.word) && !isNumber)) words.push("utf8");
  if (isNumber) words.push(has(SEEN.float | SEEN.word) ? "double" : "int");
  if (has(SEEN.bool)) words.push("bool");
  if (shape.element !== null) words.push(`list<${typeWords(shape.element)}>`);
  if (has(SEEN.object)) words.push("object");
  return words.length === 0 ? "null" : words.join(" | ");
}

/** The kinds that a column can be read as: those that every type seen allows; all when none was seen. */
export function readableKinds(shape: RowShape): ColumnKind[] {
  const refused = new Set<ColumnKind>();
  for (const [bit, kinds] of REFUSED) {
    if ((shape.seen & bit) !== 0) for (const kind of kinds) refused.add(kind);
  }
  if (shape.element !== null && !isNumberList(shape.element)) refused.add("list");
  return KINDS.filter((kind) => !refused.has(kind));
}

const KINDS: readonly ColumnKind[] = ["number", "text", "key", "list", "json"];

/** The kinds that each type of value rules out. */
const REFUSED: readonly (readonly [number, readonly ColumnKind[]])[] = [
  [SEEN.text, ["number", "list"]],
  [SEEN.word, ["list"]],
  [SEEN.int, ["text", "list"]],
  [SEEN.float, ["text", "key", "list"]],
  [SEEN.bool, ["text", "key", "list"]],
  [SEEN.list, ["number", "text", "key"]],
  [SEEN.object, ["number", "text", "key", "list"]],
];
