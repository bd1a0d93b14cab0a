import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createRowSchema, recordBatchFromRows } from "../../src/data/arrow/rows-to-arrow.ts";
import type { Column, ColumnRequest, RolloutBatch } from "../../src/data/columns.ts";
import { readParquetColumnsByWasm } from "../../src/data/parquet/read-parquet-columns-wasm.ts";
import { readParquetColumns } from "../../src/data/parquet/read-parquet-duckdb.ts";
import { createParquetWriter } from "../../src/data/parquet/write-parquet.ts";
import { seededRandom } from "../../src/math/seeded-random.ts";
import { collect, memorySink, temporaryFolder } from "../data/parquet/parquet-samples.ts";

const folder = temporaryFolder();
const ROWS = 20_000;
const REQUESTS: readonly ColumnRequest[] = [
  { name: "number", kind: "number" },
  { name: "key", kind: "key" },
  { name: "text", kind: "text" },
  { name: "list", kind: "list" },
  { name: "mask", kind: "list" },
  { name: "json", kind: "json" },
];

type Row = Readonly<Record<string, unknown>>;

/**
 * Tells for each row whether it is missing: stretches of rows without one, with some, and of nothing else take turns
 * at random, so that whole chunks of an engine (2,048 rows) and whole row groups lie in each.
 */
function missing(random: () => number): boolean[] {
  const rows: boolean[] = [];
  while (rows.length < ROWS) {
    const share = [0, 0, 0.1, 1][Math.floor(random() * 4)] as number;
    const stretch = 100 + Math.floor(random() * 4000);
    for (let i = 0; i < stretch; i += 1) rows.push(random() < share);
  }
  return rows;
}

function sampleRows(seed: number): Row[] {
  const random = seededRandom(seed);
  const rowNulls = new Map(REQUESTS.map(({ name }) => [name, missing(random)]));
  const elementNulls = new Map(["list", "mask"].map((name) => [name, missing(random)]));
  const list = (name: string, row: number, value: (k: number) => unknown): unknown[] =>
    Array.from({ length: (row * 7) % 4 }, (_, k) =>
      elementNulls.get(name)?.[row] === true && k % 2 === row % 2 ? null : value(k),
    );
  return Array.from({ length: ROWS }, (_, row) => {
    const values: Row = {
      number: row / 3,
      key: `group ${row % 50}${row % 3 === 0 ? " with a name of more than twelve bytes" : ""}`,
      text: row % 5 === 0 ? "" : `text ${row} ${"é".repeat(row % 17)}`,
      list: list("list", row, (k) => -row - k / 4),
      mask: list("mask", row, (k) => (row + k) % 2),
      json: `[{"row":${row}}]`,
    };
    return Object.fromEntries(
      REQUESTS.map(({ name }) => [name, rowNulls.get(name)?.[row] === true ? null : values[name]]),
    );
  });
}

async function writeRows(rows: readonly Row[], path: string, groupRows: number): Promise<void> {
  const builder = createRowSchema();
  builder.add(rows, "rows");
  const schema = builder.finish();
  const sink = memorySink();
  const writer = await createParquetWriter(sink, schema, { maxRowGroupRows: groupRows });
  await writer.write(recordBatchFromRows(rows, schema));
  await writer.close();
  sink.save(path);
}

function valueAt(column: Column | undefined, row: number): unknown {
  if (column === undefined) return "no column";
  if (column.kind === "number") return Number.isNaN(column.values[row]) ? null : column.values[row];
  if (column.kind === "key") return column.keys[column.codes[row] as number] ?? null;
  if (column.kind !== "list") return column.get(row);
  if (column.rowValid?.[row] === 0) return null;
  const [begin, end] = [column.offsets[row] as number, column.offsets[row + 1] as number];
  return Array.from({ length: end - begin }, (_, k) => {
    const value = column.values[begin + k] as number;
    return column.valueValid?.[begin + k] === 0 || Number.isNaN(value) ? null : value;
  });
}

function valuesOf(batches: readonly RolloutBatch[], name: string): unknown[] {
  return batches.flatMap(({ rows, columns }) =>
    Array.from({ length: rows }, (_, row) => valueAt(columns.get(name), row)),
  );
}

const READERS = { DuckDB: readParquetColumns, "parquet-wasm": readParquetColumnsByWasm } as const;
const CASES = [1, 2, 3, 4].flatMap((seed) =>
  [20_000, 5000, 2048].map((groupRows) => [seed, groupRows] as const),
);

describe("nulls in some chunks and row groups, and not in others", () => {
  it.each(CASES)("stay where they are: seed %i, row groups of %i", async (seed, groupRows) => {
    const rows = sampleRows(seed);
    const path = join(folder, `${seed}-${groupRows}.parquet`);
    await writeRows(rows, path, groupRows);
    for (const [reader, read] of Object.entries(READERS)) {
      const batches = await collect(read(path, REQUESTS));
      for (const { name, kind } of REQUESTS) {
        const expected = rows.map((row) => (kind === "json" ? parsed(row[name]) : row[name]));
        const found = valuesOf(batches, name);
        const wrong = expected.findIndex((value, i) => JSON.stringify(value) !== JSON.stringify(found[i]));
        expect([reader, name, found.length, wrong, found[wrong]]).toEqual([
          reader,
          name,
          ROWS,
          -1,
          undefined,
        ]);
      }
    }
  });
});

function parsed(text: unknown): unknown {
  return text === null ? null : JSON.parse(text as string);
}
