import { Data, DataType, RecordBatch } from "apache-arrow";
import { plainViews } from "./plain-views.ts";

/**
 * The same batch in a form that apache-arrow writes to IPC rightly, which it does not for
 *
 * - arrays of the null type: it loses their null count when it slices them, and strict readers refuse the result;
 * - views (`utf8_view`, `binary_view`) of a sliced array: it skips the slice's offset twice.
 *
 * Views of a small part of their bytes get bytes of their own. Everything else keeps its memory.
 */
export function ipcWritable(batch: RecordBatch): RecordBatch {
  if (!batch.data.children.some((data) => needsRebuild(data))) return batch;
  const data = rebuilt(batch.data) as RecordBatch["data"];
  return new RecordBatch(batch.schema, data, batch.metadata);
}

/** {@link ipcWritable} for one array, for instance the values of a dictionary. */
export function ipcWritableData(data: Data): Data {
  return needsRebuild(data) ? rebuilt(data) : data;
}

function needsRebuild(data: Data): boolean {
  const { type, children } = data;
  if (DataType.isNull(type) || isView(data)) return true;
  return children.some((child) => needsRebuild(child));
}

function isView({ type }: Data): boolean {
  return DataType.isUtf8View(type) || DataType.isBinaryView(type);
}

function rebuilt(data: Data): Data {
  if (DataType.isNull(data.type)) return nullData(data);
  if (isView(data)) return plainViews(data);
  if (!needsRebuild(data)) return data;
  const { valueOffsets, children } = rebased(data);
  const buffers = [valueOffsets, data.values, data.nullBitmap, data.typeIds] as never;
  const parts = children.map((child) => rebuilt(child));
  return new Data(data.type, data.offset, data.length, data.nullCount, buffers, parts) as Data;
}

/** A bitmap without a set bit is what the count is found from, also after a slice. */
function nullData({ type, offset, length }: Data): Data {
  const bitmap = new Uint8Array(Math.ceil((offset + length) / 8) + 1);
  return new Data(type, offset, length, length, [undefined, undefined, bitmap]) as Data;
}

/** Offsets that begin at 0: the writer slices the values of other lists by itself, wrongly for views. */
function rebased(data: Data): { readonly valueOffsets: unknown; readonly children: Data[] } {
  const { type, length, valueOffsets, children } = data;
  const isList = DataType.isList(type) || DataType.isLargeList(type) || DataType.isMap(type);
  const begin = isList ? Number(valueOffsets[0] ?? 0) : 0;
  if (begin === 0) return { valueOffsets, children };
  const offsets = valueOffsets.slice(0, length + 1) as Int32Array | BigInt64Array;
  if (offsets instanceof Int32Array)
    for (let i = 0; i <= length; i += 1) offsets[i] = Number(offsets[i]) - begin;
  else for (let i = 0; i <= length; i += 1) offsets[i] = BigInt(offsets[i] as bigint) - BigInt(begin);
  const end = Number(offsets[length]);
  return { valueOffsets: offsets, children: children.map((child) => child.slice(begin, end)) };
}
