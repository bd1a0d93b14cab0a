import {
  Binary,
  BinaryView,
  type Data,
  type DataType,
  Dictionary,
  Field,
  Int8,
  LargeBinary,
  LargeUtf8,
  Message,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  tableFromIPC,
  Utf8,
  Utf8View,
  Vector,
} from "apache-arrow";
import { Footer } from "apache-arrow/ipc/metadata/file";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appendArrowColumns, appendedSchema } from "../../../src/data/arrow/append-arrow-columns.ts";
import { arrowMetadata } from "../../../src/data/arrow/arrow-framing.ts";
import { arrowJsonRows } from "../../../src/data/arrow/arrow-json-rows.ts";
import { arrowChunks } from "../../../src/data/arrow/arrow-messages.ts";
import { dataFromKeys } from "../../../src/data/arrow/dictionary-keys.ts";
import { openArrow } from "../../../src/data/arrow/open-arrow.ts";
import { readArrowBatches } from "../../../src/data/arrow/read-arrow-batches.ts";
import { createArrowWriter } from "../../../src/data/arrow/write-arrow.ts";
import type { ByteSink } from "../../../src/data/byte-sink.ts";
import { collect, EXPECTED_ARROW, goldenArrow, inPieces, keptRows } from "../../golden/arrow-files.ts";

interface MemorySink extends ByteSink {
  readonly pieces: Uint8Array[];
}

function memorySink(): MemorySink {
  const pieces: Uint8Array[] = [];
  return {
    pieces,
    async write(bytes) {
      await Promise.resolve();
      pieces.push(bytes.slice());
    },
    get position() {
      return pieces.reduce((length, piece) => length + piece.length, 0);
    },
  };
}

async function read(bytes: Uint8Array): Promise<{ schema: Schema; batches: RecordBatch[] }> {
  const { schema, batches } = await readArrowBatches(inPieces(bytes), "x");
  return { schema, batches: await collect(batches) };
}

async function write(
  schema: Schema,
  batches: readonly RecordBatch[],
  format: "file" | "stream",
): Promise<Uint8Array> {
  const sink = memorySink();
  const writer = createArrowWriter(sink, schema, format);
  for (const batch of batches) await writer.write(batch);
  await writer.close();
  return new Uint8Array(Buffer.concat(sink.pieces));
}

function footerLength(bytes: Uint8Array): number {
  return Buffer.from(bytes).readInt32LE(bytes.length - 10);
}

/** @param codes - taken modulo the number of keys. */
function dictionaryBatch(
  schema: Schema,
  keys: readonly (string | null)[],
  codes: readonly number[],
): RecordBatch {
  const type = schema.fields[0]?.type as Dictionary<DataType, Int8>;
  const data = makeData({
    type,
    length: codes.length,
    data: Int8Array.from(codes, (code) => code % keys.length),
    dictionary: new Vector([dataFromKeys(type.dictionary, keys)]),
  }) as Data;
  const struct = new Struct(schema.fields);
  return new RecordBatch(
    schema,
    makeData({ type: struct, length: codes.length, nullCount: 0, children: [data] }) as never,
  );
}

const FORMATS = ["file", "stream"] as const;
const CASES = Object.keys(EXPECTED_ARROW).flatMap((file) => FORMATS.map((format) => [file, format] as const));

describe("createArrowWriter", () => {
  it.each(CASES)("writes %s again as a %s", async (file, format) => {
    const expected = EXPECTED_ARROW[file];
    const { schema, batches } = await read(goldenArrow(file));
    const metadata = new Map([["calibrant", "scored"]]);
    const columns = [{ name: "reward", type: "float64" }] as const;
    const longer = appendedSchema(schema, columns, metadata);
    const scored = batches.map((batch) =>
      appendArrowColumns(
        batch,
        [{ ...columns[0], values: new Float64Array(batch.numRows).fill(0.5) }],
        longer,
      ),
    );
    const again = await read(await write(longer, scored, format));
    expect(again.batches.map((batch) => batch.numRows)).toEqual(expected?.batches.filter((rows) => rows > 0));
    const rows = again.batches.flatMap(arrowJsonRows).map((row) => row.replace(',"reward":0.5}', "}"));
    expect(keptRows(rows, expected ?? { types: {}, rows: [], batches: [] })).toEqual(expected?.rows);
    expect(again.schema.fields.map(String)).toEqual(longer.fields.map(String));
    expect(again.schema.fields.map((field) => [field.nullable, [...field.metadata]])).toEqual(
      longer.fields.map((field) => [field.nullable, [...field.metadata]]),
    );
    expect([...again.schema.metadata]).toEqual([...longer.metadata]);
  });

  it.each(FORMATS)("writes a %s that apache-arrow reads", async (format) => {
    const { schema, batches } = await read(goldenArrow("rollouts.arrow"));
    const table = tableFromIPC(await write(schema, batches, format));
    expect(table.numRows).toBe(8);
    expect(table.batches.flatMap(arrowJsonRows)).toEqual(EXPECTED_ARROW["rollouts.arrow"]?.rows);
  });

  it.each(FORMATS)("writes the schema of a %s without rows", async (format) => {
    const { schema } = await read(goldenArrow("rollouts.arrow"));
    const again = await read(await write(schema, [], format));
    expect(again.schema.fields.map(String)).toEqual(schema.fields.map(String));
    expect(again.batches).toEqual([]);
  });

  it("counts the nulls of every array, which strict readers check for nested nulls", async () => {
    const { schema, batches } = await read(goldenArrow("nested.arrows"));
    const bytes = await write(schema, batches, "stream");
    for (const { batch } of await collect(arrowChunks(inPieces(bytes), "x"))) {
      const { nodes } = Message.decode(arrowMetadata(batch)).header() as { nodes: { nullCount: number }[] };
      expect(nodes.filter((node) => node.nullCount < 0)).toEqual([]);
    }
  });

  it("writes a dictionary once", async () => {
    const { schema, batches } = await read(goldenArrow("rollouts.arrow"));
    const bytes = Buffer.from(await write(schema, batches, "stream"));
    const at = bytes.indexOf("direct_answer");
    expect(at).toBeGreaterThan(0);
    expect(bytes.indexOf("direct_answer", at + 1)).toBe(-1);
  });

  it("writes equal dictionaries of other origins once", async () => {
    const copies = await Promise.all([1, 2, 3].map(() => read(goldenArrow("rollouts.arrow"))));
    const { schema } = copies[0] as (typeof copies)[0];
    const batches = copies.flatMap((copy) => copy.batches);
    for (const format of FORMATS) {
      const bytes = Buffer.from(await write(schema, batches, format));
      const at = bytes.indexOf("direct_answer");
      expect(bytes.indexOf("direct_answer", at + 1)).toBe(-1);
      expect(tableFromIPC(bytes).batches.flatMap(arrowJsonRows)).toEqual(batches.flatMap(arrowJsonRows));
    }
  });

  it.each(["replaced.arrows", "delta.arrows"])(
    "writes the changing dictionary of %s as one that a file's footer lists whole",
    async (file) => {
      const { schema, batches } = await read(goldenArrow(file));
      const bytes = await write(schema, batches, "file");
      const footer = Footer.decode(bytes.subarray(-10 - footerLength(bytes), -10));
      expect([...footer.dictionaryBatches()].length).toBe(schema.dictionaries.size);
      expect(tableFromIPC(bytes).batches.flatMap(arrowJsonRows)).toEqual(batches.flatMap(arrowJsonRows));
      expect((await read(bytes)).batches.flatMap(arrowJsonRows)).toEqual(batches.flatMap(arrowJsonRows));
    },
  );

  it("writes no parts of dictionaries to a stream, which some readers refuse", async () => {
    const { schema, batches } = await read(goldenArrow("delta.arrows"));
    const bytes = await write(schema, batches, "stream");
    const heads = (await collect((await openArrow(inPieces(bytes), "x")).messages)).map(({ head }) => head);
    expect(heads.filter(({ isDelta }) => isDelta)).toEqual([]);
    expect((await read(bytes)).batches.flatMap(arrowJsonRows)).toEqual(batches.flatMap(arrowJsonRows));
  });

  it("keeps values of any dictionaries, in any order, of any type (law)", async () => {
    const types = [
      new Utf8(),
      new LargeUtf8(),
      new Utf8View(),
      new Binary(),
      new LargeBinary(),
      new BinaryView(),
    ];
    const key = fc.option(
      fc.oneof(fc.constantFrom("a", "b", "c"), fc.string({ maxLength: 20, unit: "binary-ascii" })),
    );
    const part = fc.record({
      keys: fc.array(key, { minLength: 1, maxLength: 6 }),
      codes: fc.array(fc.nat(5), { minLength: 1 }),
    });
    const parts = fc.array(part, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...types),
        parts,
        fc.constantFrom(...FORMATS),
        async (type, drawn, format) => {
          const schema = new Schema([
            new Field("d", new Dictionary<DataType, Int8>(type, new Int8(), 3), true),
          ]);
          const batches = drawn.map(({ keys, codes }) => dictionaryBatch(schema, keys, codes));
          const bytes = await write(schema, batches, format);
          expect((await read(bytes)).batches.flatMap(arrowJsonRows)).toEqual(batches.flatMap(arrowJsonRows));
          expect(tableFromIPC(bytes).batches.flatMap(arrowJsonRows)).toEqual(batches.flatMap(arrowJsonRows));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("refuses a file's dictionary that outgrows its codes, naming column and way out", async () => {
    const schema = new Schema([
      new Field("d", new Dictionary<DataType, Int8>(new Utf8(), new Int8(), 3), true),
    ]);
    const keysOf = (prefix: string): string[] => Array.from({ length: 100 }, (_, i) => prefix + i);
    const batches = [dictionaryBatch(schema, keysOf("a"), [0]), dictionaryBatch(schema, keysOf("b"), [1])];
    await expect(write(schema, batches, "file")).rejects.toThrow(
      expect.objectContaining({
        code: "data",
        message:
          "column d: an Arrow file has one dictionary for all record batches, here too large for its Int8 codes, " +
          "write a stream (.arrows) or Parquet: 200 values",
      }),
    );
    expect((await read(await write(schema, batches, "stream"))).batches.flatMap(arrowJsonRows)).toEqual([
      '{"d":"a0"}',
      '{"d":"b1"}',
    ]);
  });

  it("refuses a batch of another schema instead of ending the output", async () => {
    const { schema, batches } = await read(goldenArrow("rollouts.arrow"));
    const other = await read(goldenArrow("legacy.arrow"));
    await expect(write(schema, [...batches, ...other.batches], "stream")).rejects.toThrow(
      /all record batches of an Arrow file must have the schema .*group_id.*, got .*n: Int16/,
    );
  });

  it("waits for the sink: one batch at a time is in memory", async () => {
    const { schema, batches } = await read(goldenArrow("rollouts.arrow"));
    let open: (() => void) | undefined;
    let taken = 0;
    const sink: ByteSink = {
      write: (bytes) =>
        new Promise((resolve) => {
          taken += bytes.length;
          open = resolve;
        }),
      get position() {
        return taken;
      },
    };
    const writer = createArrowWriter(sink, schema, "stream");
    let done = false;
    const writing = writer.write(batches[0] as RecordBatch).then(() => {
      done = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([done, taken > 0]).toEqual([false, true]);
    open?.();
    await writing;
    expect(done).toBe(true);
  });

  it("hands over large buffers as they are and joins small ones", async () => {
    const { makeTable } = await import("apache-arrow");
    const table = makeTable({ x: new Float64Array(20_000) });
    const seen: Uint8Array[] = [];
    const sink: ByteSink = {
      async write(bytes) {
        seen.push(bytes);
      },
      position: 0,
    };
    const writer = createArrowWriter(sink, table.schema, "file");
    for (const batch of table.batches) await writer.write(batch);
    await writer.close();
    expect(seen.length).toBe(3);
    expect(seen[1]?.buffer).toBe(table.getChild("x")?.data[0]?.values.buffer);
  });
});
