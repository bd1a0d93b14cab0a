/** Rows of one slice of the sample: uncertainty on the axis (ln PPL), margin, and whether each is correct. */
export interface SampleRows {
  readonly x: Float64Array;
  readonly margin: Float64Array;
  readonly correct: Uint8Array;
}

/** A class of rows: `n` quantiles of a Gaussian in ln PPL (not below 0), another in the margin, and rows at infinity. */
export interface SampleClass {
  readonly n: number;
  readonly mean: number;
  readonly sd: number;
  readonly marginMean: number;
  readonly marginSd: number;
  readonly infinite?: number;
}

/** The rows of a slice with these two classes. The same arguments give the same rows: nothing is drawn at random. */
export function sampleRows(correct: SampleClass, wrong: SampleClass): SampleRows {
  const n = correct.n + wrong.n;
  const rows: SampleRows = {
    x: new Float64Array(n),
    margin: new Float64Array(n),
    correct: new Uint8Array(n),
  };
  fill(rows, 0, correct, 1);
  fill(rows, correct.n, wrong, 0);
  return rows;
}

function fill(rows: SampleRows, from: number, side: SampleClass, label: number): void {
  const finite = side.n - (side.infinite ?? 0);
  for (let i = 0; i < side.n; i++) {
    const z = normalQuantile((i + 0.5) / finite);
    rows.x[from + i] = i < finite ? Math.max(0, side.mean + side.sd * z) : Number.POSITIVE_INFINITY;
    rows.margin[from + i] = side.marginMean + side.marginSd * normalQuantile(radicalInverse(i + 1));
    rows.correct[from + i] = label;
  }
}

/** The van der Corput sequence in base 2: spreads evenly over (0, 1) in an order unlike that of the quantiles. */
function radicalInverse(index: number): number {
  let value = 0;
  let digit = 0.5;
  for (let rest = index; rest > 0; rest = Math.floor(rest / 2)) {
    value += (rest % 2) * digit;
    digit /= 2;
  }
  return value;
}

/** Quantile of the standard normal by bisection of Abramowitz & Stegun 26.2.17 (7.5e-8). */
function normalQuantile(p: number): number {
  let low = -8;
  let high = 8;
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function normalCdf(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const poly =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * poly;
  return x > 0 ? 1 - tail : tail;
}
