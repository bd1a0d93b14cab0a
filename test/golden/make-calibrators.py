"""Calibrators and intervals of shares by scikit-learn and scipy, for made-up rows.

usage: python make-calibrators.py OUTPUT.json          (scikit-learn 1.9, scipy 1.17)
"""

import json
import sys

import numpy as np
from scipy import optimize, special, stats
from sklearn.calibration import _SigmoidCalibration
from sklearn.isotonic import IsotonicRegression

rng = np.random.default_rng(7)


def rows(n, scale=1.0, shift=0.0, decimals=None):
    z = rng.normal(size=n) * 2
    y = (rng.random(n) < special.expit(0.6 * z - 0.3)).astype(int)
    x = z * scale + shift
    return (x if decimals is None else np.round(x, decimals)), y, rng.integers(0, 4, n)


def temperature(logits, y, w):
    """By Brent's root finding on the derivative of the mean loss by 1/T."""
    logits = np.asarray(logits, float)
    if logits.ndim == 1:
        logits = np.stack([np.zeros(len(logits)), logits], 1)

    def loss(beta):
        scaled = beta * logits
        return np.average(special.logsumexp(scaled, axis=1) - scaled[np.arange(len(y)), y], weights=w)

    def slope(beta):
        mean = np.sum(special.softmax(beta * logits, axis=1) * logits, axis=1)
        return np.average(mean - logits[np.arange(len(y)), y], weights=w)

    if slope(1e-2) >= 0 or slope(1e2) <= 0:
        return None
    beta = optimize.brentq(slope, 1e-2, 1e2, xtol=1e-15, rtol=1e-14)
    return {"temperature": float(1 / beta), "nll": float(loss(beta)), "nllBefore": float(loss(1.0))}


def platt(x, y, w):
    fit = _SigmoidCalibration()
    # The targets have the prior correction from weighted counts, as in the class; the tolerance is tighter.
    ones, zeros = float(w[y == 1].sum()), float(w[y == 0].sum())
    target = np.where(y == 1, (ones + 1) / (ones + 2), 1 / (zeros + 2))

    def loss(ab):
        e = ab[0] * x + ab[1]
        grad = w * (target - special.expit(-e))
        return float(np.sum(w * (target * e + np.logaddexp(0, -e)))), np.array([np.sum(grad * x), np.sum(grad)])

    fit.fit(x, y, sample_weight=w)
    best = optimize.root(lambda ab: loss(ab)[1], [fit.a_, fit.b_], tol=1e-14)
    assert abs(best.x[0] - fit.a_) < 1e-3 * abs(fit.a_), (best.x, fit.a_, fit.b_)
    return [float(v) for v in best.x]


def isotonic(x, y, w, increasing, queries):
    # Rows of weight 0 are left out: scikit-learn leaves them out as well, but only since 0.24.
    keep = w > 0
    fit = IsotonicRegression(increasing=increasing, out_of_bounds="clip").fit(x[keep], y[keep], sample_weight=w[keep])
    return [float(v) for v in fit.predict(queries)]


def intervals():
    out = []
    for k, n in [(0, 1), (1, 1), (0, 10), (8, 10), (3, 7), (50, 100), (999, 1000), (1, 100000), (5000000, 10000000)]:
        for level in (0.5, 0.95, 0.999):
            test = stats.binomtest(k, n)
            tail = (1 - level) / 2
            row = {"k": k, "n": n, "level": level}
            interval = test.proportion_ci(level, "wilson")
            row["wilson"] = [float(interval.low), float(interval.high)]
            # Quantiles: binomtest finds the exact interval by iteration to fewer digits. They must agree, though.
            exact = [float(special.betaincinv(k, n - k + 1, tail)) if k > 0 else 0.0,
                     float(special.betaincinv(k + 1, n - k, 1 - tail)) if k < n else 1.0]  # fmt: skip
            assert np.allclose(exact, test.proportion_ci(level, "exact"), rtol=1e-6)
            row["clopper-pearson"] = exact
            for name, prior in (("uniform", 1), ("jeffreys", 0.5)):
                posterior = stats.beta(k + prior, n - k + prior)
                row[name] = [float(posterior.ppf(tail)), float(posterior.isf(tail)), float(posterior.mean())]
            out.append(row)
    return out


def main(path):
    sets = []
    for n, scale, shift, decimals in [(12, 1, 0, 1), (40, 1, 0, 0), (200, 1, 0, None), (200, 1000, 5000, 0), (60, 1e-6, 1, None)]:
        x, y, w = rows(n, scale, shift, decimals)
        queries = np.concatenate([np.linspace(x.min() - scale, x.max() + scale, 15), x[:5]])
        weights = {"one": np.ones(n), "counts": w.astype(float)}
        sets.append({
            "x": x.tolist(), "y": y.tolist(), "w": w.tolist(), "queries": queries.tolist(),
            "platt": {name: platt(x, y, v) for name, v in weights.items()},
            "logits": ((x - shift) / scale).tolist(),
            "temperature": {name: temperature((x - shift) / scale, y, v) for name, v in weights.items()},
            "isotonic": {
                f"{name}-{word}": isotonic(x, y, v, word == "increasing", queries)
                for name, v in weights.items()
                for word in ("increasing", "decreasing")
            },
        })  # fmt: skip
    logits = np.round(rng.normal(size=(50, 4)) * 3, 3)
    labels = np.array([rng.choice(4, p=special.softmax(row * 0.5)) for row in logits])
    classes = {"logits": logits.ravel().tolist(), "labels": labels.tolist(), **temperature(logits, labels, np.ones(50))}
    with open(path, "w") as out:
        json.dump({"sets": sets, "classes": classes, "intervals": intervals()}, out)
        out.write("\n")


main(sys.argv[1])
