import { CalibrantError } from "../../errors.ts";
import type { ThriftStruct } from "./thrift-compact.ts";
import { thriftNumber, thriftStruct, thriftText } from "./thrift-fields.ts";

/** One element of a Parquet schema, with its children. */
export interface ParquetNode {
  readonly name: string;
  /** Names from the root's child down to here. */
  readonly path: readonly string[];
  readonly repetition: "required" | "optional" | "repeated";
  /** The physical type of a leaf, for example `INT64`; absent for a group. */
  readonly physical?: string;
  readonly children: readonly ParquetNode[];
  /** Position of the first leaf at or under this element among all leaves; with `leafCount` the range of its chunks. */
  readonly firstLeaf: number;
  readonly leafCount: number;
  /** The SchemaElement struct as it is in the file. */
  readonly thrift: ThriftStruct;
}

const PHYSICAL = [
  "BOOLEAN",
  "INT32",
  "INT64",
  "INT96",
  "FLOAT",
  "DOUBLE",
  "BYTE_ARRAY",
  "FIXED_LEN_BYTE_ARRAY",
];
const REPETITION = ["required", "optional", "repeated"] as const;
const MAX_DEPTH = 100;

interface Walk {
  readonly elements: readonly ThriftStruct[];
  readonly file: string;
  next: number;
  leaves: number;
}

/**
 * The tree that a Parquet file's flat list of schema elements describes.
 *
 * @param elements - SchemaElement structs, depth first, the root first.
 * @param file - for error messages.
 * @throws CalibrantError `data` when the counts of children do not fit the list, or it nests deeper than 100.
 */
export function parquetTree(elements: readonly ThriftStruct[], file: string): ParquetNode {
  const walk: Walk = { elements, file, next: 0, leaves: 0 };
  const root = readNode(walk, []);
  if (walk.next !== elements.length)
    throw malformed(file, `${elements.length - walk.next} elements follow its root`);
  return root;
}

function readNode(walk: Walk, parent: readonly string[]): ParquetNode {
  const isRoot = walk.next === 0;
  const thrift = walk.elements[walk.next];
  if (thrift === undefined) throw malformed(walk.file, "a group has fewer children than it says");
  if (parent.length > MAX_DEPTH) throw malformed(walk.file, `nesting deeper than ${MAX_DEPTH}`);
  walk.next += 1;
  const name = thriftText(thrift, 4) ?? "";
  const path = isRoot ? [] : [...parent, name];
  const firstLeaf = walk.leaves;
  const physical = PHYSICAL[thriftNumber(thrift, 1) ?? -1];
  const count = thriftNumber(thrift, 5) ?? 0;
  const children: ParquetNode[] = [];
  if (count > 0) for (let i = 0; i < count; i += 1) children.push(readNode(walk, path));
  else if (!isRoot) {
    if (physical === undefined)
      throw malformed(walk.file, `column ${path.join(".")} has neither type nor children`);
    walk.leaves += 1;
  }
  const repetition = REPETITION[thriftNumber(thrift, 3) ?? 0] ?? "required";
  const base = { name, path, repetition, children, firstLeaf, leafCount: walk.leaves - firstLeaf, thrift };
  return count > 0 || physical === undefined ? base : { ...base, physical };
}

/** The leaves at and under an element, in order: one column chunk each. */
export function parquetLeaves(node: ParquetNode): ParquetNode[] {
  if (node.children.length > 0) return node.children.flatMap(parquetLeaves);
  return node.path.length === 0 ? [] : [node];
}

/** The SchemaElement structs of an element and what is in it, depth first. */
export function parquetElements(node: ParquetNode): ThriftStruct[] {
  return [node.thrift, ...node.children.flatMap(parquetElements)];
}

/** The annotation of an element: the logical type's field number in the LogicalType union, its struct, and the older converted type. */
export function parquetAnnotation(node: ParquetNode): {
  readonly logical: number | undefined;
  readonly detail: ThriftStruct;
  readonly converted: number | undefined;
} {
  const union = thriftStruct(node.thrift, 10);
  const logical = union?.[0]?.id;
  const detail = (logical === undefined ? undefined : thriftStruct(union ?? [], logical)) ?? [];
  return { logical, detail, converted: thriftNumber(node.thrift, 6) };
}

function malformed(file: string, what: string): CalibrantError {
  const shown = what.replace(/\p{Cc}/gu, "\ufffd");
  return new CalibrantError("data", `${file}: its Parquet schema is malformed: ${shown}`, { file });
}
