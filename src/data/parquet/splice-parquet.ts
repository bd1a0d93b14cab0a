import type { FileHandle } from "node:fs/promises";
import { CalibrantError } from "../../errors.ts";
import type { AppendedColumn } from "../arrow/append-arrow-columns.ts";
import type { ByteSink } from "../byte-sink.ts";
import type { ResultColumn } from "../columns.ts";
import { resultRows } from "../result-rows.ts";
import { checkSameSchema } from "./check-same-schema.ts";
import { createResultColumnEncoder, type EncodedColumn } from "./encode-result-column.ts";
import {
  type BytePlace,
  columnIndexPlace,
  movedChunk,
  movedOffsetIndex,
  movedRowGroup,
  offsetIndexPlace,
  withPageIndex,
} from "./move-parquet-chunk.ts";
import {
  openParquetFile,
  type ParquetFooter,
  type ParquetRowGroup,
  readBytesAt,
  readParquetFooter,
} from "./parquet-footer.ts";
import { addRowGroup, copyChunk, type ParquetOutput, writePart } from "./parquet-output.ts";
import { parquetMagic, parquetTail } from "./parquet-tail.ts";
import { splicedKeyValues } from "./splice-key-values.ts";
import type { ThriftStruct } from "./thrift-compact.ts";
import {
  longField,
  structsField,
  thriftLong,
  thriftNumber,
  thriftStructs,
  withField,
  withoutFields,
} from "./thrift-fields.ts";

/** What {@link spliceParquet} adds. */
export interface SpliceOptions {
  /** The columns to add, in order. */
  readonly added: readonly AppendedColumn[];
  /** The added columns of the next `rows` rows (one row group), in the order of `added`; never asked for 0 rows. */
  readonly take: (rows: number) => readonly ResultColumn[] | Promise<readonly ResultColumn[]>;
  /** The value of the key `calibrant` in the file's key-value metadata. */
  readonly note: string;
}

/** Bytes copied at a time. */
const COPY_BYTES = 1 << 22;

interface Input {
  readonly handle: FileHandle;
  readonly footer: ParquetFooter;
}

/**
 * Joins Parquet files into one with columns added, without decoding them: the data of every input is copied byte for
 * byte (the pages of each column chunk, Bloom filters, page indexes), the added columns follow as column chunks of
 * their own, and a new footer points to all of it. As fast as copying the files; memory is a few copy buffers, the
 * footers, and the added columns of one row group.
 *
 * Row groups stay as they are; empty ones are left out. Readers that know the file by more than its Parquet schema
 * find the new columns too: see `splicedKeyValues`.
 *
 * @param paths - Parquet files of one schema, in the order that their rows get.
 * @returns rows and row groups written.
 * @throws CalibrantError `io` or `data` as `readParquetFooter`; `schema` when the inputs' schemas differ or an
 * added name is already there; `length-mismatch` when `take` returns other columns or lengths than asked for;
 * `missing-package` without parquet-wasm. What comes from the footers is thrown before the first byte is written.
 *
 * @example
 * ```ts
 * import { Int32, Table, vectorFromArray } from "apache-arrow";
 * import { createParquetWriter, foundParquetColumns, openAtomicFile, spliceParquet } from "calibrant/data";
 *
 * const table = new Table({ turn_idx: vectorFromArray([0, 1, 2], new Int32()) });
 * const file = await openAtomicFile("turns.parquet", 1);
 * const writer = await createParquetWriter(file, table.schema);
 * for (const batch of table.batches) await writer.write(batch);
 * await writer.close();
 * await file.commit();
 * const scored = await openAtomicFile("scored.parquet", 1);
 * const take = (rows: number) => [{ name: "reward", type: "float64", values: new Float64Array(rows) }] as const;
 * await spliceParquet(["turns.parquet"], scored, { added: [{ name: "reward", type: "float64" }], take, note: "all 0" });
 * await scored.commit();
 * console.log((await foundParquetColumns("scored.parquet")).map((column) => column.name)); // [ 'turn_idx', 'reward' ]
 * ```
 */
export async function spliceParquet(
  paths: readonly string[],
  sink: ByteSink,
  options: SpliceOptions,
): Promise<{ readonly rows: number; readonly rowGroups: number }> {
  const inputs: Input[] = [];
  try {
    for (const path of paths) {
      const handle = await openParquetFile(path);
      inputs.push({ handle, footer: await footerOrClose(handle, path) });
    }
    return await splice(inputs, sink, options);
  } finally {
    for (const { handle } of inputs) await handle.close();
  }
}

async function footerOrClose(handle: FileHandle, path: string): Promise<ParquetFooter> {
  try {
    return await readParquetFooter(handle, path);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function splice(
  inputs: readonly Input[],
  sink: ByteSink,
  options: SpliceOptions,
): Promise<{ rows: number; rowGroups: number }> {
  const { added, take } = options;
  const first = inputs[0]?.footer;
  if (first === undefined)
    throw new CalibrantError("usage", "a splice needs at least one Parquet file, got none");
  for (const { footer } of inputs) checkInput(first, footer, added);
  const encode = await createResultColumnEncoder();
  const output: ParquetOutput = { sink, base: sink.position, rowGroups: [] };
  const elements = added.map((column) => encode(emptyLike(column)).elements);
  await sink.write(parquetMagic());
  for (const input of inputs) {
    const moved = await copyData(input, output);
    for (const group of input.footer.rowGroups) {
      const columns = moved.get(group);
      if (columns === undefined) continue;
      const encoded = checkTaken(await take(group.rows), added, group.rows).map(encode);
      await addColumns(group, columns, encoded, output);
    }
  }
  const footers = inputs.map(({ footer }) => footer);
  await sink.write(parquetTail(await fileMetaData(footers, elements, output, options)));
  return { rows: rowsOf(footers), rowGroups: output.rowGroups.length };
}

function checkInput(first: ParquetFooter, footer: ParquetFooter, added: readonly AppendedColumn[]): void {
  checkSameSchema(first, footer);
  const names = new Set(footer.root.children.map((node) => node.name));
  for (const { name } of added) {
    if (names.has(name)) {
      const message = `${footer.name}: a column that would be added is already there, drop or rename it first: ${name}`;
      throw new CalibrantError("schema", message, { name, file: footer.name });
    }
    names.add(name);
  }
}

/** One row, so that the encoder yields the column's schema element even for files without rows. */
function emptyLike({ name, type }: AppendedColumn): ResultColumn {
  if (type === "float64") return { name, type, values: new Float64Array(1) };
  if (type === "utf8") return { name, type, codes: new Int32Array(1), dictionary: [""] };
  const offsets = Int32Array.of(0, 1);
  return type === "list<float64>"
    ? { name, type, values: new Float64Array(1), offsets }
    : { name, type, values: new Int32Array(1), offsets };
}

/** The columns of a row group in their new place, with the row group itself moved. */
interface MovedGroup {
  readonly group: ThriftStruct;
  readonly columns: readonly ThriftStruct[];
}

/**
 * Copies everything between the magic and the footer, so that all offsets move by one distance (0 for the first
 * file), then writes the offset indexes anew where that distance is not 0, because they hold absolute offsets.
 */
async function copyData(
  { handle, footer }: Input,
  output: ParquetOutput,
): Promise<Map<ParquetRowGroup, MovedGroup>> {
  const { sink, base } = output;
  const start = parquetMagic().length;
  const by = sink.position - base - start;
  for (let at = start; at < footer.dataEnd; at += COPY_BYTES) {
    await sink.write(await readBytesAt(handle, at, Math.min(COPY_BYTES, footer.dataEnd - at), footer.name));
  }
  const groups = new Map<ParquetRowGroup, MovedGroup>();
  for (const group of footer.rowGroups) {
    if (group.rows === 0) continue;
    const columns: ThriftStruct[] = [];
    for (const { thrift } of group.columns) {
      const chunk = movedChunk(thrift, by);
      const index = by === 0 ? undefined : offsetIndexPlace(thrift);
      if (index === undefined) columns.push(chunk);
      else {
        if (index.start + index.length > footer.dataEnd) throw indexOutside(footer.name, index);
        const bytes = movedOffsetIndex(
          await readBytesAt(handle, index.start, index.length, footer.name),
          by,
          footer.name,
        );
        const offsetIndex = await writePart(output, bytes);
        columns.push(withPageIndex(chunk, { offsetIndex, columnIndex: columnIndexPlace(chunk) }));
      }
    }
    groups.set(group, { group: movedRowGroup(group.thrift, by), columns });
  }
  return groups;
}

function checkTaken(
  columns: readonly ResultColumn[],
  added: readonly AppendedColumn[],
  rows: number,
): readonly ResultColumn[] {
  const found = columns
    .map((column) => `${column.name} (${column.type}, ${resultRows(column)} rows)`)
    .join(", ");
  const expected = added.map((column) => `${column.name} (${column.type}, ${rows} rows)`).join(", ");
  if (found === expected) return columns;
  throw new CalibrantError("length-mismatch", `added columns must be ${expected}; got ${found}`, { rows });
}

async function addColumns(
  { byteSize, compressedSize, columns: old }: ParquetRowGroup,
  moved: MovedGroup,
  encoded: readonly EncodedColumn[],
  output: ParquetOutput,
): Promise<void> {
  // Some readers expect a page index on all columns of a row group or on none.
  const withIndex = old.length > 0 && old.every(({ thrift }) => offsetIndexPlace(thrift) !== undefined);
  const columns = [...moved.columns];
  for (const { file, chunk } of encoded) columns.push(await copyChunk(output, file, chunk, withIndex));
  const bytes = encoded.reduce((sum, { chunk }) => sum + chunk.uncompressedSize, byteSize);
  const compressed = encoded.reduce((sum, { chunk }) => sum + chunk.compressedSize, compressedSize);
  const group = withField(withField(moved.group, structsField(1, columns)), longField(2, BigInt(bytes)));
  const isCounted = thriftLong(group, 6) !== undefined;
  addRowGroup(output, isCounted ? withField(group, longField(6, BigInt(compressed))) : group);
}

async function fileMetaData(
  footers: readonly ParquetFooter[],
  elements: readonly (readonly ThriftStruct[])[],
  output: ParquetOutput,
  { added, note }: SpliceOptions,
): Promise<ThriftStruct> {
  const first = footers[0] as ParquetFooter;
  // Readers work around faults of old parquet-mr files when they see that name, which does no harm to other files.
  const named = footers.find(({ createdBy }) => createdBy?.startsWith("parquet-mr")) ?? first;
  let struct = withoutFields(first.thrift, [6, 7]);
  struct = withField(struct, { id: 1, type: "i32", value: Math.max(...footers.map(versionOf)) });
  struct = withField(struct, structsField(2, extendedSchema(first.thrift, elements)));
  struct = withField(struct, longField(3, BigInt(rowsOf(footers))));
  struct = withField(struct, structsField(4, output.rowGroups));
  struct = withField(struct, structsField(5, await splicedKeyValues(first, added, note)));
  const createdBy = named.thrift.find(({ id }) => id === 6);
  if (createdBy !== undefined) struct = withField(struct, createdBy);
  const orders = sharedColumnOrders(footers);
  if (orders === undefined) return struct;
  // TYPE_ORDER, for each added column.
  const typeOrder: ThriftStruct = [{ id: 1, type: "struct", value: [] }];
  return withField(struct, structsField(7, [...orders, ...elements.map(() => typeOrder)]));
}

function versionOf(footer: ParquetFooter): number {
  return thriftNumber(footer.thrift, 1) ?? 1;
}

function rowsOf(footers: readonly ParquetFooter[]): number {
  return footers.reduce((sum, { rows }) => sum + rows, 0);
}

function extendedSchema(
  thrift: ThriftStruct,
  elements: readonly (readonly ThriftStruct[])[],
): ThriftStruct[] {
  const [root = [], ...rest] = thriftStructs(thrift, 2) ?? [];
  const count = (thriftNumber(root, 5) ?? 0) + elements.length;
  return [withField(root, { id: 5, type: "i32", value: count }), ...rest, ...elements.flat()];
}

/** The order in which minima and maxima are meant; without it they are ignored, so it counts only when files agree. */
function sharedColumnOrders(footers: readonly ParquetFooter[]): readonly ThriftStruct[] | undefined {
  const orders = footers.map(({ thrift }) => thriftStructs(thrift, 7));
  const [first, ...others] = orders;
  if (first === undefined) return undefined;
  const text = orderText(first);
  return others.every((other) => other !== undefined && orderText(other) === text) ? first : undefined;
}

function orderText(orders: readonly ThriftStruct[]): string {
  return orders.map((order) => order.map(({ id }) => id).join()).join(";");
}

function indexOutside(name: string, index: BytePlace): CalibrantError {
  return new CalibrantError(
    "data",
    `${name}: a page index lies outside of the file, at byte ${index.start}`,
    { name },
  );
}
