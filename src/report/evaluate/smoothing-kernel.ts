/** Cells of confidence that residuals are summed in for resampling the smooth calibration error. */
export const RESIDUAL_CELLS = 32;

/**
 * Shares of a residual in each cell that a reflected Gaussian spreads to each cell of [0, 1], `(32 · 32)`, row-major by the cell
 * it goes to; every cell's shares sum to 1. Resamples keep the bandwidth of all rows.
 *
 * @param bandwidth standard deviation in units of confidence; at least a cell wide
 */
export function smoothingKernel(bandwidth: number): Float64Array {
  const n = RESIDUAL_CELLS;
  const sigma = Math.max(bandwidth, 1 / n);
  const kernel = new Float64Array(n * n);
  const density = (distance: number): number => Math.exp(-((distance / sigma) ** 2) / 2);
  for (let from = 0; from < n; from += 1) {
    const p = (from + 0.5) / n;
    let total = 0;
    for (let to = 0; to < n; to += 1) {
      const t = (to + 0.5) / n;
      const share = density(t - p) + density(t + p) + density(t + p - 2);
      kernel[to * n + from] = share;
      total += share;
    }
    for (let to = 0; to < n; to += 1) kernel[to * n + from] = (kernel[to * n + from] as number) / total;
  }
  return kernel;
}
