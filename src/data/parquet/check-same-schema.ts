import { CalibrantError } from "../../errors.ts";
import type { ParquetFooter } from "./parquet-footer.ts";
import { describeParquetType } from "./parquet-schema.ts";
import type { ParquetNode } from "./parquet-tree.ts";
import { encodeThrift } from "./thrift-compact.ts";

/**
 * Makes sure that the column chunks of two files can stand under one schema: every schema element but the root is the
 * same to the byte (name, type, nullability, annotation).
 *
 * @throws CalibrantError `schema` naming both files and the first difference.
 */
export function checkSameSchema(first: ParquetFooter, other: ParquetFooter): void {
  const a = elementsUnder(first.root);
  const b = elementsUnder(other.root);
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const x = a[i];
    const y = b[i];
    if (x !== undefined && y !== undefined && sameElement(x, y)) continue;
    const difference = `${describe(x)} against ${describe(y)}`;
    throw new CalibrantError(
      "schema",
      `${first.name} and ${other.name} differ in their columns and cannot go into one Parquet file: ${difference}`,
      { first: first.name, other: other.name, difference },
    );
  }
}

function elementsUnder(node: ParquetNode): ParquetNode[] {
  return node.children.flatMap((child) => [child, ...elementsUnder(child)]);
}

function sameElement(a: ParquetNode, b: ParquetNode): boolean {
  return Buffer.compare(encodeThrift(a.thrift), encodeThrift(b.thrift)) === 0;
}

function describe(node: ParquetNode | undefined): string {
  if (node === undefined) return "no such column";
  return `column ${node.path.join(".")}: ${node.repetition} ${describeParquetType(node)}`;
}
