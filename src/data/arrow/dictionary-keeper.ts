import { Data, DataType, type Dictionary, type Field, RecordBatch, Vector } from "apache-arrow";
import { CalibrantError } from "../../errors.ts";
import { validityOf } from "./arrow-layout.ts";
import { type DictionaryKey, dataFromKeys, dictionaryKeys } from "./dictionary-keys.ts";
import { sameArray } from "./same-array.ts";

/** Gives record batches of any origin the same dictionary objects, by which a writer knows what it has written. */
export interface DictionaryKeeper {
  /**
   * The same rows, with dictionaries that the keeper gave before where their values are equal.
   *
   * @throws CalibrantError `data` naming the column, when a dictionary that must grow cannot.
   */
  keep(batch: RecordBatch): RecordBatch;
}

/**
 * What becomes of a dictionary whose values differ from those before: it is `replaced`, or it has `grown`: all batches
 * then share one dictionary, each new value is added behind the others in a chunk of its own, and codes are changed.
 */
export type DictionaryChange = "replaced" | "grown";

interface Kept {
  /** What batches get; its values have the type that the schema says. */
  vector: Vector;
  /** What came last, and where its entries are in `vector`; null = at the same places. */
  given: Vector;
  places: Int32Array | null;
  /** The first place of each value in `vector`; made when a second dictionary comes. */
  placeOf: Map<DictionaryKey, number> | null;
}

/** Creates a keeper without dictionaries. */
export function createDictionaryKeeper(change: DictionaryChange): DictionaryKeeper {
  const known = new Map<number, Kept>();
  return {
    keep(batch) {
      const { schema, data } = batch;
      if (!schema.fields.some(({ type }) => hasDictionary(type))) return batch;
      const children = schema.fields.map((field, i) => {
        const child = data.children[i] as Data;
        return keptData(child, field.type, { known, change, column: field.name });
      });
      const struct = data.clone(data.type, data.offset, data.length, data.nullCount, data as never, children);
      return new RecordBatch(schema, struct, batch.metadata);
    },
  };
}

interface Keeping {
  readonly known: Map<number, Kept>;
  readonly change: DictionaryChange;
  readonly column: string;
}

function hasDictionary(type: DataType): boolean {
  if (DataType.isDictionary(type)) return true;
  return ((type.children ?? []) as Field[]).some((field) => hasDictionary(field.type));
}

/** @param type - of the schema: its dictionaries' numbers count, not those of the array's own type. */
function keptData(data: Data, type: DataType, keeping: Keeping): Data {
  if (DataType.isDictionary(type)) return keptDictionary(data, type, keeping);
  if (!hasDictionary(type)) return data;
  const fields = type.children as Field[];
  const children = data.children.map((child, i) => keptData(child, (fields[i] as Field).type, keeping));
  return data.clone(data.type, data.offset, data.length, data.nullCount, data as never, children);
}

function keptDictionary(data: Data, type: Dictionary, keeping: Keeping): Data {
  const given = data.dictionary as Vector | undefined;
  if (given === undefined) return data;
  const kept = keptFor(given, type, keeping);
  const values = kept.places === null ? data.values : movedCodes(data, kept.places);
  const buffers = [undefined, values, data.nullBitmap] as never;
  return new Data(type, data.offset, data.length, data.nullCount, buffers, [], kept.vector) as Data;
}

function keptFor(given: Vector, type: Dictionary, keeping: Keeping): Kept {
  const { known, change } = keeping;
  const kept = known.get(type.id);
  if (kept === undefined || (change === "replaced" && !sameValues(given, kept))) {
    const first = { vector: inOneChunk(given, type.dictionary), given, places: null, placeOf: null };
    known.set(type.id, first);
    return first;
  }
  if (!sameVector(given, kept.given)) growBy(kept, given, type, keeping);
  kept.given = given;
  return kept;
}

/** As values of `type`, in one chunk: not all readers take a dictionary in several parts. */
function inOneChunk(vector: Vector, type: DataType): Vector {
  if (vector.data.length === 1 && vector.type.typeId === type.typeId) return vector;
  const keys = dictionaryKeys(vector);
  return keys === null ? vector : new Vector([dataFromKeys(type, keys)]);
}

function sameVector(a: Vector, b: Vector): boolean {
  if (a === b) return true;
  return a.data.length === b.data.length && a.data.every((data, i) => sameArray(data, b.data[i] as Data));
}

function sameValues(given: Vector, kept: Kept): boolean {
  if (sameVector(given, kept.given)) return true;
  if (given.length !== kept.given.length) return false;
  const keys = dictionaryKeys(given);
  const before = dictionaryKeys(kept.given);
  return keys !== null && before !== null && keys.every((key, i) => key === before[i]);
}

/** Adds what is new in a dictionary, and notes where its entries are. */
function growBy(kept: Kept, given: Vector, type: Dictionary, { column }: Keeping): void {
  const keys = dictionaryKeys(given);
  const placeOf = kept.placeOf ?? placesOf(dictionaryKeys(kept.vector));
  if (keys === null || placeOf === null) {
    if (kept.places !== null || !continues(given, kept.vector)) throw changed(column, type);
    kept.vector = given;
    return;
  }
  const before = kept.vector.length;
  const added: DictionaryKey[] = [];
  const places = Int32Array.from(keys, (key) => {
    const known = placeOf.get(key);
    if (known !== undefined) return known;
    placeOf.set(key, before + added.length);
    return before + added.push(key) - 1;
  });
  if (before + added.length - 1 > largestCode(type)) throw full(column, type, before + added.length);
  if (added.length > 0) kept.vector = new Vector([...kept.vector.data, dataFromKeys(type.dictionary, added)]);
  kept.placeOf = placeOf;
  kept.places = places.every((place, i) => place === i) ? null : places;
}

function placesOf(keys: readonly DictionaryKey[] | null): Map<DictionaryKey, number> | null {
  if (keys === null) return null;
  const places = new Map<DictionaryKey, number>();
  for (const [i, key] of keys.entries()) if (!places.has(key)) places.set(key, i);
  return places;
}

function continues(longer: Vector, shorter: Vector): boolean {
  return shorter.data.every((data, i) => longer.data[i] === data);
}

function movedCodes(data: Data, places: Int32Array): Data["values"] {
  const isValid = validityOf(data);
  const codes = data.values as Int32Array | BigInt64Array;
  const moved = new (codes.constructor as new (length: number) => Int32Array | BigInt64Array)(data.length);
  for (let i = 0; i < data.length; i += 1) {
    if (isValid !== null && !isValid(i)) continue;
    const place = places[Number(codes[i])] as number;
    moved[i] = typeof codes[i] === "bigint" ? BigInt(place) : place;
  }
  return moved;
}

function largestCode({ indices }: Dictionary): number {
  return 2 ** (indices.bitWidth - (indices.isSigned ? 1 : 0)) - 1;
}

const WAY_OUT = "write a stream (.arrows) or Parquet";

function changed(column: string, type: Dictionary): CalibrantError {
  return new CalibrantError(
    "data",
    `column ${column}: an Arrow file cannot hold a dictionary of this type that changes between record batches, ${WAY_OUT}: ${type.dictionary}`,
    { column },
  );
}

function full(column: string, { indices }: Dictionary, values: number): CalibrantError {
  return new CalibrantError(
    "data",
    `column ${column}: an Arrow file has one dictionary for all record batches, here too large for its ${indices} codes, ${WAY_OUT}: ${values} values`,
    { column, values },
  );
}
