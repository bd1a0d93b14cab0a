/** What a node is. Numbers that are not finite, booleans, null and everything that is not JSON are `OTHER`. */
export const OBJECT = 0;
export const ARRAY = 1;
export const STRING = 2;
export const NUMBER = 3;
export const OTHER = 4;

/** A new token in place of a node and all below it. */
export interface JsonEdit {
  readonly node: number;
  /** As JSON text. */
  readonly token: string;
}

/**
 * A JSON document as flat lists in document order, (n) entries each: node 0 is the whole, a container stands before its
 * members, and `ends[i]` is the node after the last one below node i. Flat, so that no nesting is too deep.
 */
export interface JsonTree {
  /** {@link OBJECT} to {@link OTHER}. */
  readonly kinds: ArrayLike<number>;
  /** The container of each node; -1 for the whole. */
  readonly parents: ArrayLike<number>;
  readonly ends: ArrayLike<number>;
  /** The key of a member of an object; null for an element of an array and for the whole. */
  readonly keys: readonly (string | null)[];
  /** 1 for a member that a later one with the same key hides from every parser, and for all below it; null = there are none. */
  readonly hidden: Uint8Array | null;
  /** The value of a string, or a number as it is spelled. */
  scalar(node: number): string;
  /** The value of a node, as a copy; integers of a text that a double cannot hold are bigint. */
  value(node: number): unknown;
  /** What stands in place of the node once `token` is there, as a value of the same type. */
  valueOf(node: number, token: string): unknown;
  /** The document with the edits, which are in document order and do not overlap. The tree itself stays. */
  edited(edits: readonly JsonEdit[]): unknown;
}

/** Where a node stands, as a JSON Pointer (RFC 6901); "" for the whole. */
export function pointerTo(tree: JsonTree, node: number): string {
  const parts: string[] = [];
  for (let at = node; at > 0; at = tree.parents[at] as number) {
    const key = tree.keys[at];
    parts.push(
      key === null || key === undefined
        ? String(elementIndex(tree, at))
        : key.replaceAll("~", "~0").replaceAll("/", "~1"),
    );
  }
  return parts
    .reverse()
    .map((part) => `/${part}`)
    .join("");
}

/** The number of a node among the members of its container. */
export function elementIndex(tree: JsonTree, node: number): number {
  let index = 0;
  for (let at = (tree.parents[node] as number) + 1; at < node; at = tree.ends[at] as number) index += 1;
  return index;
}

/** Whether a container has no members, or a string no characters. */
export function isEmpty(tree: JsonTree, node: number): boolean {
  const kind = tree.kinds[node];
  if (kind === STRING) return tree.scalar(node) === "";
  return kind !== OBJECT && kind !== ARRAY ? false : tree.ends[node] === node + 1;
}
