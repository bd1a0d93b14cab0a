"""One kernel of a Python library on the arrays of bench/metrics.mjs: python metrics.py ENGINE TASK PREFIX"""

import json
import resource
import statistics
import sys
import time

import numpy as np

ENGINE, TASK, PREFIX = sys.argv[1:4]
NOTE = ""
REPEATS = 3


def load(name, dtype):
    return np.fromfile(f"{PREFIX}.{name}", dtype=dtype)


labels = load("labels.u8", np.uint8)


def scores(dtype=np.float64):
    return load("scores.f64" if dtype == np.float64 else "scores.f32", dtype)


def numpy_ece():
    p = scores()
    y = labels.astype(np.float64)
    edges = np.linspace(0, 1, 16)

    def run():
        which = np.searchsorted(edges[1:-1], p, side="left")
        count = np.bincount(which, minlength=15)
        conf = np.bincount(which, weights=p, minlength=15)
        hit = np.bincount(which, weights=y, minlength=15)
        return float(np.abs(conf - hit).sum() / count.sum())

    return run


def duckdb_ece():
    import duckdb

    frame = {"p": scores(), "y": labels}
    con = duckdb.connect()
    con.execute("create table t as select * from frame")
    query = """select sum(abs(c - h)) / sum(n) from (
        select count(*) n, sum(p) c, sum(y) h from t group by greatest(ceil(p * 15) - 1, 0))"""
    return lambda: con.execute(query).fetchone()[0]


def polars_ece():
    import polars as pl

    frame = pl.DataFrame({"p": scores(), "y": labels})

    def run():
        bins = frame.group_by(((pl.col("p") * 15).ceil() - 1).clip(lower_bound=0).cast(pl.Int8)).agg(
            pl.len().alias("n"), pl.col("p").sum().alias("c"), pl.col("y").cast(pl.Float64).sum().alias("h")
        )
        return float((bins["c"] - bins["h"]).abs().sum() / bins["n"].sum())

    return run


def torchmetrics_ece():
    import torch
    from torchmetrics.functional.classification import binary_calibration_error

    p = torch.from_numpy(scores(np.float32))
    y = torch.from_numpy(labels.astype(np.int64))
    return lambda: float(binary_calibration_error(p, y, n_bins=15, norm="l1", validate_args=False))


def sklearn_auroc(dtype):
    from sklearn.metrics import roc_auc_score

    p = scores(dtype)
    return lambda: float(roc_auc_score(labels, p))


def torchmetrics_auroc():
    import torch
    from torchmetrics.functional.classification import binary_auroc

    p = torch.from_numpy(scores(np.float32))
    y = torch.from_numpy(labels.astype(np.int64))
    return lambda: float(binary_auroc(p, y, validate_args=False))


def sklearn_f1():
    from sklearn.metrics import f1_score

    truth, predicted = load("classes.u8", np.uint8), load("predicted.u8", np.uint8)
    return lambda: float(f1_score(truth, predicted, average="macro"))


def sklearn_brier():
    from sklearn.metrics import brier_score_loss

    p = scores()
    return lambda: float(brier_score_loss(labels, p))


def sklearn_nll():
    from sklearn.metrics import log_loss

    p = scores()
    return lambda: float(log_loss(labels, p))


def sklearn_bootstrap():
    """1,000 resamples of 10,000 rows: 50 are run, and the time is multiplied by 20."""
    from sklearn.metrics import roc_auc_score

    global NOTE
    NOTE = " (50 resamples, times 20)"
    p, y = scores()[:10_000], labels[:10_000]

    def run():
        random = np.random.default_rng(0)
        values = []
        for _ in range(50):
            rows = random.integers(0, len(p), len(p))
            values.append(roc_auc_score(y[rows], p[rows]))
        return float(np.quantile(values, 0.025))

    return run


def numpy_iou():
    """Histograms, a multinomial bootstrap and a hypergeometric null over them, vectorised."""
    ppl = 1 / np.maximum(scores()[:1_000_000], 1e-6)
    y = labels[:1_000_000]
    correct, wrong = np.log(ppl[y == 1]), np.log(ppl[y == 0])

    def iou(c, w):
        c, w = c / c.sum(-1, keepdims=True), w / w.sum(-1, keepdims=True)
        return np.minimum(c, w).sum(-1) / np.maximum(c, w).sum(-1)

    def run():
        bins = int(np.clip(np.ceil(2 * min(len(correct), len(wrong)) ** (1 / 3) - 1e-9), 5, 100))
        pool = np.concatenate([correct, wrong])
        weight = np.concatenate([np.full(len(correct), 0.5 / len(correct)), np.full(len(wrong), 0.5 / len(wrong))])
        order = np.argsort(pool)
        cumulative = np.cumsum(weight[order])
        low, high = (pool[order][np.searchsorted(cumulative, q - 1e-12)] for q in (0.005, 0.995))
        edges = np.linspace(low, high, bins + 1)
        counts = [np.histogram(np.clip(x, low, high), edges)[0] for x in (correct, wrong)]
        random = np.random.default_rng(0)
        cells = np.concatenate(counts)
        drawn = random.multinomial(cells.sum(), cells / cells.sum(), 1000)
        iou(drawn[:, :bins], drawn[:, bins:])
        pooled = counts[0] + counts[1]
        null = random.multivariate_hypergeometric(pooled, counts[0].sum(), 200)
        iou(null, pooled - null)
        return float(iou(*(c.astype(float) for c in counts)))

    return run


ENGINES = {
    ("numpy", "ece"): (numpy_ece, 1),
    ("duckdb", "ece"): (duckdb_ece, 1),
    ("polars", "ece"): (polars_ece, 1),
    ("torchmetrics", "ece"): (torchmetrics_ece, 1),
    ("sklearn", "auroc64"): (lambda: sklearn_auroc(np.float64), 1),
    ("sklearn", "auroc32"): (lambda: sklearn_auroc(np.float32), 1),
    ("torchmetrics", "auroc32"): (torchmetrics_auroc, 1),
    ("sklearn", "f1"): (sklearn_f1, 1),
    ("sklearn", "brier"): (sklearn_brier, 1),
    ("sklearn", "nll"): (sklearn_nll, 1),
    ("sklearn", "bootstrap"): (sklearn_bootstrap, 20),
    ("numpy", "iou"): (numpy_iou, 1),
}

make, times = ENGINES[(ENGINE, TASK)]
run = make()
answer = run()
seconds = []
for _ in range(REPEATS):
    started = time.perf_counter()
    answer = run()
    seconds.append((time.perf_counter() - started) * times)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"seconds": statistics.median(seconds), "answer": answer, "peakMiB": peak, "note": NOTE}))
