import { type Data, DataType } from "apache-arrow";
import type { KeyColumn } from "../columns.ts";
import { codeReader, dictionaryOf, offsetsOf, validityOf, vectorReader } from "./arrow-layout.ts";
import { textReader } from "./arrow-text.ts";

/** Gives equal keys equal codes, in order of first appearance. */
interface KeyTable {
  readonly keys: string[];
  codeOf(key: string): number;
}

/**
 * A text, integer or dictionary column as codes and keys, keys in order of first appearance; integers keep every
 * digit. Equal keys have one code even where a dictionary lists a value twice.
 *
 * @throws Error when a text is not UTF-8.
 */
export function keysFromArrow(data: Data): KeyColumn {
  const table = createKeyTable();
  const codes = new Int32Array(data.length).fill(-1);
  if (!DataType.isNull(data.type)) fillCodes(data, codes, keyCoder(data, table));
  return { kind: "key", codes, keys: table.keys };
}

function createKeyTable(): KeyTable {
  const codes = new Map<string, number>();
  const keys: string[] = [];
  return {
    keys,
    codeOf(key) {
      const known = codes.get(key);
      if (known !== undefined) return known;
      codes.set(key, keys.length);
      return keys.push(key) - 1;
    },
  };
}

function fillCodes(data: Data, codes: Int32Array, codeOf: (index: number) => number): void {
  const isValid = validityOf(data);
  for (let i = 0; i < codes.length; i += 1) if (isValid === null || isValid(i)) codes[i] = codeOf(i);
}

function keyCoder(data: Data, table: KeyTable): (index: number) => number {
  if (DataType.isDictionary(data.type)) return dictionaryCoder(data, table);
  if (DataType.isInt(data.type)) return intCoder(data, table);
  return DataType.isUtf8View(data.type) ? textCoder(data, table) : runCoder(data, table);
}

/** The key of each dictionary entry is made when its first row comes. */
function dictionaryCoder(data: Data, table: KeyTable): (index: number) => number {
  const dictionary = dictionaryOf(data);
  const codeAt = codeReader(data);
  const coded = vectorReader(dictionary, (values) => {
    const isValid = validityOf(values);
    const code = DataType.isNull(values.type) ? () => -1 : keyCoder(values, table);
    return (index) => (isValid === null || isValid(index) ? code(index) : -1);
  });
  const unknown = -2;
  const codes = new Int32Array(dictionary.length).fill(unknown);
  return (index) => {
    const entry = codeAt(index);
    if (codes[entry] === unknown) codes[entry] = coded(entry);
    return codes[entry] as number;
  };
}

function intCoder(data: Data, table: KeyTable): (index: number) => number {
  const values = data.values as Int32Array | BigInt64Array;
  const codes = new Map<number | bigint, number>();
  return (index) => {
    const value = values[index] as number | bigint;
    const known = codes.get(value);
    if (known !== undefined) return known;
    const code = table.codeOf(value.toString());
    codes.set(value, code);
    return code;
  };
}

function textCoder(data: Data, table: KeyTable): (index: number) => number {
  const read = textReader(data);
  return (index) => table.codeOf(read(index) as string);
}

/** Rows of a group stand together as a rule: bytes equal to the row before need neither decoding nor a look-up. */
function runCoder(data: Data, table: KeyTable): (index: number) => number {
  const read = textReader(data);
  const offsets = offsetsOf(data);
  const bytes = data.values as Uint8Array;
  let begin = 0;
  let length = -1;
  let code = -1;
  return (index) => {
    const at = offsets[index] as number;
    const size = (offsets[index + 1] as number) - at;
    if (size === length && sameBytes(bytes, begin, at, size)) return code;
    begin = at;
    length = size;
    code = table.codeOf(read(index) as string);
    return code;
  };
}

function sameBytes(bytes: Uint8Array, a: number, b: number, length: number): boolean {
  // Keys count up as a rule, so they differ first at their end.
  for (let i = length - 1; i >= 0; i -= 1) if (bytes[a + i] !== bytes[b + i]) return false;
  return true;
}
