import { readFileSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type ParquetFooter,
  parquetFooterOf,
  readParquetFooter,
} from "../../../src/data/parquet/parquet-footer.ts";
import { parquetTail } from "../../../src/data/parquet/parquet-tail.ts";
import { encodeThrift, type ThriftStruct } from "../../../src/data/parquet/thrift-compact.ts";
import {
  longField,
  structsField,
  textField,
  thriftStruct,
  thriftStructs,
  withField,
} from "../../../src/data/parquet/thrift-fields.ts";
import { CalibrantError } from "../../../src/errors.ts";
import { temporaryFolder, writeWithDuckdb } from "./parquet-samples.ts";

const folder = temporaryFolder();
const good = join(folder, "good.parquet");
let footer: ParquetFooter;

beforeAll(async () => {
  await writeWithDuckdb(
    good,
    "select i::bigint as id, 'w' || i % 3 as word, [i::float, null] as list, {'a': i, 'b': [1]} as nested from range(5000) t(i)",
    "row_group_size 2048, compression zstd, kv_metadata {origin: 'here'}",
  );
  footer = await readParquetFooter(good);
});

/** A file of a few data bytes and any footer. */
function withFooter(name: string, struct: ThriftStruct): string {
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat([Buffer.from("PAR1"), Buffer.alloc(100), parquetTail(struct)]));
  return path;
}

function withBytes(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

async function failure(path: string): Promise<string> {
  const error: unknown = await readParquetFooter(path, "f").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CalibrantError);
  return (error as CalibrantError).message;
}

describe("readParquetFooter", () => {
  it("reads rows, row groups, columns and metadata", () => {
    expect(footer.rows).toBe(5000);
    expect(footer.rowGroups.map(({ rows }) => rows)).toEqual([2048, 2048, 904]);
    expect(footer.root.children.map(({ name }) => name)).toEqual(["id", "word", "list", "nested"]);
    expect(footer.leaves.map(({ path }) => path.join("."))).toEqual([
      "id",
      "word",
      "list.list.element",
      "nested.a",
      "nested.b.list.element",
    ]);
    expect(footer.root.children.map(({ firstLeaf, leafCount }) => [firstLeaf, leafCount])).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 2],
    ]);
    expect(footer.keyValues.get("origin")).toBe("here");
    expect(footer.createdBy).toMatch(/^DuckDB/);
    const [first] = footer.rowGroups;
    expect(first?.columns.map(({ codec, values }) => [codec, values])).toEqual([
      ["ZSTD", 2048],
      ["ZSTD", 2048],
      ["ZSTD", 4096],
      ["ZSTD", 2048],
      ["ZSTD", 2048],
    ]);
    expect(first?.columns[0]?.start).toBe(4);
    expect(first?.columns[1]?.hasDictionary).toBe(true);
    expect(first?.columns[1]?.start).toBe(4 + (first?.columns[0]?.compressedSize ?? 0));
    expect(first?.byteSize).toBe(first?.columns.reduce((sum, chunk) => sum + chunk.uncompressedSize, 0));
  });

  it("reads an open file and leaves it open", async () => {
    const handle = await open(good);
    expect((await readParquetFooter(handle)).rows).toBe(5000);
    expect((await handle.stat()).size).toBe(footer.fileSize);
    await handle.close();
  });

  it("reads a footer larger than the first read", async () => {
    const path = join(folder, "wide.parquet");
    const names = Array.from({ length: 2000 }, (_, i) => `i as a_rather_long_column_name_${i}`);
    await writeWithDuckdb(path, `select ${names.join(", ")} from range(3) t(i)`);
    const wide = await readParquetFooter(path);
    expect(wide.fileSize - wide.dataEnd).toBeGreaterThan(1 << 16);
    expect(wide.root.children.at(-1)?.name).toBe("a_rather_long_column_name_1999");
  });

  it("counts rows by row groups when the total is 0", () => {
    const bytes = encodeThrift(withField(footer.thrift, longField(3, 0n)));
    const tail = parquetTail(withField(footer.thrift, longField(3, 0n)));
    const file = Buffer.concat([readFileSync(good).subarray(0, footer.dataEnd), tail]);
    expect(bytes.length).toBe(tail.length - 8);
    expect(parquetFooterOf(file, "f").rows).toBe(5000);
  });

  it("names what is wrong with a file", async () => {
    const bytes = readFileSync(good);
    const magic = Buffer.from("PAR1");
    expect(await failure(join(folder, "absent"))).toMatch(/^cannot read .*absent: ENOENT/);
    expect(await failure(folder)).toMatch(/^f: not a regular file/);
    expect(await failure(withBytes("empty", new Uint8Array(0)))).toBe("f: the file is empty");
    expect(await failure(withBytes("short", magic))).toBe("f: not a Parquet file: only 4 bytes");
    expect(await failure(withBytes("text", Buffer.alloc(100, "x")))).toBe(
      "f: not a Parquet file: it does not begin with PAR1",
    );
    expect(await failure(withBytes("cut", bytes.subarray(0, bytes.length - 1)))).toBe(
      "f: cut short or damaged: it does not end in PAR1",
    );
    const encrypted = Buffer.concat([magic, Buffer.alloc(100), Buffer.from("PARE")]);
    expect(await failure(withBytes("encrypted", encrypted))).toMatch(/^f: encrypted Parquet cannot be read/);
    const beyond = Buffer.concat([magic, Buffer.alloc(50), Buffer.from([255, 255, 255, 0]), magic]);
    expect(await failure(withBytes("beyond", beyond))).toBe("f: footer of 16777215 bytes in a file of 62");
    const garbage = Buffer.concat([magic, Buffer.alloc(50, 0xff), Buffer.from([40, 0, 0, 0]), magic]);
    expect(await failure(withBytes("garbage", garbage))).toMatch(
      /^f: its Parquet footer is malformed Thrift at byte/,
    );
  });

  it("refuses encrypted columns, columns in other files and pages outside of the file", async () => {
    const [group = []] = thriftStructs(footer.thrift, 4) ?? [];
    const [chunk = [], ...others] = thriftStructs(group, 1) ?? [];
    const meta = thriftStruct(chunk, 3) ?? [];
    const withChunk = (changed: ThriftStruct): ThriftStruct =>
      withField(footer.thrift, structsField(4, [withField(group, structsField(1, [changed, ...others]))]));
    const withMeta = (changed: ThriftStruct): ThriftStruct =>
      withChunk(withField(chunk, { id: 3, type: "struct", value: changed }));

    const secret = withFooter("secret", withField(footer.thrift, { id: 8, type: "struct", value: [] }));
    expect(await failure(secret)).toMatch(/encrypted/);
    const column = withFooter("column", withChunk(withField(chunk, { id: 8, type: "struct", value: [] })));
    expect(await failure(column)).toMatch(/encrypted/);
    const elsewhere = withFooter("elsewhere", withChunk(withField(chunk, textField(1, "part-0.parquet"))));
    expect(await failure(elsewhere)).toBe("f: row group 0 keeps its columns in another file, part-0.parquet");
    const far = withFooter("far", withMeta(withField(meta, longField(9, 1n << 40n))));
    expect(await failure(far)).toBe(
      "f: the pages of column id in row group 0 lie outside of the file, at byte 1099511627776",
    );
    const negative = withFooter("negative", withMeta(withField(meta, longField(7, -5n))));
    expect(await failure(negative)).toBe("f: size of column id in row group 0 is -5");
    const fewer = withFooter(
      "fewer",
      withField(footer.thrift, structsField(4, [withField(group, structsField(1, others))])),
    );
    expect(await failure(fewer)).toBe("f: row group 0 has 4 columns, the schema 5");
  });

  it("refuses a schema whose counts do not fit", async () => {
    const elements = thriftStructs(footer.thrift, 2) ?? [];
    const [root = [], ...rest] = elements;
    const counted = (count: number): ThriftStruct =>
      withField(
        footer.thrift,
        structsField(2, [withField(root, { id: 5, type: "i32", value: count }), ...rest]),
      );
    expect(await failure(withFooter("many", counted(1000)))).toMatch(
      /a group has fewer children than it says$/,
    );
    expect(await failure(withFooter("few", counted(3)))).toMatch(/elements follow its root$/);
    const nested = Array.from({ length: 300 }, () => withField(root, { id: 5, type: "i32", value: 1 }));
    expect(await failure(withFooter("deep", withField(footer.thrift, structsField(2, nested))))).toMatch(
      /nesting deeper than 100$/,
    );
  });
});
