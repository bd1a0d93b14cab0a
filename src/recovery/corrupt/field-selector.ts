import { plainName } from "./field-words.ts";
import { ARRAY, type JsonTree } from "./json-tree.ts";

/**
 * Marks the nodes that a list of field names and JSON Pointers means: 1 for each.
 * A name means every member of that name, in any spelling; a pointer may hold `*`.
 *
 * @param wordsOf - the words of a key.
 */
export function selectFields(
  tree: JsonTree,
  fields: readonly string[],
  wordsOf: (key: string) => readonly string[],
): Uint8Array {
  const marks = new Uint8Array(tree.kinds.length);
  const names = new Set(fields.filter((field) => !field.startsWith("/")).map(plainName));
  if (names.size > 0) {
    tree.keys.forEach((key, node) => {
      if (key !== null && names.has(wordsOf(key).join("_") || key)) marks[node] = 1;
    });
  }
  for (const field of fields) {
    if (field.startsWith("/")) for (const node of pointedAt(tree, field)) marks[node] = 1;
  }
  return marks;
}

function pointedAt(tree: JsonTree, pointer: string): readonly number[] {
  let nodes: readonly number[] = [0];
  for (const part of pointer.slice(1).split("/")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    nodes = nodes.flatMap((node) => membersNamed(tree, node, key));
  }
  return nodes;
}

function membersNamed(tree: JsonTree, container: number, key: string): number[] {
  const found: number[] = [];
  const end = tree.ends[container] as number;
  const isArray = tree.kinds[container] === ARRAY;
  let index = 0;
  for (let node = container + 1; node < end; node = tree.ends[node] as number) {
    if (key === "*" || (isArray ? String(index) : tree.keys[node]) === key) found.push(node);
    index += 1;
  }
  return found;
}

/** Extends marks to everything below a marked node, in place; returns them. */
export function withMembers(tree: JsonTree, marks: Uint8Array): Uint8Array {
  for (let node = 1; node < marks.length; node += 1) {
    if (marks[tree.parents[node] as number] === 1) marks[node] = 1;
  }
  return marks;
}
