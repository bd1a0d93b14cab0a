/** The kernel is cut where it is below exp(−32) of its centre; sooner at half the interval. */
const REACH_IN_SIGMAS = 8;
/** Outputs that far apart, in bandwidths, lose nothing of a smooth function's area. */
const OUTPUT_SPACING = 1 / 16;
/** A kernel that ends above this share of its centre makes jumps, which outputs must not step over. */
const JUMP = 1e-6;

/** A Gaussian on a grid: `values[d]` at a distance of d nodes, 1 at the centre. */
interface GridKernel {
  readonly values: Float64Array;
  /** Sum over both sides. */
  readonly total: number;
  /** Nodes from one output to the next. */
  readonly spacing: number;
}

/**
 * The area ∫|s(t)| dt over [0, 1] of point masses smoothed by a Gaussian that is reflected at both ends, cut at a distance of
 * one half, and normalised: what `ReflectedGaussianKernel` of the relplot package computes (Błasiok & Nakkiran 2023).
 * As there, the masses at exactly 0 and 1 have no mirror image, so half of their smoothed mass is outside.
 *
 * @param masses `(m + 1)`, m even: the masses at 0, 1/m, …, 1; any sign
 * @param sigma standard deviation of the Gaussian, positive; for an accurate result at least 10/m
 */
export function smoothedArea(masses: Float64Array, sigma: number): number {
  const kernel = gridKernel(masses.length - 1, sigma);
  return (kernel.spacing * area(smoothed(masses, kernel), Math.abs)) / kernel.total;
}

/**
 * The mean of {@link smoothedArea} when the masses are independent normal numbers with mean 0 and these variances:
 * sqrt(2/π) ∫ sd(t) dt, where a mass at x and its mirror image at −x add up before they are squared,
 * (k(t − x) + k(t + x))² = k(t − x)² + k(t + x)² + 2 exp(−t²/σ²) exp(−x²/σ²).
 *
 * @param variances `(m + 1)`, not negative, 0 at both ends
 */
export function meanSmoothedArea(variances: Float64Array, sigma: number): number {
  const m = variances.length - 1;
  const kernel = gridKernel(m, sigma);
  const squares = smoothed(variances, { ...kernel, values: kernel.values.map((value) => value * value) });
  const fade = (d: number): number => Math.exp(-((d / m / sigma) ** 2));
  const [atStart, atEnd] = [0, 0].map((_, side) =>
    variances.reduce((sum, variance, j) => sum + variance * fade(side === 0 ? j : m - j), 0),
  ) as [number, number];
  const deviation = (square: number, i: number): number => {
    const t = i * kernel.spacing;
    return Math.sqrt(square + 2 * (fade(t) * atStart + fade(m - t) * atEnd));
  };
  return (Math.sqrt(2 / Math.PI) * kernel.spacing * area(squares, deviation)) / kernel.total;
}

function gridKernel(m: number, sigma: number): GridKernel {
  const reach = Math.min(m / 2, Math.ceil(REACH_IN_SIGMAS * sigma * m));
  const values = Float64Array.from({ length: reach + 1 }, (_, d) => Math.exp(-0.5 * (d / m / sigma) ** 2));
  const total = 2 * values.reduce((sum, value) => sum + value, 0) - 1;
  const jumps = (values[reach] as number) > JUMP;
  return { values, total, spacing: jumps ? 1 : outputSpacing(m, sigma) };
}

/** The largest power of two that divides m and keeps outputs close enough. */
function outputSpacing(m: number, sigma: number): number {
  let spacing = 1;
  while (m % (2 * spacing) === 0 && 2 * spacing <= OUTPUT_SPACING * sigma * m) spacing *= 2;
  return spacing;
}

/** Sums of masses times kernel at every `spacing`-th node. */
function smoothed(masses: Float64Array, { values, spacing }: GridKernel): Float64Array {
  const m = masses.length - 1;
  const reach = values.length - 1;
  const extended = reflected(masses, reach);
  const outputs = new Float64Array(m / spacing + 1);
  for (let i = 0; i < outputs.length; i++) {
    const centre = i * spacing + reach;
    let sum = extended[centre] as number;
    for (let d = 1; d <= reach; d++) {
      sum += (values[d] as number) * ((extended[centre - d] as number) + (extended[centre + d] as number));
    }
    outputs[i] = sum;
  }
  return outputs;
}

/** The masses with `reach` mirrored ones before and after; the end masses are not doubled. */
function reflected(masses: Float64Array, reach: number): Float64Array {
  const m = masses.length - 1;
  const extended = new Float64Array(m + 1 + 2 * reach);
  extended.set(masses, reach);
  for (let d = 1; d <= reach; d++) {
    extended[reach - d] = masses[d] as number;
    extended[reach + m + d] = masses[m - d] as number;
  }
  return extended;
}

/** Trapezoidal sum of `height` over the outputs, in units of their spacing. */
function area(outputs: Float64Array, height: (output: number, i: number) => number): number {
  const last = outputs.length - 1;
  let sum = 0;
  for (let i = 0; i <= last; i++) {
    const value = height(outputs[i] as number, i);
    sum += i === 0 || i === last ? value / 2 : value;
  }
  return sum;
}
