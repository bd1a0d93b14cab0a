import { CalibrantError } from "../../errors.ts";
import { nonFiniteFromWord } from "./non-finite.ts";
import { asList } from "./row-value.ts";

/** The Arrow type of a column, by name; `json` is text that holds JSON. */
export type StorageType =
  | { readonly kind: "bool" | "int64" | "float64" | "utf8" | "json" }
  | { readonly kind: "list"; readonly element: StorageType | null };

/** What has been seen of a column, or of the elements of its lists. */
export interface RowShape {
  /** One bit a kind of value, see {@link SEEN}. */
  seen: number;
  /** Where each kind was seen first, by bit. */
  readonly firstPlaces: Map<number, string>;
  element: RowShape | null;
}

/** The kinds of values, one bit each. */
export const SEEN = {
  bool: 1,
  int: 2,
  /** An integer that no double equals. */
  longInt: 4,
  /** An integer beyond 64 bits. */
  hugeInt: 8,
  float: 16,
  /** NaN: a number among numbers, a missing value among others. */
  nan: 32,
  text: 64,
  /** "NaN", "Infinity" or "-Infinity": numbers among numbers, text otherwise. */
  word: 128,
  list: 256,
  object: 512,
} as const;

/** A column of which nothing is known. */
export function unknownShape(): RowShape {
  return { seen: 0, firstPlaces: new Map(), element: null };
}

/**
 * Adds a value to what was seen of a column (which is changed); null and undefined add nothing.
 *
 * @param place - where the value stands; asked only for the first of a kind.
 */
export function seeValue(shape: RowShape, value: unknown, place: () => string): void {
  if (value === null || value === undefined) return;
  const list = asList(value);
  const bits = list === null ? scalarBits(value) : SEEN.list;
  if ((shape.seen & bits) !== bits) {
    for (let bit = 1; bit <= SEEN.object; bit *= 2) {
      if ((bits & bit) !== 0 && (shape.seen & bit) === 0) shape.firstPlaces.set(bit, place());
    }
    shape.seen |= bits;
  }
  if (list === null) return;
  shape.element ??= unknownShape();
  for (let i = 0; i < list.length; i += 1) seeValue(shape.element, list[i], place);
}

/** Whether elements with this shape are numbers: also booleans, and words such as "NaN". */
export function isNumberList(element: RowShape): boolean {
  return (element.seen & (SEEN.text | SEEN.list | SEEN.object)) === 0;
}

function scalarBits(value: unknown): number {
  if (typeof value === "number") {
    if (Number.isSafeInteger(value) && !Object.is(value, -0)) return SEEN.int;
    return Number.isNaN(value) ? SEEN.nan : SEEN.float;
  }
  if (typeof value === "string") return nonFiniteFromWord(value) === undefined ? SEEN.text : SEEN.word;
  if (typeof value === "boolean") return SEEN.bool;
  if (typeof value !== "bigint") return SEEN.object;
  const long = BigInt(Number(value)) === value ? 0 : SEEN.longInt;
  return SEEN.int | long | (BigInt.asIntN(64, value) === value ? 0 : SEEN.hugeInt);
}

/** Kinds that one type can hold together, and what an error calls them. */
const FAMILIES = {
  numbers: SEEN.int | SEEN.float | SEEN.nan,
  text: SEEN.text | SEEN.word,
  booleans: SEEN.bool,
  lists: SEEN.list,
  objects: SEEN.object,
} as const;

type Family = keyof typeof FAMILIES;

/**
 * The one type that holds every value seen; null when none was. Integers among floats are floats; whatever holds
 * objects at any depth is JSON text, beside plain text too.
 *
 * @throws CalibrantError `schema` naming the column and two places when no type holds all values.
 */
export function storageType(shape: RowShape, column: string): StorageType | null {
  const families = familiesOf(shape);
  if (holdsObjects(shape)) {
    const nested = families.find((family) => family === "lists" || family === "objects") as Family;
    const scalar = families.find((family) => family === "numbers" || family === "booleans");
    if (scalar !== undefined) throw mixedTypes(shape, column, scalar, nested);
    return { kind: "json" };
  }
  const [family, other] = families;
  if (family === undefined) return null;
  if (other !== undefined) throw mixedTypes(shape, column, family, other);
  if (family === "numbers") return numberType(shape, column);
  if (family === "lists") return { kind: "list", element: storageType(shape.element as RowShape, column) };
  return { kind: family === "booleans" ? "bool" : "utf8" };
}

/** NaN and words such as "Infinity" belong to numbers where there are any; beside others NaN is a missing value. */
function familiesOf(shape: RowShape): Family[] {
  const has = (bits: number): boolean => (shape.seen & bits) !== 0;
  const others = SEEN.bool | SEEN.text | SEEN.list | SEEN.object;
  const isNumeric = has(SEEN.int | SEEN.float) || (has(SEEN.nan) && !has(others));
  const families: Family[] = isNumeric ? ["numbers"] : [];
  if (has(SEEN.text) || (has(SEEN.word) && !isNumeric)) families.push("text");
  if (has(SEEN.bool)) families.push("booleans");
  if (has(SEEN.list)) families.push("lists");
  if (has(SEEN.object)) families.push("objects");
  return families;
}

function holdsObjects(shape: RowShape): boolean {
  return (shape.seen & SEEN.object) !== 0 || (shape.element !== null && holdsObjects(shape.element));
}

function numberType(shape: RowShape, column: string): StorageType {
  const isFloat = (shape.seen & ~(SEEN.int | SEEN.longInt | SEEN.hugeInt)) !== 0;
  const lost = isFloat ? SEEN.longInt : SEEN.hugeInt;
  if ((shape.seen & lost) === 0) return { kind: isFloat ? "float64" : "int64" };
  const place = shape.firstPlaces.get(lost);
  const problem = isFloat
    ? "an integer that loses digits as a float, among floats"
    : "an integer beyond 64 bits";
  throw new CalibrantError(
    "schema",
    `column ${column} holds ${problem}: write it as text, or write .jsonl; at ${place}`,
    {
      column,
    },
  );
}

function mixedTypes(shape: RowShape, column: string, a: Family, b: Family): CalibrantError {
  const first = (family: Family): string => {
    for (const [bit, place] of shape.firstPlaces)
      if ((bit & FAMILIES[family]) !== 0) return `${family} (${place})`;
    return family;
  };
  return new CalibrantError(
    "schema",
    `column ${column}: a column of Arrow or Parquet has one type; make it one, or write .jsonl; found ${first(a)} and ${first(b)}`,
    { column },
  );
}
