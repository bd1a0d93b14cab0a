import type { Data, RecordBatch } from "apache-arrow";

type Arrow = typeof import("apache-arrow");

/**
 * The same batch, written to IPC with the right null count for arrays of the null type inside of lists and structs.
 * apache-arrow loses that count when it slices them, which its writer does, and strict readers refuse the result.
 */
export function withNullCounts(arrow: Arrow, batch: RecordBatch): RecordBatch {
  if (!batch.data.children.some((data) => hasNestedNull(arrow, data))) return batch;
  return new arrow.RecordBatch(batch.schema, rebuilt(arrow, batch.data) as RecordBatch["data"]);
}

function hasNestedNull(arrow: Arrow, data: Data): boolean {
  return data.children.some((child) => arrow.DataType.isNull(child.type) || hasNestedNull(arrow, child));
}

function rebuilt(arrow: Arrow, data: Data): Data {
  if (arrow.DataType.isNull(data.type)) {
    // A bitmap without a set bit is what the count is found from, also after a slice.
    const bitmap = new Uint8Array(Math.ceil((data.offset + data.length) / 8) + 1);
    return new arrow.Data(data.type, data.offset, data.length, data.length, [
      undefined,
      undefined,
      bitmap,
    ]) as Data;
  }
  if (!hasNestedNull(arrow, data)) return data;
  const children = data.children.map((child) => rebuilt(arrow, child));
  const buffers = [data.valueOffsets, data.values, data.nullBitmap, data.typeIds] as never;
  return new arrow.Data(data.type, data.offset, data.length, data.nullCount, buffers, children) as Data;
}
