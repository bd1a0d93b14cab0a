import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/math/seeded-random.ts";
import { sortedCopy, sortedOrder } from "../../src/math/sort-numbers.ts";

/** Values that stress a sort over bits: signs, infinities, NaN of both signs, ties, shared upper halves. */
function stress(n: number, seed: number): Float64Array {
  const random = seededRandom(seed);
  const values = new Float64Array(n);
  const words = new Uint32Array(values.buffer);
  for (let i = 0; i < n; i++) {
    const kind = Math.floor(random() * 10);
    if (kind === 0) values[i] = Number.POSITIVE_INFINITY;
    else if (kind === 1) values[i] = Number.NEGATIVE_INFINITY;
    else if (kind === 2) values[i] = random() < 0.5 ? 0 : -0;
    else if (kind === 3) values[i] = 1 + random() * 1e-9;
    else if (kind === 4) values[i] = -1 - random() * 1e-9;
    else if (kind === 5) values[i] = Math.floor(random() * 5) - 2;
    else if (kind === 6) values[i] = (random() - 0.5) * 1e-310;
    else {
      words[2 * i] = random() * 2 ** 32;
      words[2 * i + 1] = random() * 2 ** 32;
    }
  }
  return values;
}

/** NaN last, -0 equal to 0. */
function ascending(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a < b ? -1 : Number(a > b);
}

/** -0 as 0, so that equality of values is equality of what the sort promises. */
const plain = (values: Iterable<number>): number[] => Array.from(values, (value) => value + 0);

describe("sortedCopy", () => {
  it.each([0, 1, 2, 1023, 1024, 20_000])("sorts %i values of every kind as a comparator does", (n) => {
    const values = stress(n, n);
    const before = values.slice();
    const sorted = sortedCopy(values);
    expect(plain(sorted)).toEqual(plain(values).sort(ascending));
    expect(values).toEqual(before);
    const narrow = new Float32Array(values);
    expect(plain(sortedCopy(narrow))).toEqual(plain(narrow).sort(ascending));
  });

  it("keeps float32 and turns every other array into float64", () => {
    expect(sortedCopy(new Float32Array([2, 1]))).toEqual(new Float32Array([1, 2]));
    expect(sortedCopy(new Int8Array([2, -1]))).toEqual(new Float64Array([-1, 2]));
    expect(sortedCopy([3, 1, 2])).toEqual(new Float64Array([1, 2, 3]));
  });

  it("sorts long runs that agree in the upper half of the bits", () => {
    const values = Float64Array.from({ length: 5000 }, (_, i) => 1 + ((i * 1237) % 5000) * 2 ** -52);
    expect(sortedCopy(values)).toEqual(Float64Array.from({ length: 5000 }, (_, i) => 1 + i * 2 ** -52));
  });

  it("reads a view into a larger buffer", () => {
    const all = Float32Array.from({ length: 3000 }, (_, i) => -i);
    expect(sortedCopy(all.subarray(500, 2500))[0]).toBe(-2499);
    const wide = Float64Array.from(all);
    expect(sortedCopy(wide.subarray(500, 2500))[0]).toBe(-2499);
  });
});

describe("sortedOrder", () => {
  it.each([0, 1, 63, 64, 20_000])("orders %i values of every kind, equal ones by index", (n) => {
    const values = stress(n, n + 1);
    const expected = Array.from(values, (_, i) => i).sort(
      (a, b) => ascending(values[a] as number, values[b] as number) || a - b,
    );
    expect(Array.from(sortedOrder(values))).toEqual(expected);
  });

  it("does not tell -0 from 0", () => {
    expect(Array.from(sortedOrder([0, -0, 0, -1]))).toEqual([3, 0, 1, 2]);
    const many = Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? 0 : -0));
    expect(Array.from(sortedOrder(many))).toEqual(many.map((_, i) => i));
  });

  it("is stable for any numbers", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.double(), fc.integer({ min: -2, max: 2 })), { maxLength: 200 }),
        (v) => {
          const expected = v
            .map((_, i) => i)
            .sort((a, b) => ascending(v[a] as number, v[b] as number) || a - b);
          expect(Array.from(sortedOrder(v))).toEqual(expected);
        },
      ),
    );
  });
});
