"""Largest difference of each added numeric column of two scored files, as JSON: python compare.py A B

A difference is |a - b| / max(1, |b|); two NaN are equal. Both files hold the same rows in the same order, A perhaps
more of them.
"""

import json
import sys

import numpy as np
import pyarrow.compute as pc

from files import read_table

COLUMNS = ["ppl", "nll", "margin", "certainty", "r_fmt", "r_ans", "r_cls", "reward", "advantage"]


def numbers(table, name):
    return pc.fill_null(table[name].cast("float64"), float("nan")).to_numpy()


def main(path, other):
    left, right = read_table(path), read_table(other)
    left = left.slice(0, right.num_rows)
    if left["rollout_id"].to_pylist() != right["rollout_id"].to_pylist():
        sys.exit(f"{path} and {other} hold different rows")
    found = {}
    for name in COLUMNS:
        a, b = numbers(left, name), numbers(right, name)
        missing = np.isnan(a) & np.isnan(b)
        difference = np.abs(a - b) / np.maximum(1, np.abs(b))
        found[name] = float(np.max(np.where(missing, 0, difference)))
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
