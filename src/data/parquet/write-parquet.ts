import type { Dictionary, RecordBatch, Schema } from "apache-arrow";
import { CalibrantError } from "../../errors.ts";
import { mapFieldType, relabelled } from "../arrow/map-arrow-type.ts";
import type { ByteSink } from "../byte-sink.ts";
import { movedRowGroup } from "./move-parquet-chunk.ts";
import { type ParquetFooter, parquetFooterOf } from "./parquet-footer.ts";
import { addRowGroup, copyChunk, type ParquetOutput } from "./parquet-output.ts";
import { parquetMagic, parquetTail } from "./parquet-tail.ts";
import { callParquetWasm, loadParquetWasm, type ParquetWasm } from "./parquet-wasm-module.ts";
import { CALIBRANT_KEY, keyValue } from "./splice-key-values.ts";
import type { ThriftStruct } from "./thrift-compact.ts";
import { longField, structsField, thriftStructs, thriftText, withField } from "./thrift-fields.ts";

/** Writes record batches of one schema, one row group in memory at a time. */
export interface ParquetWriter {
  /**
   * Resolves when the sink has taken every row group that the batch completed.
   *
   * @throws CalibrantError `data` when its schema is not the writer's.
   */
  write(batch: RecordBatch): Promise<void>;
  /** Writes the last row group and the footer; without it the file cannot be read. */
  close(): Promise<void>;
}

/** How to write. */
export interface ParquetWriterOptions {
  /** The value of the key `calibrant` in the file's key-value metadata; without it there is none. */
  readonly note?: string;
  /** Rows of a row group, at most. Default 65,536; wide rows make it fewer, about 64 MiB together. */
  readonly maxRowGroupRows?: number;
}

const GROUP_ROWS = 1 << 16;
const GROUP_BYTES = 1 << 26;

type Arrow = typeof import("apache-arrow");

/** Modules that load apache-arrow. */
type Ipc = Pick<typeof import("../arrow/ipc-writable.ts"), "ipcWritable"> &
  Pick<typeof import("../arrow/dictionary-keeper.ts"), "createDictionaryKeeper">;

interface Writer {
  readonly arrow: Arrow;
  readonly ipc: Ipc;
  readonly wasm: ParquetWasm;
  /** Of the file. */
  readonly schema: Schema;
  readonly output: ParquetOutput;
  readonly maxRows: number;
  /** Batches of the row group that is being filled. */
  pending: RecordBatch[];
  rows: number;
  bytes: number;
}

/**
 * A writer of Parquet files with any Arrow types that Parquet has, nested ones included, compressed with ZSTD. Each row
 * group is encoded by parquet-wasm on its own and appended, so memory does not grow with the file.
 *
 * The Arrow schema and its metadata go into the file, so that Arrow readers get the same types back.
 *
 * @param schema - of every batch.
 * @throws CalibrantError `missing-package` without parquet-wasm; `data` when the schema has a type that Parquet has not.
 *
 * @example
 * ```ts
 * import { Int32, Table, vectorFromArray } from "apache-arrow";
 * import { createParquetWriter, foundParquetColumns, openAtomicFile } from "calibrant/data";
 *
 * const table = new Table({ turn_idx: vectorFromArray([0, 1, 2], new Int32()) });
 * const file = await openAtomicFile("turns.parquet", 1);
 * const writer = await createParquetWriter(file, table.schema);
 * for (const batch of table.batches) await writer.write(batch);
 * await writer.close();
 * await file.commit();
 * console.log(await foundParquetColumns("turns.parquet")); // [ { name: 'turn_idx', type: 'int32', kinds: [ 'number', 'key' ] } ]
 * ```
 */
export async function createParquetWriter(
  sink: ByteSink,
  schema: Schema,
  { note, maxRowGroupRows = GROUP_ROWS }: ParquetWriterOptions = {},
): Promise<ParquetWriter> {
  const [arrow, wasm] = await Promise.all([import("apache-arrow"), loadParquetWasm()]);
  const { ipcWritable } = await import("../arrow/ipc-writable.ts");
  const { createDictionaryKeeper } = await import("../arrow/dictionary-keeper.ts");
  const output: ParquetOutput = { sink, base: sink.position, rowGroups: [] };
  const writer: Writer = {
    arrow,
    ipc: { ipcWritable, createDictionaryKeeper },
    wasm,
    schema: fileSchema(arrow, schema),
    output,
    maxRows: maxRowGroupRows,
    pending: [],
    rows: 0,
    bytes: 0,
  };
  const empty = parquetFooterOf(encode(writer, []), "encoded schema");
  let total = 0;
  await sink.write(parquetMagic());
  return {
    async write(batch) {
      if (!arrow.util.compareSchemas(schema, batch.schema)) throw otherSchema(schema, batch.schema);
      total += batch.numRows;
      for (const part of pieces(batch, writer.maxRows)) {
        const piece = ipcWritable(part);
        if (writer.rows + piece.numRows > writer.maxRows) await flush(writer);
        writer.pending.push(piece);
        writer.rows += piece.numRows;
        writer.bytes += byteLength(piece);
        if (writer.rows >= writer.maxRows || writer.bytes >= GROUP_BYTES) await flush(writer);
      }
    },
    async close() {
      await flush(writer);
      await sink.write(parquetTail(fileMetaData(empty, total, output, schema, note)));
    },
  };
}

/**
 * Parquet has no date of 64 bits; its milliseconds are a timestamp there, which keeps the time of day. parquet-wasm cannot
 * write dictionaries of views; their values become plain text or bytes.
 */
function fileSchema(arrow: Arrow, schema: Schema): Schema {
  const { DataType, DateUnit } = arrow;
  const fields = schema.fields.map((field) =>
    mapFieldType(arrow, field, (type) => {
      if (DataType.isDate(type) && type.unit === DateUnit.MILLISECOND) {
        return new arrow.TimestampMillisecond();
      }
      return DataType.isDictionary(type) ? plainDictionary(arrow, type) : undefined;
    }),
  );
  return new arrow.Schema(fields, schema.metadata);
}

function plainDictionary(arrow: Arrow, type: Dictionary): Dictionary | undefined {
  const { dictionary, indices, id, isOrdered } = type;
  if (arrow.DataType.isUtf8View(dictionary)) {
    return new arrow.Dictionary(new arrow.LargeUtf8(), indices, id, isOrdered);
  }
  if (!arrow.DataType.isBinaryView(dictionary)) return undefined;
  return new arrow.Dictionary(new arrow.LargeBinary(), indices, id, isOrdered);
}

/** The batch in parts that fit a row group each. */
function* pieces(batch: RecordBatch, maxRows: number): Generator<RecordBatch> {
  const rows = batch.numRows;
  const share = Math.ceil((rows * GROUP_BYTES) / Math.max(1, byteLength(batch)));
  const step = Math.max(1, Math.min(maxRows, share));
  if (rows > 0 && rows <= step) yield batch;
  else for (let at = 0; at < rows; at += step) yield batch.slice(at, Math.min(rows, at + step));
}

function byteLength(batch: RecordBatch): number {
  return batch.data.children.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

async function flush(writer: Writer): Promise<void> {
  const { pending, rows, output } = writer;
  writer.pending = [];
  writer.rows = 0;
  writer.bytes = 0;
  if (rows === 0) return;
  const file = encode(writer, pending);
  for (const group of parquetFooterOf(file, "encoded row group").rowGroups) {
    const by = output.sink.position - output.base - 4;
    const columns: ThriftStruct[] = [];
    for (const chunk of group.columns) columns.push(await copyChunk(output, file, chunk, true));
    addRowGroup(output, withField(movedRowGroup(group.thrift, by), structsField(1, columns)));
  }
}

/** A Parquet file of these batches as one row group. */
function encode({ arrow, ipc, wasm, schema, maxRows }: Writer, batches: readonly RecordBatch[]): Uint8Array {
  const stream = new arrow.RecordBatchStreamWriter();
  stream.reset(undefined, schema);
  const keeper = ipc.createDictionaryKeeper("replaced");
  for (const { data } of batches) {
    const struct = relabelled(arrow, data, new arrow.Struct(schema.fields)) as RecordBatch["data"];
    stream.write(ipc.ipcWritable(keeper.keep(new arrow.RecordBatch(schema, struct))));
  }
  stream.close();
  const bytes = stream.toUint8Array(true);
  return callParquetWasm("Parquet cannot hold these columns", () => {
    const properties = new wasm.WriterPropertiesBuilder()
      .setCompression(wasm.Compression.ZSTD)
      .setMaxRowGroupSize(maxRows)
      .build();
    return wasm.writeParquet(wasm.Table.fromIPCStream(bytes), properties);
  });
}

function fileMetaData(
  empty: ParquetFooter,
  rows: number,
  { rowGroups }: ParquetOutput,
  schema: Schema,
  note: string | undefined,
): ThriftStruct {
  const own = [...schema.metadata]
    .filter(([key]) => key !== CALIBRANT_KEY)
    .map(([key, value]) => keyValue(key, value));
  const keyValues = [
    ...own,
    ...(thriftStructs(empty.thrift, 5) ?? []).filter(
      (pair) => !schema.metadata.has(thriftText(pair, 1) ?? ""),
    ),
    ...(note === undefined ? [] : [keyValue(CALIBRANT_KEY, note)]),
  ];
  const counted = withField(withField(empty.thrift, longField(3, BigInt(rows))), structsField(4, rowGroups));
  return withField(counted, structsField(5, keyValues));
}

function otherSchema(expected: Schema, found: Schema): CalibrantError {
  const message = `all record batches of a Parquet file must have the schema ${expected}, got ${found}`;
  return new CalibrantError("data", message);
}
