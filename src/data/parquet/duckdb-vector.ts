import type { DuckDBVector } from "@duckdb/node-api";
import { CalibrantError } from "../../errors.ts";
import type { NumericArray } from "../../types.ts";

/** The typed arrays that hold numbers. */
export type TypedArray = Exclude<NumericArray, readonly number[]>;

/** The validity of a vector: words of 32 values each, or null when every value is valid. */
export type ValidityWords = Uint32Array | null;

/**
 * The parts of the engine's vectors that are read directly, because the public `getItem` costs a bigint operation for
 * every value. They are private in its types.
 */
interface VectorParts {
  readonly validity?: { readonly data?: BigUint64Array | null };
  readonly items?: TypedArray;
  readonly dataView?: DataView;
  readonly entryData?: BigUint64Array;
  readonly childData?: DuckDBVector;
}

/** Whether value `index` is valid, that is, not null. */
export function isValidAt(words: ValidityWords, index: number): boolean {
  return words === null || ((words[index >>> 5] as number) & (1 << (index & 31))) !== 0;
}

/** The numbers of a vector; what stands at a null is undefined. The memory is the engine's. */
export function numbersOf(vector: DuckDBVector): {
  readonly items: TypedArray;
  readonly words: ValidityWords;
} {
  const parts = vector as unknown as VectorParts;
  return { items: present(parts.items), words: wordsOf(parts) };
}

/** The lists of a vector: list i has `entries[4 * i + 2]` elements of the child from `entries[4 * i]` on. */
export function listsOf(vector: DuckDBVector): {
  readonly entries: Uint32Array;
  readonly words: ValidityWords;
  readonly child: DuckDBVector;
} {
  const parts = vector as unknown as VectorParts;
  const entries = present(parts.entryData);
  return {
    // Both numbers are 64 bits wide; their upper halves stay 0 because a vector has less than 2^32 elements.
    entries: new Uint32Array(entries.buffer, entries.byteOffset, entries.length * 2),
    words: wordsOf(parts),
    child: present(parts.childData),
  };
}

/** Copies memory of the engine: more than 12 bytes, all of them in one string or in strings that lie side by side. */
export type ReadEngineBytes = (address: number, length: number) => Buffer;

const STRING_BYTES = 16;
const INLINE_BYTES = 12;
const RUN_BYTES = 1 << 22;
/**
 * Strings with no more than this between them are read together: what lies between two mapped bytes so close to each
 * other is mapped too. In pages of plain strings that is the 4 bytes of a length.
 */
const GAP_BYTES = 8;

/**
 * The texts of a vector; null = missing. Up to 12 bytes lie in the vector itself. Longer texts are fetched together
 * where they lie side by side: one by one they cost several times as much, and lose a byte order mark at their start.
 */
export function textsOf(vector: DuckDBVector, rows: number, read: ReadEngineBytes): (string | null)[] {
  const parts = vector as unknown as VectorParts;
  const view = present(parts.dataView);
  const words = wordsOf(parts);
  const own = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  const texts: (string | null)[] = [];
  let run = own;
  let runStart = 0;
  let runEnd = 0;
  for (let i = 0; i < rows; i += 1) {
    const at = i * STRING_BYTES;
    const length = isValidAt(words, i) ? view.getUint32(at, true) : -1;
    if (length < 0) texts.push(null);
    else if (length <= INLINE_BYTES) texts.push(own.toString("utf8", at + 4, at + 4 + length));
    else {
      const start = addressAt(view, i);
      if (start < runStart || start + length > runEnd) {
        runStart = start;
        runEnd = endOfRun(view, words, i, rows);
        run = read(runStart, runEnd - runStart);
      }
      texts.push(run.toString("utf8", start - runStart, start - runStart + length));
    }
  }
  return texts;
}

/** The address after the last long text that lies side by side with the one of row `first`. */
function endOfRun(view: DataView, words: ValidityWords, first: number, rows: number): number {
  const start = addressAt(view, first);
  let end = start + view.getUint32(first * STRING_BYTES, true);
  for (let i = first + 1; i < rows; i += 1) {
    const length = view.getUint32(i * STRING_BYTES, true);
    if (length <= INLINE_BYTES || !isValidAt(words, i)) continue;
    const next = addressAt(view, i);
    if (next < end || next > end + GAP_BYTES || next + length - start > RUN_BYTES) break;
    end = next + length;
  }
  return end;
}

/** Addresses of today's machines have at most 57 bits, those of user space 47: a double holds them. */
function addressAt(view: DataView, index: number): number {
  const at = index * STRING_BYTES + 8;
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
}

function wordsOf({ validity }: VectorParts): ValidityWords {
  const data = present(validity?.data);
  return data === null ? null : new Uint32Array(data.buffer, data.byteOffset, data.length * 2);
}

function present<T>(part: T | undefined): T {
  if (part !== undefined) return part;
  const message = "this version of @duckdb/node-api is not supported: npm install @duckdb/node-api@1.5.6-r.1";
  throw new CalibrantError("missing-package", message, { package: "@duckdb/node-api" });
}
