import { type Data, DataType } from "apache-arrow";
import { type KeySource, keySource } from "../keys/key-source.ts";
import { keysFromArrow } from "./arrow-keys.ts";
import { dictionaryOf, validityOf, vectorReader } from "./arrow-layout.ts";
import { textReader } from "./arrow-text.ts";
import { isTextType } from "./arrow-types.ts";

/** Integers whose range is larger than this get a code for each value that occurs. */
const MOST_CODES = 1 << 22;

/** Of a column without rows, which may have no buffers. */
const NO_KEYS: KeySource = { size: 0, keyOf: () => "", read: () => undefined };

type SmallIntegers = Int32Array | Int16Array | Int8Array | Uint32Array | Uint16Array | Uint8Array;

/**
 * A text, integer or dictionary column as a source of codes without a copy of the column: the codes of a dictionary, and
 * integers of a small range, are read where they lie. Others are numbered first.
 *
 * @throws Error when a text is not UTF-8.
 */
export function arrowKeySource(data: Data): KeySource {
  if (data.length === 0) return NO_KEYS;
  return dictionarySource(data) ?? integerSource(data) ?? (keySource(keysFromArrow(data)) as KeySource);
}

function dictionarySource(data: Data): KeySource | null {
  if (!DataType.isDictionary(data.type) || !isSmall(data.values)) return null;
  const dictionary = dictionaryOf(data);
  if (!isTextType(data.type.dictionary) || dictionary.nullCount > 0) return null;
  const read = vectorReader(dictionary, textReader);
  const size = dictionary.length;
  return { size, keyOf: (code) => read(code) ?? "", read: blockReader(data, data.values, 0) };
}

function integerSource(data: Data): KeySource | null {
  if (!DataType.isInt(data.type) || !isSmall(data.values)) return null;
  const { least, most } = valueRange(data, data.values);
  if (most < least || most - least >= MOST_CODES) return null;
  const keyOf = (code: number): string => String(code + least);
  return { size: most - least + 1, keyOf, read: blockReader(data, data.values, least) };
}

function isSmall(values: unknown): values is SmallIntegers {
  return (
    ArrayBuffer.isView(values) && !(values instanceof BigInt64Array) && !(values instanceof BigUint64Array)
  );
}

/** Values that are looked at together. */
const BLOCK = 4096;

/** The ends of the values that are there: what stands under a null is any number. */
function valueRange(data: Data, values: SmallIntegers): { readonly least: number; readonly most: number } {
  const isValid = validityOf(data);
  const first = firstValid(data.length, isValid);
  if (first < 0) return { least: 0, most: -1 };
  // The loop sees one type of array, whatever the width of the values.
  const block = values instanceof Uint32Array ? new Float64Array(BLOCK) : new Int32Array(BLOCK);
  let least = values[first] as number;
  let most = least;
  for (let start = 0; start < data.length; start += BLOCK) {
    const rows = Math.min(BLOCK, data.length - start);
    block.set(values.subarray(start, start + rows));
    for (let i = 0; i < rows; i += 1) {
      const value = block[i] as number;
      if (value >= least && value <= most) continue;
      if (isValid !== null && !isValid(start + i)) continue;
      if (value < least) least = value;
      if (value > most) most = value;
    }
  }
  return { least, most };
}

function firstValid(length: number, isValid: ((row: number) => boolean) | null): number {
  for (let row = 0; row < length; row += 1) if (isValid === null || isValid(row)) return row;
  return -1;
}

function blockReader(data: Data, values: SmallIntegers, least: number): KeySource["read"] {
  const hasNulls = data.nullCount > 0;
  return (start, end, into) => {
    into.set(values.subarray(start, end));
    // In 32 bits a difference is right even where an unsigned value has wrapped around.
    if (least !== 0) for (let i = 0; i < end - start; i += 1) into[i] = ((into[i] as number) - least) | 0;
    if (hasNulls) markNulls(data, start, end, into);
  };
}

/** Writes −1 where a value is null. Most bytes of a bitmap say that all eight of their values are there. */
function markNulls({ nullBitmap, offset }: Data, start: number, end: number, into: Int32Array): void {
  for (let row = start; row < end; ) {
    const bit = offset + row;
    const byte = nullBitmap[bit >> 3] as number;
    if (byte === 255 && (bit & 7) === 0 && row + 8 <= end) {
      row += 8;
      continue;
    }
    if (((byte >> (bit & 7)) & 1) === 0) into[row - start] = -1;
    row += 1;
  }
}
