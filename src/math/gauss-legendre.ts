/** Nodes in (0, 1), ascending, and weights that sum to 1. */
export interface QuadratureRule {
  readonly nodes: Float64Array;
  readonly weights: Float64Array;
}

/**
 * The Gauss–Legendre rule with `n` nodes on [0, 1], exact for polynomials of degree 2n - 1. Nodes by Newton's
 * iteration on the Legendre polynomial from the asymptotic start cos(π (i + 3/4) / (n + 1/2)).
 */
export function gaussLegendre(n: number): QuadratureRule {
  const nodes = new Float64Array(n);
  const weights = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let x = -Math.cos((Math.PI * (i + 0.75)) / (n + 0.5));
    let slope = 1;
    for (let step = 0; step < 8; step++) {
      const [value, derivative] = legendre(n, x);
      slope = derivative;
      x -= value / slope;
    }
    nodes[i] = (1 + x) / 2;
    weights[i] = 1 / ((1 - x * x) * slope * slope);
  }
  return { nodes, weights };
}

/** The Legendre polynomial of degree `n` and its derivative at `x`. */
function legendre(n: number, x: number): readonly [number, number] {
  let before = 1;
  let value = x;
  for (let k = 2; k <= n; k++) [before, value] = [value, ((2 * k - 1) * x * value - (k - 1) * before) / k];
  return [value, (n * (x * value - before)) / (x * x - 1)];
}
