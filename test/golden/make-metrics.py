"""Writes metrics.json: ranking and probability metrics by scikit-learn and by definition.

    python make-metrics.py metrics.json

Needs numpy, scipy and scikit-learn (written with 2.4, 1.17 and 1.9.1). Infinite scores are ranked first, since
scikit-learn refuses them and only their order counts. AURC is the mean over prefixes of the expected prefix risk, by a
loop over the places inside each tie; rows of integer weight are repeated.
"""

import json
import sys

import numpy as np
from scipy.stats import rankdata
from sklearn.metrics import (
    average_precision_score,
    brier_score_loss,
    confusion_matrix,
    f1_score,
    log_loss,
    precision_recall_fscore_support,
    roc_auc_score,
)


def aurc(score, wrong):
    score, wrong = np.asarray(score), np.asarray(wrong)
    kept = bad = total = 0
    for value in np.unique(score):
        group = wrong[score == value]
        for j in range(1, len(group) + 1):
            total += (bad + j * group.mean()) / (kept + j)
        kept += len(group)
        bad += group.sum()
    return total / len(score)


def ranking(name, score, label, weight=None):
    score, label = np.asarray(score, float), np.asarray(label)
    ranks = rankdata(score)
    times = np.ones(len(score), int) if weight is None else weight
    rows = np.repeat(ranks, times), np.repeat(label, times)
    measured = aurc(*rows)
    return {
        "name": name,
        "score": [x if np.isfinite(x) else ("Infinity" if x > 0 else "-Infinity") for x in score.tolist()],
        "label": label.tolist(),
        "weight": None if weight is None else weight.tolist(),
        "auroc": roc_auc_score(label, ranks, sample_weight=weight),
        "ap": average_precision_score(label, ranks, sample_weight=weight),
        "ap_low": average_precision_score(label, -ranks, sample_weight=weight),
        "aurc": measured,
        "eaurc": measured - aurc(rows[1], rows[1]),
    }


def fractional(name, score, label, weight):
    return {
        "name": name,
        "score": score.tolist(),
        "label": label.tolist(),
        "weight": weight.tolist(),
        "auroc": roc_auc_score(label, score, sample_weight=weight),
        "ap": average_precision_score(label, score, sample_weight=weight),
    }


def probability(name, p, y, weight=None):
    return {
        "name": name,
        "p": p.tolist(),
        "y": y.tolist(),
        "weight": None if weight is None else weight.tolist(),
        "brier": brier_score_loss(y, p, sample_weight=weight),
        "nll_clipped": log_loss(y, p, sample_weight=weight, labels=[0, 1]),
    }


def classes(name, truth, predicted, count, weight=None):
    labels = list(range(count))
    precision, recall, f1, support = precision_recall_fscore_support(
        truth, predicted, labels=labels, zero_division=np.nan, sample_weight=weight
    )

    def mean(average, zero_division):
        kind = {"labels": labels, "average": average, "zero_division": zero_division}
        return f1_score(truth, predicted, sample_weight=weight, **kind)

    nan = lambda values: ["NaN" if np.isnan(v) else float(v) for v in values]
    return {
        "name": name,
        "truth": truth.tolist(),
        "predicted": predicted.tolist(),
        "classes": count,
        "weight": None if weight is None else weight.tolist(),
        "counts": confusion_matrix(truth, predicted, labels=labels, sample_weight=weight).ravel().tolist(),
        "precision": nan(precision),
        "recall": nan(recall),
        "f1": nan(f1),
        "support": np.asarray(support, float).tolist(),
        "macro_zero": mean("macro", 0.0),
        "macro_one": mean("macro", 1.0),
        "macro_skip": mean("macro", np.nan),
        "macro_observed": f1_score(truth, predicted, average="macro", sample_weight=weight),
        "micro": mean("micro", 0.0),
        "weighted": mean("weighted", 0.0),
    }


def main(path):
    rng = np.random.default_rng(20)
    n = 60
    plain = rng.normal(size=n).round(6)
    label = (rng.random(n) < 1 / (1 + np.exp(-plain))).astype(int)
    tied = rng.integers(0, 6, n).astype(float)
    infinite = np.where(rng.random(n) < 0.2, np.inf, np.where(rng.random(n) < 0.2, -np.inf, tied))
    whole = rng.integers(0, 5, n)
    long_tie = np.concatenate([np.full(80, 1.5), np.full(70, -2.0), rng.normal(size=20).round(3)])
    long_label = (rng.random(170) < 0.3).astype(int)
    share = rng.random(n).round(4)
    p = rng.random(n).round(5)
    y = (rng.random(n) < p).astype(int)
    sure = p.copy()
    sure[:4] = [0, 1, 0, 1]
    truth, predicted = rng.integers(0, 4, 50), rng.integers(0, 5, 50)
    sparse = np.array([0, 1, 0, 3]), np.array([0, 1, 2, 2])
    result = {
        "ranking": [
            ranking("distinct", plain, label),
            ranking("ties", tied, label),
            ranking("infinities", infinite, label),
            ranking("long ties", long_tie, long_label),
            ranking("whole weights", tied, label, whole),
        ],
        "fractional": [fractional("fractional weights", tied, label, share)],
        "probability": [
            probability("plain", p, y),
            probability("weights", p, y, share),
            probability("certain", sure, y),
        ],
        "classes": [
            classes("five classes", truth, predicted, 5),
            classes("absent class", *sparse, 5),
            classes("weights", truth, predicted, 7, rng.random(50).round(3)),
        ],
    }
    with open(path, "w") as file:
        json.dump(result, file, indent=None)
        file.write("\n")


main(sys.argv[1])
