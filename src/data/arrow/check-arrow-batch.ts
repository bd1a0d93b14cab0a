import { type Data, DataType, type RecordBatch, type Union, UnionMode } from "apache-arrow";

const VIEW_BYTES = 16;
const INLINE_BYTES = 12;

/**
 * Checks what apache-arrow takes on trust: that every buffer is long enough for its array, offsets ascend inside
 * their values, dictionary codes lie inside their dictionary. O(rows), without touching values. apache-arrow itself
 * reads past an end as undefined, and fills up a column of the wrong length with nulls.
 *
 * @param nodeLengths - the lengths of all arrays as the message lists them.
 * @throws RangeError naming the column.
 */
export function checkArrowBatch(batch: RecordBatch, nodeLengths: Float64Array): void {
  let node = 0;
  for (const [i, field] of batch.schema.fields.entries()) {
    if (nodeLengths[node] !== batch.numRows) {
      throw new RangeError(`column ${field.name} has ${nodeLengths[node]} values for ${batch.numRows} rows`);
    }
    node += nodesOf(field.type);
    try {
      checkData(batch.data.children[i] as Data);
    } catch (error) {
      throw new RangeError(`column ${field.name}: ${(error as Error).message}`);
    }
  }
}

/** How many arrays a type is made of; a dictionary's values travel elsewhere. */
function nodesOf(type: DataType): number {
  if (DataType.isDictionary(type)) return 1;
  return (type.children ?? []).reduce((nodes, child) => nodes + nodesOf(child.type), 1);
}

function checkData(data: Data): void {
  const { type, length } = data;
  if (length === 0 || DataType.isNull(type)) return;
  const isUnion = DataType.isUnion(type);
  if (!isUnion && data.nullCount > 0)
    atLeast(8 * data.nullBitmap.length, data.offset + length, "validity bits");
  if (isUnion) checkUnion(data, type);
  else if (DataType.isDictionary(type)) checkDictionary(data);
  else if (DataType.isStruct(type)) checkChildren(data, length);
  else if (DataType.isFixedSizeList(type)) checkChildren(data, length * type.listSize);
  else if (DataType.isUtf8View(type) || DataType.isBinaryView(type)) checkViews(data);
  else if (data.valueOffsets !== undefined) checkOffsets(data);
  else if (DataType.isBool(type)) atLeast(8 * data.values.length, data.offset + length, "bits");
  else atLeast(data.values.length, length * data.stride, "values");
}

function checkChildren(data: Data, length: number): void {
  for (const child of data.children) {
    atLeast(child.length, length, "child values");
    checkData(child);
  }
}

function checkOffsets(data: Data): void {
  const child = data.children[0];
  const offsets = data.valueOffsets as Int32Array | BigInt64Array;
  atLeast(offsets.length, data.length + 1, "offsets");
  let before = offsets[0] as number | bigint;
  if (before < 0) throw new RangeError(`offset 0 is negative: ${before}`);
  for (let i = 1; i <= data.length; i += 1) {
    const offset = offsets[i] as number | bigint;
    if (offset < before) throw new RangeError(`offset ${i} is smaller than the one before: ${offset}`);
    before = offset;
  }
  atLeast(child === undefined ? data.values.length : child.length, Number(before), "values");
  if (child !== undefined) checkData(child);
}

function checkViews(data: Data): void {
  const bytes = data.values as Uint8Array;
  atLeast(bytes.length, VIEW_BYTES * data.length, "bytes of views");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < data.length; i += 1) {
    const size = view.getInt32(VIEW_BYTES * i, true);
    if (size >= 0 && size <= INLINE_BYTES) continue;
    const buffer = data.variadicBuffers[view.getInt32(VIEW_BYTES * i + 8, true)];
    const begin = view.getInt32(VIEW_BYTES * i + 12, true);
    if (size > 0 && begin >= 0 && begin + size <= (buffer?.length ?? 0)) continue;
    // What lies under a null may be anything.
    if (data.getValid(i)) throw new RangeError(`view ${i} points outside its buffer`);
  }
}

function checkDictionary(data: Data): void {
  const codes = data.values as ArrayLike<number | bigint>;
  atLeast(codes.length, data.length, "codes");
  const entries = data.dictionary?.length ?? 0;
  for (let i = 0; i < data.length; i += 1) {
    const code = codes[i] as number | bigint;
    if (code >= 0 && code < entries) continue;
    if (data.getValid(i)) throw new RangeError(`code ${code} is outside its dictionary of ${entries} values`);
  }
  for (const values of data.dictionary?.data ?? []) checkData(values);
}

function checkUnion({ children, typeIds, valueOffsets, length }: Data, type: Union): void {
  atLeast((typeIds as Int8Array).length, length, "type ids");
  const dense = type.mode === UnionMode.Dense;
  if (dense) atLeast((valueOffsets as Int32Array).length, length, "offsets");
  for (let i = 0; i < length; i += 1) {
    const child = children[type.typeIdToChildIndex[(typeIds as Int8Array)[i] as number] ?? -1];
    const index = dense ? ((valueOffsets as Int32Array)[i] as number) : i;
    if (child === undefined || index < 0 || index >= child.length) {
      throw new RangeError(`union value ${i} has no child`);
    }
  }
  children.forEach(checkData);
}

function atLeast(found: number, needed: number, what: string): void {
  if (found < needed) throw new RangeError(`${found} ${what} where ${needed} are needed`);
}
