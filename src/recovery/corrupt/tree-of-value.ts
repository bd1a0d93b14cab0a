import {
  ARRAY,
  elementIndex,
  type JsonEdit,
  type JsonTree,
  NUMBER,
  OBJECT,
  OTHER,
  STRING,
} from "./json-tree.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Nodes {
  readonly kinds: number[];
  readonly parents: number[];
  readonly ends: number[];
  readonly keys: (string | null)[];
  readonly values: unknown[];
}

interface Open {
  readonly node: number;
  /** Null for an array. */
  readonly keys: readonly string[] | null;
  readonly length: number;
  next: number;
}

/**
 * The tree of a value. Objects that are not plain, and a container inside of itself, are left as they are. Edits copy the
 * containers on the way to a change; all else is shared with the input.
 */
export function treeOfValue(root: unknown): JsonTree {
  const nodes = flattened(root);
  const { values, ...lists } = nodes;
  const tree: JsonTree = {
    ...lists,
    hidden: null,
    scalar: (node) => String(values[node]),
    value: (node) => copied(nodes, node),
    valueOf: (node, token) => (typeof values[node] === "bigint" ? BigInt(token) : JSON.parse(token)),
    edited: (edits) => withEdits(tree, values, edits),
  };
  return tree;
}

function flattened(root: unknown): Nodes {
  const nodes: Nodes = { kinds: [], parents: [], ends: [], keys: [], values: [] };
  const open: Open[] = [];
  const above = new Set<unknown>();
  let value = root;
  let key: string | null = null;
  for (;;) {
    const kind = above.has(value) ? OTHER : kindOf(value);
    const node = nodes.kinds.length;
    nodes.kinds.push(kind);
    nodes.parents.push(open[open.length - 1]?.node ?? -1);
    nodes.ends.push(node + 1);
    nodes.keys.push(key);
    nodes.values.push(value);
    if (kind === OBJECT || kind === ARRAY) {
      const keys = kind === ARRAY ? null : Object.keys(value as Fields);
      open.push({ node, keys, length: keys?.length ?? (value as readonly unknown[]).length, next: 0 });
      above.add(value);
    }
    let top = open[open.length - 1];
    while (top !== undefined && top.next === top.length) {
      nodes.ends[top.node] = nodes.kinds.length;
      above.delete(nodes.values[top.node]);
      open.pop();
      top = open[open.length - 1];
    }
    if (top === undefined) return nodes;
    key = top.keys === null ? null : (top.keys[top.next] as string);
    const container = nodes.values[top.node];
    value = key === null ? (container as readonly unknown[])[top.next] : (container as Fields)[key];
    top.next += 1;
  }
}

function kindOf(value: unknown): number {
  if (typeof value === "string") return STRING;
  if (typeof value === "bigint") return NUMBER;
  if (typeof value === "number") return Number.isFinite(value) ? NUMBER : OTHER;
  if (value === null || typeof value !== "object") return OTHER;
  if (Array.isArray(value)) return ARRAY;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null ? OBJECT : OTHER;
}

/** A copy of a node, which later changes of the input do not reach. */
function copied(nodes: Nodes, root: number): unknown {
  const copies = new Map<number, unknown>();
  for (let node = root; node < (nodes.ends[root] as number); node += 1) {
    const kind = nodes.kinds[node];
    const copy = kind === OBJECT ? {} : kind === ARRAY ? [] : nodes.values[node];
    if (kind === OBJECT || kind === ARRAY) copies.set(node, copy);
    if (node === root) {
      if (copies.size === 0) return copy;
      continue;
    }
    const container = copies.get(nodes.parents[node] as number) as object;
    if (Array.isArray(container)) container.push(copy);
    else setField(container, nodes.keys[node] as string, copy);
  }
  return copies.get(root);
}

/** A plain assignment of `__proto__` would set the prototype. */
function setField(container: object, key: string, value: unknown): void {
  Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
}

function withEdits(tree: JsonTree, values: readonly unknown[], edits: readonly JsonEdit[]): unknown {
  const fresh = new Map<number, unknown>();
  const freshCopy = (node: number): object => {
    const found = fresh.get(node) as object | undefined;
    if (found !== undefined) return found;
    const copy = shallowCopy(values[node] as object);
    fresh.set(node, copy);
    return copy;
  };
  for (const { node, token } of edits) {
    fresh.set(node, tree.valueOf(node, token));
    for (let at = node; at > 0; at = tree.parents[at] as number) {
      const container = freshCopy(tree.parents[at] as number);
      const key = tree.keys[at];
      if (Array.isArray(container)) container[elementIndex(tree, at)] = fresh.get(at);
      else setField(container, key as string, fresh.get(at));
    }
  }
  return fresh.has(0) ? fresh.get(0) : values[0];
}

function shallowCopy(container: object): object {
  if (Array.isArray(container)) return container.slice();
  return Object.getPrototypeOf(container) === null
    ? Object.assign(Object.create(null), container)
    : { ...container };
}
