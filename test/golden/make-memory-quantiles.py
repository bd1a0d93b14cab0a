"""Means and quantiles of Beta posteriors, with scipy, for test/recovery/memory/belief.test.ts.

Usage: make-memory-quantiles.py OUTPUT.json
Needs scipy and mpmath. Quantiles are refined with 50-digit arithmetic from scipy's, and scipy's own are kept beside them.
"""

import json
import sys

import mpmath
from scipy import stats

mpmath.mp.dps = 50
PRIORS_AND_COUNTS = [
    (1, 1, 0, 0), (1, 1, 0, 1), (1, 1, 1, 0), (0.5, 0.5, 0, 0), (1, 1, 6, 2), (0.5, 0.5, 6, 2), (2.5, 2.5, 3, 11),
    (1, 1, 99_999, 99_999), (1, 1, 9_999_999, 9_999_999), (1, 1, 0, 999_999), (1, 1, 999_999, 0),
    (1, 1, 20, 0), (1, 1, 0, 20), (0.1, 0.1, 1, 4), (1, 1, 123, 4567), (3, 7, 400, 25),
]
LEVELS = [0.95, 0.5, 0.999]


def refine(x, p, a, b):
    """Newton's iteration on the regularised incomplete beta function."""
    a, b, p, x = mpmath.mpf(a), mpmath.mpf(b), mpmath.mpf(p), mpmath.mpf(x)
    log_b = mpmath.loggamma(a) + mpmath.loggamma(b) - mpmath.loggamma(a + b)
    for _ in range(60):
        value = mpmath.betainc(a, b, 0, x, regularized=True)
        density = mpmath.exp((a - 1) * mpmath.log(x) + (b - 1) * mpmath.log1p(-x) - log_b)
        step = (value - p) / density
        x -= step
        if abs(step) < x * mpmath.mpf(10) ** -30:
            break
    return float(x)


rows = []
for prior_a, prior_b, recovered, failed in PRIORS_AND_COUNTS:
    a, b = prior_a + recovered, prior_b + failed
    for level in LEVELS:
        tail = (1 - level) / 2
        scipy_low, scipy_high = stats.beta.ppf(tail, a, b), stats.beta.ppf(1 - tail, a, b)
        exact = max(a, b) <= 1e6 and min(a, b) <= 1e4
        low = refine(scipy_low, tail, a, b) if exact else float(scipy_low)
        high = refine(scipy_high, 1 - tail, a, b) if exact else float(scipy_high)
        rows.append({
            "prior": [prior_a, prior_b], "recovered": recovered, "failed": failed, "level": level,
            "mean": float(stats.beta.mean(a, b)), "low": low, "high": high,
            "scipy_low": float(scipy_low), "scipy_high": float(scipy_high), "refined": exact,
        })

with open(sys.argv[1], "w") as file:
    file.write("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")
