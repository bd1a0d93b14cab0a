"""Writes discrete-pmf.json: exact probabilities of binomial and hypergeometric distributions from scipy.

    python make-discrete-pmf.py discrete-pmf.json
"""

import json
import sys

import numpy as np
import scipy
from scipy import stats

BINOMIAL = [(1, 0.3), (5, 0.5), (12, 0.999), (40, 0.02), (40, 0.4), (200, 0.7), (1000, 0.013), (20_000, 0.25)]
# total, marked, draws
HYPERGEOMETRIC = [(10, 4, 5), (20, 19, 18), (400, 37, 200), (5000, 2, 2500), (100_000, 3000, 40_000)]


def window(distribution):
    low, high = int(distribution.ppf(1e-7)), int(distribution.ppf(1 - 1e-7))
    values = np.arange(low, high + 1)
    return {"low": low, "pmf": [float(f"{p:.12g}") for p in distribution.pmf(values)]}


cases = {
    "made_with": f"scipy {scipy.__version__}",
    "binomial": [{"n": n, "p": p, **window(stats.binom(n, p))} for n, p in BINOMIAL],
    "hypergeometric": [
        {"total": t, "marked": m, "draws": d, **window(stats.hypergeom(t, m, d))} for t, m, d in HYPERGEOMETRIC
    ],
    "log_factorial": [[n, float(scipy.special.gammaln(n + 1))] for n in (0, 1, 2, 15, 16, 17, 100, 12_345, 10_000_000)],
}
with open(sys.argv[1], "w") as file:
    json.dump(cases, file, indent=None, separators=(",", ":"))
    file.write("\n")
