import { drawCount, drawIndex } from "./draw.ts";
import type { FieldMarks } from "./field-marks.ts";
import { ARRAY, isEmpty, type JsonEdit, type JsonTree, OBJECT, STRING } from "./json-tree.ts";

/**
 * Empties one to three fields that decisions hang on: [] {} "". A critical field that holds an identifier stays, and the fields
 * in it take its place. Of a result without any, when none are declared: any field of its two outermost levels.
 */
export function partialEdits(
  tree: JsonTree,
  marks: FieldMarks,
  declared: boolean,
  random: () => number,
): JsonEdit[] {
  let candidates = criticalCandidates(tree, marks, declared);
  if (candidates.length === 0 && !declared) candidates = outerCandidates(tree, marks);
  if (candidates.length === 0) return [];
  const chosen: number[] = [];
  for (let left = drawCount(candidates.length, random); left > 0 && candidates.length > 0; left -= 1) {
    const node = candidates[drawIndex(candidates.length, random)] as number;
    chosen.push(node);
    candidates = candidates.filter((other) => !overlap(tree, node, other));
  }
  return chosen.sort((a, b) => a - b).map((node) => ({ node, token: emptyToken(tree, node) }));
}

function criticalCandidates(tree: JsonTree, marks: FieldMarks, declared: boolean): number[] {
  const candidates: number[] = [];
  // 1 for a critical container that must stay: its members are critical in its place.
  const opened = new Uint8Array(tree.kinds.length);
  for (let node = 0; node < opened.length; node += 1) {
    const inherits = node > 0 && opened[tree.parents[node] as number] === 1;
    // A result that is a list is itself what was asked for.
    const isList = node === 0 && !declared && tree.kinds[0] === ARRAY;
    const isField = tree.keys[node] !== null && marks.critical[node] !== 0;
    const isRoot = node === 0 && tree.kinds[0] === STRING;
    if (canEmpty(tree, marks, node) && (isField || inherits || isList || isRoot)) candidates.push(node);
    else if ((isField || inherits) && marks.protected[node] === 0) opened[node] = 1;
  }
  return candidates;
}

function outerCandidates(tree: JsonTree, marks: FieldMarks): number[] {
  const candidates: number[] = [];
  for (let node = 1; node < tree.kinds.length; node += 1) {
    const parent = tree.parents[node] as number;
    const isOuter = parent === 0 || tree.parents[parent] === 0;
    if (isOuter && tree.keys[node] !== null && canEmpty(tree, marks, node)) candidates.push(node);
  }
  return candidates;
}

function canEmpty(tree: JsonTree, marks: FieldMarks, node: number): boolean {
  const kind = tree.kinds[node];
  if (kind !== OBJECT && kind !== ARRAY && kind !== STRING) return false;
  return marks.holdsProtected[node] === 0 && tree.hidden?.[node] !== 1 && !isEmpty(tree, node);
}

function emptyToken(tree: JsonTree, node: number): string {
  if (tree.kinds[node] === STRING) return '""';
  return tree.kinds[node] === ARRAY ? "[]" : "{}";
}

function overlap(tree: JsonTree, a: number, b: number): boolean {
  return a <= b ? b < (tree.ends[a] as number) : a < (tree.ends[b] as number);
}
