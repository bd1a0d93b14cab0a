import { CalibrantError } from "../errors.ts";
import type { NumericArray } from "../types.ts";
import { meanOfScaled, PPL_SCALE } from "./mean-ppl.ts";
import type { PerplexityColumns } from "./perplexity.ts";

/** The numbers that papers and tools call "perplexity of a corpus". All are NaN when no row counts. */
export interface CorpusPerplexity {
  /** exp(−Σ ln p / Σ n): every token weighs the same. */
  readonly tokenWeighted: number;
  /** exp(mean nll): the geometric mean of the rows' perplexities; every row weighs the same. */
  readonly geoMean: number;
  /** mean PPL: the expectation in TRUST Eq. 4. */
  readonly arithMean: number;
  /** exp(−Σ ln p / rows): what lm-evaluation-harness calls perplexity; grows with the length of the rows. */
  readonly sumPerDoc: number;
  /** −Σ ln p / (ln 2 · Σ bytes), in bits; NaN without `utf8Bytes`. */
  readonly bitsPerByte: number;
  /** Rows with a perplexity. */
  readonly rows: number;
  /** Rows without one, left out of every number. */
  readonly excluded: number;
}

/** Options of {@link corpusPerplexity}. */
export interface CorpusPerplexityOptions {
  /** Length of each row's text in UTF-8 bytes (not characters), `(rows)`, for `bitsPerByte`. */
  readonly utf8Bytes?: NumericArray;
}

/**
 * Perplexities of a corpus, each under its own name. Rows whose perplexity is NaN are left out and counted; a single
 * infinite row makes every number Infinity.
 *
 * @param columns what `perplexity` returned
 * @throws CalibrantError `length-mismatch` when `utf8Bytes` has not one entry a row.
 *
 * @example
 * ```ts
 * import { corpusPerplexity, perplexity } from "calibrant/uq";
 * const rows = perplexity([-1, -0.2, -0.2, -0.2], Int32Array.of(0, 1, 4));
 * console.log(corpusPerplexity(rows).geoMean.toFixed(4)); // 1.8221
 * ```
 */
export function corpusPerplexity(
  columns: Pick<PerplexityColumns, "n" | "sumLogprob" | "nll" | "ppl">,
  options: CorpusPerplexityOptions = {},
): CorpusPerplexity {
  const { n, sumLogprob, nll, ppl } = columns;
  const { utf8Bytes } = options;
  checkBytes(utf8Bytes, n.length);
  let rows = 0;
  let tokens = 0;
  let sum = 0;
  let nllSum = 0;
  let pplSum = 0;
  let bytes = 0;
  for (let row = 0; row < n.length; row++) {
    if (Number.isNaN(ppl[row])) continue;
    rows += 1;
    tokens += n[row] as number;
    sum += sumLogprob[row] as number;
    nllSum += nll[row] as number;
    pplSum += (ppl[row] as number) * PPL_SCALE;
    bytes += utf8Bytes === undefined ? Number.NaN : (utf8Bytes[row] as number);
  }
  return {
    tokenWeighted: Math.exp(-sum / tokens),
    geoMean: Math.exp(nllSum / rows),
    arithMean: meanOfScaled(pplSum, rows),
    sumPerDoc: Math.exp(-sum / rows),
    bitsPerByte: -sum / (Math.LN2 * bytes),
    rows,
    excluded: n.length - rows,
  };
}

function checkBytes(utf8Bytes: NumericArray | undefined, rows: number): void {
  if (utf8Bytes === undefined || utf8Bytes.length === rows) return;
  const found = utf8Bytes.length;
  throw new CalibrantError("length-mismatch", `utf8Bytes must number ${rows}, one a row; got ${found}`, {
    found,
    rows,
  });
}
