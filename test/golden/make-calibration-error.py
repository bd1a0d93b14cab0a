"""Writes calibration errors, smooth calibration errors, binomial bands and bootstrap intervals from numpy, scipy, scikit-learn
and torchmetrics.

usage: python make-calibration-error.py OUTPUT.json

The smooth errors are those of the relplot package's definition (Gaussian kernel of bandwidth s, cut at a distance of one
half, reflected at 0 and 1; the bandwidth where it equals the error), summed row by row on a fine grid. relplot shares rows
between the nodes of a grid of 1000 intervals whose end nodes have no mirror image: there a row counts half.
"""

import json
import sys

import numpy as np
import torch
from scipy import stats
from sklearn.calibration import calibration_curve
from torchmetrics.functional.classification import binary_calibration_error, multiclass_calibration_error


def rows(rng, name, n):
    p = {
        "uniform": lambda: rng.random(n),
        "rounded": lambda: np.round(rng.random(n), 2),
        "confident": lambda: np.exp(-rng.exponential(0.2, n)),
        "saturated": lambda: np.where(rng.random(n) < 0.3, 1.0, rng.random(n)),
        "float32": lambda: rng.random(n).astype(np.float32).astype(float),
    }[name]()
    return p, (rng.random(n) < p**1.5).astype(int)


def binned(p, y, bins):
    """Bins (a, b] with the edges k/bins, by searching them: count, mean confidence, accuracy."""
    codes = np.searchsorted(np.arange(1, bins) / bins, p, side="left")
    count = np.bincount(codes, minlength=bins)
    with np.errstate(invalid="ignore"):
        return count, np.bincount(codes, p, bins) / count, np.bincount(codes, y, bins) / count


def norms(count, conf, acc):
    used = count > 0
    n, gap, a = count[used], np.abs(conf - acc)[used], acc[used]
    share = n / n.sum()
    several = n > 1
    excess = (a * (1 - a))[several] / (n[several] - 1)
    return {
        "l1": float(np.sum(share * gap)),
        "l2": float(np.sqrt(np.sum(share * gap**2))),
        "max": float(gap.max()),
        "l2_debiased": float(np.sqrt(max(0, np.sum(share[several] * (gap[several] ** 2 - excess))))),
    }


def quantile_error(p, y, bins):
    """scikit-learn gives the means of the bins that hold rows; the counts follow from its edges."""
    accuracy, confidence = calibration_curve(y, p, n_bins=bins, strategy="quantile")
    edges = np.percentile(p, np.linspace(0, 1, bins + 1) * 100)
    count = np.bincount(np.searchsorted(edges[1:-1], p), minlength=bins)
    count = count[count > 0]
    return {"count": count.tolist(), "l1": float(np.sum(count * np.abs(accuracy - confidence)) / len(p))}


def smooth_error(p, y, points=4001):
    t = np.linspace(0, 1, points)
    weight = np.where((t == 0) | (t == 1), 0.5, 1.0)

    def error(s):
        def kernel(d):
            return np.where(np.abs(d) <= 0.5, np.exp(-(d**2) / (2 * s * s)), 0)

        k = kernel(t[:, None] - p) + kernel(t[:, None] + p) + kernel(t[:, None] - (2 - p))
        k *= 1 - np.clip(1 - 1000 * np.minimum(p, 1 - p), 0, 1) / 2
        return (weight @ np.abs(k @ (y - p))) / (weight @ k.sum(axis=1))

    low, high = 0.001, 1.0
    for _ in range(16):
        middle = (low + high) / 2
        low, high = (middle, high) if error(middle) > middle else (low, middle)
    return float(error(high))


def binary_case(rng, name, n):
    p, y = rows(rng, name, n)
    case = {"name": name, "p": p.tolist(), "y": y.tolist(), "smooth": smooth_error(p, y), "bins": {}}
    for bins in (1, 2, 5, 10, 15, 37):
        count, conf, acc = binned(p, y, bins)
        case["bins"][bins] = {"count": count.tolist(), **norms(count, conf, acc), "quantile": quantile_error(p, y, bins)}
    if name not in ("rounded", "saturated"):
        target, score = torch.tensor(y), torch.tensor(p)
        case["torchmetrics15"] = {
            norm: float(binary_calibration_error(score, target, n_bins=15, norm=norm)) for norm in ("l1", "l2", "max")
        }
    return case


def multiclass_case(rng, n=120, classes=4):
    logits = rng.normal(size=(n, classes)) * 2
    p = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    labels = np.array([rng.choice(classes, p=row) for row in p])
    per_class = [norms(*binned(p[:, c], labels == c, 10))["l1"] for c in range(classes)]
    top = multiclass_calibration_error(torch.tensor(p), torch.tensor(labels), num_classes=classes, n_bins=10, norm="l1")
    return {
        "classes": classes,
        "p": p.ravel().tolist(),
        "labels": labels.tolist(),
        "per_class10": per_class,
        "classwise10": float(np.mean(per_class)),
        "top10_torchmetrics": float(top),
    }


def binomial_cases():
    cases = []
    for n, p in [(1, 0.3), (2, 0.5), (10, 0.07), (25, 0.96), (300, 0.5), (12345, 0.001), (1000000, 0.37)]:
        law = stats.binom(n, p)
        cases.append({
            "n": n,
            "p": p,
            "low": float(law.ppf(0.025)),
            "high": float(law.ppf(0.975)),
            "meanDeviation": float(mean_deviation(n, p)),
            "atMode": float(law.pmf(np.floor((n + 1) * p))),
        })
    return cases


def mean_deviation(n, p):
    """de Moivre's formula for E|K - np|."""
    k = np.floor(n * p) + 1
    return 2 * k * (1 - p) * stats.binom.pmf(k, n, p)


def bootstrap_case(rng):
    x = np.round(rng.gamma(1.5, 2, 25), 3)
    case = {"x": x.tolist(), "mean": float(x.mean())}
    for method in ("percentile", "basic", "bca"):
        result = stats.bootstrap(
            (x,), np.mean, n_resamples=400_000, batch=20_000, method=method, confidence_level=0.9, random_state=np.random.default_rng(5)
        )
        case[method] = [float(result.confidence_interval.low), float(result.confidence_interval.high)]
        case["standardError"] = float(result.standard_error)
    return case


def permutation_case(rng):
    x = np.round(rng.normal(size=12), 3)
    y = np.array([0, 1] * 6)
    x[y == 1] = np.round(x[y == 1] + 1.2, 3)

    def gap(a, b):
        return np.mean(a) - np.mean(b)

    exact = {
        tail: float(stats.permutation_test((x[y == 1], x[y == 0]), gap, n_resamples=np.inf, alternative=name).pvalue)
        for tail, name in (("low", "less"), ("high", "greater"), ("both", "two-sided"))
    }
    return {"x": x.tolist(), "y": y.tolist(), "gap": float(gap(x[y == 1], x[y == 0])), **exact}


def main(output):
    rng = np.random.default_rng(20240)
    golden = {
        "binary": [binary_case(rng, name, 160) for name in ("uniform", "rounded", "confident", "saturated", "float32")],
        "multiclass": multiclass_case(rng),
        "binomial": binomial_cases(),
        "bootstrap": bootstrap_case(rng),
        "permutation": permutation_case(rng),
    }
    with open(output, "w", encoding="utf-8") as file:
        json.dump(golden, file, indent=None, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
