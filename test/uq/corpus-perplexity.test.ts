import { expect, it } from "vitest";
import { corpusPerplexity } from "../../src/uq/corpus-perplexity.ts";
import { perplexity } from "../../src/uq/perplexity.ts";

const columns = perplexity([-1, -3, -0.5, Number.NaN], Int32Array.of(0, 2, 3, 4, 4));

it("gives each number its own name and counts what is left out", () => {
  const corpus = corpusPerplexity(columns);
  expect(corpus).toMatchObject({ rows: 2, excluded: 2, bitsPerByte: NaN });
  expect(corpus.tokenWeighted).toBeCloseTo(Math.exp(1.5), 14);
  expect(corpus.geoMean).toBeCloseTo(Math.exp(1.25), 14);
  expect(corpus.arithMean).toBeCloseTo((Math.exp(2) + Math.exp(0.5)) / 2, 14);
  expect(corpus.sumPerDoc).toBeCloseTo(Math.exp(2.25), 14);
});

it("counts bits by bytes of the rows that count", () => {
  const { bitsPerByte } = corpusPerplexity(columns, { utf8Bytes: [6, 3, 1000, 1000] });
  expect(bitsPerByte).toBeCloseTo(4.5 / Math.LN2 / 9, 15);
  expect(() => corpusPerplexity(columns, { utf8Bytes: [1] })).toThrow(/utf8Bytes must number 4.*; got 1$/);
});

it("is NaN without rows and Infinity with an impossible one", () => {
  const none = corpusPerplexity(perplexity([], Int32Array.of(0, 0)));
  expect(none).toMatchObject({
    tokenWeighted: NaN,
    geoMean: NaN,
    arithMean: NaN,
    sumPerDoc: NaN,
    rows: 0,
    excluded: 1,
  });
  const impossible = corpusPerplexity(perplexity([-1, -Infinity], Int32Array.of(0, 1, 2)));
  expect(impossible).toMatchObject({ tokenWeighted: Infinity, geoMean: Infinity, arithMean: Infinity });
});

it("does not overflow before the mean does", () => {
  const { arithMean } = corpusPerplexity(perplexity([-709.7, -709.7, -709.7], Int32Array.of(0, 1, 2, 3)));
  expect(arithMean / Math.exp(709.7)).toBeCloseTo(1, 14);
});
