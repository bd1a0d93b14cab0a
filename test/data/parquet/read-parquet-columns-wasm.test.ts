import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ColumnRequest } from "../../../src/data/columns.ts";
import { readParquetColumnsByWasm } from "../../../src/data/parquet/read-parquet-columns-wasm.ts";
import { readParquetColumns } from "../../../src/data/parquet/read-parquet-duckdb.ts";
import { temporaryFolder, writeWithDuckdb } from "./parquet-samples.ts";

const folder = temporaryFolder();
const file = join(folder, "rows.parquet");

const requests: readonly ColumnRequest[] = [
  { name: "n", kind: "number" },
  { name: "id", kind: "key" },
  { name: "t", kind: "text" },
  { name: "l", kind: "list" },
  { name: "j", kind: "json" },
];

/** All rows of a reader as plain values. */
async function rows(
  reader: typeof readParquetColumns,
  range: { rowStart?: number; rowEnd?: number },
): Promise<unknown[]> {
  const result: unknown[] = [];
  for await (const { rows: count, columns } of reader(file, requests, range)) {
    for (let row = 0; row < count; row += 1) {
      result.push(
        [...columns.values()].map((column) => {
          if (column.kind === "number") return column.values[row];
          if (column.kind === "key") return column.keys[column.codes[row] as number] ?? null;
          if (column.kind !== "list") return column.get(row);
          if (column.rowValid?.[row] === 0) return null;
          const begin = column.offsets[row] as number;
          return Array.from(column.values.slice(begin, column.offsets[row + 1]), (value, i) =>
            column.valueValid?.[begin + i] === 0 ? null : value,
          );
        }),
      );
    }
  }
  return result;
}

describe("readParquetColumnsByWasm", () => {
  it("reads the rows that DuckDB reads, in any range", async () => {
    await writeWithDuckdb(
      file,
      `select case when i % 7 = 0 then null else i / 4 end as n, 9007199254740993 + i // 8 as id,
        case when i % 3 = 0 then null else 'row ' || i end as t,
        case when i % 5 = 0 then null else [i::float, null] end as l, {'a': [i], 'b': 'x'} as j from range(5000) t(i)`,
    );
    const all = await rows(readParquetColumns, {});
    expect(all.length).toBe(5000);
    expect(all[13]).toEqual([3.25, "9007199254740994", "row 13", [13, null], { a: [13], b: "x" }]);
    for (const [rowStart, rowEnd] of [
      [0, 5000],
      [0, 1],
      [2047, 2049],
      [2048, 4096],
      [4999, 9000],
      [100, 100],
    ] as const) {
      expect(await rows(readParquetColumnsByWasm, { rowStart, rowEnd })).toEqual(all.slice(rowStart, rowEnd));
    }
  });
});
