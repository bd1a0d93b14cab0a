import type { Data, Dictionary, Int32, Utf8 } from "apache-arrow";
import type { ResultColumn } from "../columns.ts";
import { type ParquetChunk, parquetFooterOf } from "./parquet-footer.ts";
import { type ParquetNode, parquetElements } from "./parquet-tree.ts";
import { callParquetWasm, loadParquetWasm, type ParquetWasm } from "./parquet-wasm-module.ts";
import type { ThriftStruct } from "./thrift-compact.ts";

/** One column of one row group as Parquet pages. */
export interface EncodedColumn {
  /** A Parquet file of this column alone; `chunk` points into it. */
  readonly file: Uint8Array;
  readonly chunk: ParquetChunk;
  /** The column's SchemaElements: one, or those of a list and what is in it. */
  readonly elements: readonly ThriftStruct[];
}

type Arrow = typeof import("apache-arrow");
type ResultData = typeof import("../arrow/append-arrow-columns.ts")["resultData"];

/**
 * Loads what {@link ResultColumn}s are encoded with and returns the encoder: a column of at least one row to an
 * optional DOUBLE (NaN becomes null), an optional STRING, or an optional LIST of optional numbers, compressed with Snappy: rewards hardly compress, and ZSTD takes five times as long over them.
 *
 * @throws CalibrantError `missing-package` without parquet-wasm.
 */
export async function createResultColumnEncoder(): Promise<(column: ResultColumn) => EncodedColumn> {
  const [wasm, arrow] = await Promise.all([loadParquetWasm(), import("apache-arrow")]);
  const { resultData } = await import("../arrow/append-arrow-columns.ts");
  return (column) => encodeColumn(wasm, arrow, resultData, column);
}

function encodeColumn(
  wasm: ParquetWasm,
  arrow: Arrow,
  resultData: ResultData,
  column: ResultColumn,
): EncodedColumn {
  const data = column.type === "utf8" ? texts(arrow, column) : resultData(column);
  const schema = new arrow.Schema([new arrow.Field(column.name, data.type, true)]);
  const struct = arrow.makeData({
    type: new arrow.Struct(schema.fields),
    length: data.length,
    children: [data],
  });
  const stream = arrow.tableToIPC(new arrow.Table([new arrow.RecordBatch(schema, struct)]), "stream");
  const name = `result column ${column.name}`;
  const file = callParquetWasm(name, () => {
    const properties = new wasm.WriterPropertiesBuilder()
      .setCompression(wasm.Compression.SNAPPY)
      // Rewards mostly differ from row to row: a dictionary of them costs time and space.
      .setDictionaryEnabled(column.type === "utf8")
      .setMaxRowGroupSize(Math.max(1, data.length))
      .build();
    return wasm.writeParquet(wasm.Table.fromIPCStream(stream), properties);
  });
  const footer = parquetFooterOf(file, name);
  const chunk = footer.rowGroups[0]?.columns[0] as ParquetChunk;
  return { file, chunk, elements: parquetElements(footer.root.children[0] as ParquetNode) };
}

function texts(
  arrow: Arrow,
  { codes, dictionary }: Extract<ResultColumn, { type: "utf8" }>,
): Data<Dictionary<Utf8, Int32>> {
  const bitmap = new Uint8Array(Math.ceil(codes.length / 8));
  const filled = new Int32Array(codes.length);
  let nullCount = 0;
  for (let i = 0; i < codes.length; i += 1) {
    const code = codes[i] as number;
    if (code < 0) nullCount += 1;
    else {
      bitmap[i >> 3] = (bitmap[i >> 3] as number) | (1 << (i & 7));
      filled[i] = code;
    }
  }
  const words = dictionary.length > 0 ? [...dictionary] : [""];
  const type = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32());
  const vector = arrow.vectorFromArray(words, new arrow.Utf8());
  return arrow.makeData({
    type,
    data: filled,
    length: codes.length,
    nullCount,
    nullBitmap: bitmap,
    dictionary: vector,
  });
}
