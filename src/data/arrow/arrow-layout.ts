import { type Data, DataType, type Vector } from "apache-arrow";

/**
 * Tells which values of an array are there; null when all are. Reads the bitmap directly: `Data.getValid` asks the
 * type again for every value.
 */
export function validityOf(data: Data): ((index: number) => boolean) | null {
  if (DataType.isNull(data.type)) return () => false;
  if (DataType.isUnion(data.type) || data.nullCount === 0) return null;
  const { nullBitmap, offset } = data;
  return (index) => (((nullBitmap[(offset + index) >> 3] as number) >> ((offset + index) & 7)) & 1) === 1;
}

/** A reader that gives null where the array has none. */
export function nullable<T>(data: Data, read: (index: number) => T): (index: number) => T | null {
  const isValid = validityOf(data);
  return isValid === null ? read : (index) => (isValid(index) ? read(index) : null);
}

/** One byte a value from `begin` to `end`, 0 = missing; undefined when none is. */
export function validBytes(data: Data, begin: number, end: number): Uint8Array | undefined {
  const isValid = validityOf(data);
  if (isValid === null) return undefined;
  const bytes = new Uint8Array(end - begin);
  for (let i = begin; i < end; i += 1) bytes[i - begin] = isValid(i) ? 1 : 0;
  return bytes;
}

/**
 * Begin of each list or text and end of the last, `length + 1` numbers (64-bit offsets narrowed to doubles, those of
 * fixed-size lists made up). Absolute positions: a sliced array does not begin at 0.
 */
export function offsetsOf(data: Data): Int32Array | Float64Array {
  const { type, length } = data;
  if (length === 0) return new Int32Array(1);
  const offsets = data.valueOffsets as Int32Array | BigInt64Array | undefined;
  if (offsets instanceof Int32Array) return offsets.subarray(0, length + 1);
  const narrowed = new Float64Array(length + 1);
  const size = DataType.isFixedSizeList(type) ? type.listSize : 0;
  for (let i = 0; i <= length; i += 1) narrowed[i] = offsets === undefined ? i * size : Number(offsets[i]);
  return narrowed;
}

/**
 * Reads a vector of several chunks by position as if it were one array; dictionaries grow chunks by deltas.
 *
 * @param readerOf - makes the reader of one chunk.
 */
export function vectorReader<T>(
  vector: Vector,
  readerOf: (data: Data) => (index: number) => T,
): (index: number) => T {
  const readers = vector.data.map(readerOf);
  const only = readers[0];
  if (readers.length === 1 && only !== undefined) return only;
  const begins: number[] = [];
  let length = 0;
  for (const chunk of vector.data) {
    begins.push(length);
    length += chunk.length;
  }
  return (index) => {
    let chunk = begins.length - 1;
    while (index < (begins[chunk] as number)) chunk -= 1;
    return (readers[chunk] as (index: number) => T)(index - (begins[chunk] as number));
  };
}

/** The dictionary of a dictionary-encoded array. */
export function dictionaryOf(data: Data): Vector {
  return data.dictionary as Vector;
}

/**
 * Reads a dictionary-encoded array; each value of the dictionary is read at most once, and shared.
 *
 * @param readerOf - makes the reader of one chunk of the dictionary.
 */
export function dictionaryReader<T>(
  data: Data,
  readerOf: (values: Data) => (index: number) => T | null,
): (index: number) => T | null {
  const dictionary = dictionaryOf(data);
  const read = vectorReader(dictionary, readerOf);
  const known = new Array<T | null | undefined>(dictionary.length);
  const code = codeReader(data);
  return nullable(data, (index) => {
    const entry = code(index);
    const earlier = known[entry];
    if (earlier !== undefined) return earlier;
    const value = read(entry);
    known[entry] = value;
    return value;
  });
}

/** Reads the codes of a dictionary-encoded array; what stands under a null is any number. */
export function codeReader(data: Data): (index: number) => number {
  const codes = data.values as Int32Array | BigInt64Array;
  return (index) => Number(codes[index]);
}
