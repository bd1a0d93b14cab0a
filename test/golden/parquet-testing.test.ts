import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Data } from "apache-arrow";
import { describe, expect, it } from "vitest";
import type { Column, ColumnKind } from "../../src/data/columns.ts";
import { readParquetFooter } from "../../src/data/parquet/parquet-footer.ts";
import { foundParquetColumns } from "../../src/data/parquet/parquet-schema.ts";
import { readParquetColumns } from "../../src/data/parquet/read-parquet-duckdb.ts";
import { readParquetBatches } from "../../src/data/parquet/read-parquet-wasm.ts";
import { spliceParquet } from "../../src/data/parquet/splice-parquet.ts";
import { createParquetWriter } from "../../src/data/parquet/write-parquet.ts";
import { CalibrantError } from "../../src/errors.ts";
import { arrowRendering, doubleDigits } from "../data/arrow/arrow-plain.ts";
import {
  ADDED,
  addedReward,
  addedStatus,
  collect,
  memorySink,
  PARQUET_TESTING,
  takeAdded,
  temporaryFolder,
} from "../data/parquet/parquet-samples.ts";

/** The renderings of make-parquet-testing.py, which made parquet-testing.json with pyarrow. */
interface ExpectedColumn extends Partial<Record<ColumnKind | "arrow", string>> {
  readonly name: string;
}
type Expected = Readonly<
  Record<string, { readonly rows: number; readonly columns: readonly ExpectedColumn[] }>
>;

const expectations = JSON.parse(
  readFileSync(new URL("./parquet-testing.json", import.meta.url), "utf8"),
) as Expected;
const isThere = existsSync(PARQUET_TESTING);
const files = isThere ? readdirSync(PARQUET_TESTING).filter((file) => file.endsWith(".parquet")) : [];
const known = files.filter((file) => expectations[file] !== undefined);
const folder = temporaryFolder();

/** What DuckDB refuses, and how the message goes on after the file's name. */
const REFUSED_BY_DUCKDB: Readonly<Record<string, RegExp>> = {
  "large_string_map.brotli.parquet": /needs more memory than reading may take/,
};
const REFUSED_BY_WASM: Readonly<Record<string, RegExp>> = {
  "large_string_map.brotli.parquet": /needs more memory than reading may take/,
  "nation.dict-malformed.parquet": /its pages cannot be decoded/,
};

function rendered(values: readonly unknown[]): string {
  const text = JSON.stringify(values);
  if (text.length <= 200) return text;
  return `sha256:${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
}

/** The values of a column in the rendering of its kind. */
function plainColumn(column: Column, rows: number): unknown[] {
  const digits = (value: number): string | null => (Number.isNaN(value) ? null : doubleDigits(value));
  return Array.from({ length: rows }, (_, row) => {
    if (column.kind === "number") return digits(column.values[row] as number);
    if (column.kind === "key") return column.keys[column.codes[row] as number] ?? null;
    if (column.kind === "text") return column.get(row);
    if (column.kind === "json") return plainJson(column.get(row));
    if (column.rowValid?.[row] === 0) return null;
    const [begin, end] = [column.offsets[row] as number, column.offsets[row + 1] as number];
    return Array.from(column.values.slice(begin, end), (value, i) =>
      column.valueValid?.[begin + i] === 0 ? null : doubleDigits(value),
    );
  });
}

function plainJson(value: unknown): unknown {
  if (typeof value === "number" || typeof value === "bigint") return doubleDigits(Number(value));
  if (Array.isArray(value)) return value.map(plainJson);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainJson(inner)]));
}

async function readArrow(path: string): Promise<Map<string, unknown[]>> {
  const columns = new Map<string, unknown[]>();
  for await (const batch of readParquetBatches(path)) {
    batch.schema.fields.forEach(({ name }, i) => {
      const values = columns.get(name) ?? [];
      columns.set(name, values);
      for (let row = 0; row < batch.numRows; row += 1)
        values.push(arrowRendering(batch.data.children[i] as Data, row));
    });
  }
  return columns;
}

function expectArrow(found: ReadonlyMap<string, unknown[]>, file: string): void {
  for (const { name, arrow } of expectations[file]?.columns ?? []) {
    // pyarrow prints a missing value of a column without rows as nothing either.
    expect(rendered(found.get(name) ?? []), name).toBe(arrow);
  }
}

describe.skipIf(!isThere)("the parquet-testing files", () => {
  it("are all accounted for", () => {
    const others = files.filter((file) => expectations[file] === undefined);
    // pyarrow refuses the one for its schema; the other declares a column of 2 GiB.
    expect(others).toEqual(["incorrect_map_schema.parquet", "large_string_map.brotli.parquet"]);
    expect(known.length).toBe(63);
  });

  it.each(known)("%s has the columns and kinds that pyarrow sees", async (file) => {
    const found = await foundParquetColumns(join(PARQUET_TESTING, file));
    const kinds = ["list", "number", "text", "key"] as const;
    const shown = found.map((column) => [column.name, kinds.filter((kind) => column.kinds.includes(kind))]);
    const columns = expectations[file]?.columns ?? [];
    expect(shown).toEqual(
      columns.map((column) => [column.name, kinds.filter((kind) => column[kind] !== undefined)]),
    );
  });

  it.each(known)("%s through DuckDB, by kind", async (file) => {
    const path = join(PARQUET_TESTING, file);
    for (const kind of ["number", "key", "text", "list", "json"] as const) {
      // DuckDB cannot read this one; Arrow's reader, which stands in, has pairs for maps whose keys are not text.
      if (file === "map_no_value.parquet" && kind === "json") continue;
      const columns = (expectations[file]?.columns ?? []).filter((column) => column[kind] !== undefined);
      if (columns.length === 0 && kind !== "number") continue;
      const requests = columns.map(({ name }) => ({ name, kind }));
      const refused = REFUSED_BY_DUCKDB[file];
      if (refused !== undefined) {
        await expect(collect(readParquetColumns(path, requests))).rejects.toThrow(refused);
        continue;
      }
      const found = new Map(requests.map(({ name }) => [name, [] as unknown[]]));
      let rows = 0;
      for await (const batch of readParquetColumns(path, requests)) {
        rows += batch.rows;
        for (const [name, column] of batch.columns) found.get(name)?.push(...plainColumn(column, batch.rows));
      }
      expect(rows).toBe(expectations[file]?.rows);
      for (const column of columns) {
        const values = found.get(column.name) ?? [];
        expect(rendered(values), `${column.name} as ${kind}`).toBe(column[kind]);
      }
    }
  });

  it.each(known)("%s through parquet-wasm, exactly", async (file) => {
    const path = join(PARQUET_TESTING, file);
    const refused = REFUSED_BY_WASM[file];
    if (refused === undefined) expectArrow(await readArrow(path), file);
    else await expect(readArrow(path)).rejects.toThrow(refused);
  });

  it.each(files)("%s keeps its bytes and values when columns are added", async (file) => {
    const path = join(PARQUET_TESTING, file);
    const sink = memorySink();
    await spliceParquet([path], sink, { added: ADDED, take: takeAdded(), note: "x" });
    const { dataEnd, rows } = await readParquetFooter(path);
    const start = readFileSync(path).subarray(0, dataEnd);
    expect(sink.bytes().subarray(0, dataEnd).equals(start)).toBe(true);
    const output = join(folder, file);
    sink.save(output);
    const requests = [
      { name: ADDED[0].name, kind: "number" },
      { name: ADDED[1].name, kind: "text" },
    ] as const;
    {
      const [batch] = await collect(readParquetColumns(output, requests, { rowEnd: 5000 }));
      const [reward, status] = [batch?.columns.get("cal_reward"), batch?.columns.get("cal_status")];
      for (let i = 0; i < Math.min(rows, 5000); i += 1) {
        expect(reward?.kind === "number" && reward.values[i]).toBe(addedReward(i) ?? Number.NaN);
        expect(status?.kind === "text" && status.get(i)).toBe(addedStatus(i));
      }
    }
    if (REFUSED_BY_WASM[file] === undefined) expectArrow(await readArrow(output), file);
  });

  it.each(known.filter((file) => REFUSED_BY_WASM[file] === undefined))(
    "%s keeps its values when it is written anew",
    async (file) => {
      const batches = await collect(readParquetBatches(join(PARQUET_TESTING, file)));
      const [first] = batches;
      if (first === undefined) return;
      const sink = memorySink();
      const writer = await createParquetWriter(sink, first.schema, { maxRowGroupRows: 1000 });
      for (const batch of batches) await writer.write(batch);
      await writer.close();
      sink.save(join(folder, file));
      expectArrow(await readArrow(join(folder, file)), file);
    },
  );

  it("refuses the column of 2 GiB within bounded memory", async () => {
    const path = join(PARQUET_TESTING, "large_string_map.brotli.parquet");
    const before = process.resourceUsage().maxRSS;
    await expect(readArrow(path)).rejects.toThrow(REFUSED_BY_WASM["large_string_map.brotli.parquet"]);
    await expect(collect(readParquetColumns(path, [{ name: "arr", kind: "json" }]))).rejects.toThrow(
      CalibrantError,
    );
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(300 * 1024);
  });

  it("reads the map that pyarrow refuses as its documentation says", async () => {
    const path = join(PARQUET_TESTING, "incorrect_map_schema.parquet");
    expect((await readArrow(path)).get("my_map")).toEqual([
      [
        ["parent", "another"],
        ["name", "report"],
      ],
    ]);
    const [batch] = await collect(readParquetColumns(path, [{ name: "my_map", kind: "json" }]));
    const column = batch?.columns.get("my_map");
    expect(column?.kind === "json" && column.get(0)).toEqual({ name: "report", parent: "another" });
  });
});
