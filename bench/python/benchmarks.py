"""ToolFault-Bench's metrics by a Python library: python benchmarks.py ENGINE FOLDER

FOLDER is what make-toolfault-predictions.py wrote. Reading the files is not timed. ENGINE is one of

  polars, duckdb    from the Arrow tables of predictions and items to the answer, with expressions or SQL: checks that
                    no item has two answers in a sample, counts the answers that are missing, joins, and aggregates.
                    Conversion into the engine is timed. Each step is written in the fastest of several tried ways.
  polars-unchecked, duckdb-unchecked
                    the same without looking for answers that are double or missing
  sklearn           f1_score and accuracy_score on integer codes of all rows, made before the clock starts
  polars-counts, duckdb-counts, numpy-counts
                    rows of every (item, fault, action) counted over small integers, which are made, and loaded into the
                    engine, before the clock starts; the rest is numpy on the counts. Nothing is checked.
"""

import os

os.environ["POLARS_MAX_THREADS"] = "2"

import json
import resource
import statistics
import sys
import time

import numpy as np
import pyarrow as pa

ENGINE, FOLDER = sys.argv[1:3]
THREADS = 2
REPEATS = 3

FAULTS, ACTIONS = 13, 11
CELLS = (FAULTS + 1) * (ACTIONS + 1)  # of an item; the last fault and the last action stand for none that is known


def read(name):
    with pa.memory_map(f"{FOLDER}/{name}.arrow") as source:
        return pa.ipc.open_file(source).read_all()


def labels_of(column):
    return column.chunk(0).dictionary.to_pylist()


def codes_of(column, missing):
    return np.concatenate([part.indices.fill_null(missing).to_numpy() for part in column.chunks])


def predicted_codes(table):
    """Items, faults and actions; a missing label has the code after the last."""
    missing = {"id": 0, "fault_type": FAULTS, "next_action": ACTIONS}
    return {name: codes_of(table[name], code) for name, code in missing.items()}


class Items:
    """The item table as integer codes, in the order of the predictions' dictionary of ids."""

    def __init__(self, predictions):
        items = read("items")
        place = {key: row for row, key in enumerate(items["id"].to_pylist())}
        order = [place[key] for key in labels_of(predictions["id"])]
        faults, actions = labels_of(predictions["fault_type"]), labels_of(predictions["next_action"])
        code = {action: bit for bit, action in enumerate(actions)}

        def masks(name):
            sets = items[name].to_pylist()
            return np.array([sum(1 << code[action] for action in sets[row]) for row in order])

        def keys(name):
            values = items[name].to_pylist()
            names = sorted(set(values))
            return names, np.array([names.index(values[row]) for row in order])

        gold = items["fault_type"].to_pylist()
        self.fault = np.array([faults.index(gold[row]) for row in order])
        self.acceptable, self.critical = masks("acceptable_next_actions"), masks("critical_next_actions")
        self.domains, self.domain = keys("domain")
        self.difficulties, self.difficulty = keys("difficulty")


def share(hits, of):
    return float(hits) / float(of) if of > 0 else None


def macro_f1(gold, predicted, count):
    """Over cells; class 13 is a prediction that cannot be read."""
    size = FAULTS + 1
    matrix = np.bincount(gold * size + predicted, weights=count, minlength=size * size).reshape(size, size)
    right = np.diag(matrix)[:FAULTS]
    either = (matrix.sum(0) + matrix.sum(1))[:FAULTS]
    return float(np.divide(2 * right, either, out=np.zeros(FAULTS), where=either > 0).mean())


def summarise(gold, predicted, count, ok, harmful, has_critical, slices):
    """All seven metrics, overall and of each slice, from counted cells of one gold and one predicted fault."""
    right, clean, silent = gold == predicted, gold == 0, predicted == 0

    def metrics(rows):
        n = count[rows]
        r, c, s = right[rows], clean[rows], silent[rows]
        total, clean_rows = n.sum(), n[c].sum()
        return {
            "joint_accuracy": share(ok[rows][r].sum(), total),
            "fault_accuracy": share(n[r].sum(), total),
            "action_accuracy": share(ok[rows].sum(), total),
            "critical_error_rate": share(harmful[rows].sum(), has_critical[rows].sum()),
            "false_alarm_rate": share(n[c & ~s].sum(), clean_rows),
            "missed_fault_rate": share(n[~c & s].sum(), total - clean_rows),
            "fault_macro_f1": macro_f1(gold[rows], predicted[rows], n),
        }

    answer = {"overall": metrics(slice(None))}
    for column, (names, codes) in slices.items():
        for code, name in enumerate(names):
            answer[f"{column}={name}"] = metrics(np.flatnonzero(codes == code))
    return answer


def from_item_counts(items, keys, counts):
    """A key names an item, a fault and an action."""
    count = np.zeros(len(items.fault) * CELLS, np.int64)
    count[keys] = counts
    cells = count.reshape(-1, FAULTS + 1, ACTIONS + 1)
    readable = cells[:, :FAULTS, :ACTIONS]
    bits = np.arange(ACTIONS)

    def with_unreadable(known, rest):
        return np.concatenate([known, rest[:, None]], axis=1).ravel()

    def inside(masks):
        hits = np.einsum("ifa,ia->if", readable, masks[:, None] >> bits & 1)
        return with_unreadable(hits, np.zeros(len(hits), hits.dtype))

    known = readable.sum(2)
    per_item = np.repeat(np.arange(len(cells)), FAULTS + 1)
    n = with_unreadable(known, cells.sum((1, 2)) - known.sum(1))
    slices = {
        "domain": (items.domains, items.domain[per_item]),
        "difficulty": (items.difficulties, items.difficulty[per_item]),
    }
    return summarise(
        items.fault[per_item],
        np.tile(np.arange(FAULTS + 1), len(cells)),
        n,
        inside(items.acceptable),
        inside(items.critical),
        np.where(items.critical[per_item] != 0, n, 0),
        slices,
    )


DUCKDB_METRICS = f"""
    with counts as (
        select id, fault_type, next_action, count(*) as n from predictions group by all
    ), judged as materialized (
        select domain, difficulty, n, i.fault_type as gold,
               if(next_action is null, null, c.fault_type) as predicted,
               predicted is not null and list_contains(acceptable_next_actions, next_action) as acceptable,
               predicted is not null and list_contains(critical_next_actions, next_action) as critical,
               len(critical_next_actions) > 0 as has_critical
        from counts c join items i using (id)
    ), shares as (
        select domain, difficulty,
               sum(if(gold = predicted and acceptable, n, 0)) / sum(n) as joint_accuracy,
               sum(if(gold = predicted, n, 0)) / sum(n) as fault_accuracy,
               sum(if(acceptable, n, 0)) / sum(n) as action_accuracy,
               sum(if(critical, n, 0)) / nullif(sum(if(has_critical, n, 0)), 0) as critical_error_rate,
               sum(if(gold = 'none' and predicted is distinct from 'none', n, 0))
                   / nullif(sum(if(gold = 'none', n, 0)), 0) as false_alarm_rate,
               sum(if(gold <> 'none' and predicted = 'none', n, 0))
                   / nullif(sum(if(gold <> 'none', n, 0)), 0) as missed_fault_rate
        from judged group by grouping sets ((), (domain), (difficulty))
    ), classes as (  -- a hit has its class twice: hits over rows are F1
        select domain, difficulty, sum(if(gold = predicted, n, 0)) / sum(n) as f1
        from (select *, unnest([gold, predicted]) as class from judged) where class is not null
        group by grouping sets ((class), (class, domain), (class, difficulty))
    ), f1 as (
        select domain, difficulty, sum(f1) / {FAULTS} as fault_macro_f1 from classes group by all
    )
    select case when s.domain is not null then 'domain=' || s.domain
                when s.difficulty is not null then 'difficulty=' || s.difficulty
                else 'overall' end as slice, s.* exclude (domain, difficulty), fault_macro_f1
    from shares s join f1 f on s.domain is not distinct from f.domain and s.difficulty is not distinct from f.difficulty
"""


def duckdb_from_arrow(checked):
    connection = duckdb_connection()
    connection.register("predictions", read("predictions"))
    connection.register("items", read("items"))
    connection.execute("create type item as enum (select id from items)")

    def run():
        missing = duckdb_missing(connection) if checked else None
        result = connection.execute(DUCKDB_METRICS)
        names = [column[0] for column in result.description]
        rows = [dict(zip(names, row, strict=True)) for row in result.fetchall()]
        return {row.pop("slice"): row for row in rows}, missing

    return run


def duckdb_missing(connection):
    """A bit for each id of a sample: grouping by id and sample, or distinct ids, took twice as long or more."""
    items = connection.execute("select count(*) from items").fetchone()[0]
    double, missing = connection.execute(
        f"""
        select sum(answers - answered)::bigint, sum({items} - answered)::bigint
        from (
            select count(*) as answers, bit_count(bitstring_agg(enum_code(id::item)::int, 0, {items - 1})) as answered
            from predictions group by sample
        )"""
    ).fetchone()
    if double > 0:
        raise ValueError(f"{double} answers are double")
    return missing


def polars_from_arrow(checked):
    import polars as pl

    predictions, items = read("predictions"), read("items")

    def run():
        frame = pl.from_arrow(predictions, rechunk=False)
        missing = polars_missing(pl, frame, len(items)) if checked else None
        return polars_metrics(pl, frame, pl.from_arrow(items)), missing

    return run


def polars_missing(pl, frame, items):
    """In memory and by sample: the streaming engine, and grouping by id and sample, took about ten times as long."""
    by_sample = frame.group_by("sample").agg(answers=pl.len(), answered=pl.col("id").n_unique())
    double = (by_sample["answers"] - by_sample["answered"]).sum()
    if double > 0:
        raise ValueError(f"{double} answers are double")
    return items * len(by_sample) - by_sample["answered"].sum()


def polars_metrics(pl, frame, items):
    n, gold, predicted = pl.col("n"), pl.col("gold"), pl.col("predicted")
    action = pl.col("next_action").cast(pl.String)
    readable = pl.col("fault_type").is_not_null() & action.is_not_null()
    gold_columns = items.lazy().with_columns(pl.col("id").cast(pl.Categorical)).rename({"fault_type": "gold"})
    judged = (
        frame.lazy()
        .group_by("id", "fault_type", "next_action")
        .agg(n=pl.len().cast(pl.Int64))
        .join(gold_columns, on="id", how="left")
        .group_by(
            "domain",
            "difficulty",
            "gold",
            predicted=pl.when(readable).then(pl.col("fault_type").cast(pl.String)),
            acceptable=readable & pl.col("acceptable_next_actions").list.contains(action),
            critical=readable & pl.col("critical_next_actions").list.contains(action),
            has_critical=pl.col("critical_next_actions").list.len() > 0,
        )
        .agg(n.sum())
        .collect(engine="streaming")
    )
    if judged["gold"].null_count() > 0:
        raise ValueError("some answers are to no item")
    names = pl.lit("overall"), pl.format("domain={}", "domain"), pl.format("difficulty={}", "difficulty")
    cells = pl.concat([judged.with_columns(slice=name) for name in names])

    def rows(condition):
        return n.filter(condition).sum()

    shares = cells.group_by("slice").agg(
        joint_accuracy=rows((gold == predicted) & pl.col("acceptable")) / n.sum(),
        fault_accuracy=rows(gold == predicted) / n.sum(),
        action_accuracy=rows("acceptable") / n.sum(),
        critical_error_rate=rows("critical") / rows("has_critical"),
        false_alarm_rate=rows((gold == "none") & predicted.ne_missing("none")) / rows(gold == "none"),
        missed_fault_rate=rows((gold != "none") & (predicted == "none")) / rows(gold != "none"),
    )
    # A hit has its class twice: hits over rows are F1.
    classes = pl.concat([cells.with_columns(label=column) for column in (gold, predicted)]).drop_nulls("label")
    f1 = classes.group_by("slice", "label").agg(f1=rows(gold == predicted) / n.sum())
    macro = f1.group_by("slice").agg(fault_macro_f1=pl.col("f1").sum() / FAULTS)
    answer = shares.join(macro, on="slice").fill_nan(None)
    return {row.pop("slice"): row for row in answer.to_dicts()}


def polars_counts():
    import polars as pl

    table = read("predictions")
    items = Items(table)
    frame = pl.from_arrow(table)
    enums = {name: pl.Enum(labels_of(table[name])) for name in ("id", "fault_type", "next_action")}
    frame = frame.cast(enums).rechunk()
    item, fault, action = (pl.col(name).to_physical().cast(pl.UInt32) for name in enums)
    key = item * CELLS + fault.fill_null(FAULTS) * (ACTIONS + 1) + action.fill_null(ACTIONS)
    query = frame.lazy().select(key.alias("key")).group_by("key").agg(pl.len())

    def run():
        cells = query.collect(engine="streaming")
        return from_item_counts(items, cells["key"].to_numpy(), cells["len"].to_numpy()), None

    return run


def duckdb_counts():
    table = read("predictions")
    items = Items(table)
    connection = duckdb_connection()
    connection.execute("set perfect_ht_threshold = 32")
    connection.register("coded", pa.table(predicted_codes(table)))
    connection.execute("create table t as select * from coded")
    connection.unregister("coded")

    def run():
        query = "select id, fault_type f, next_action a, count(*) n from t group by all"
        cells = connection.execute(query).fetchnumpy()
        key = (cells["id"] * CELLS + cells["f"] * (ACTIONS + 1) + cells["a"]).astype(np.int64)
        return from_item_counts(items, key, cells["n"]), None

    return run


def duckdb_connection():
    import duckdb

    return duckdb.connect(config={"threads": THREADS})


def numpy_counts():
    table = read("predictions")
    items = Items(table)
    item, fault, action = predicted_codes(table).values()

    def run():
        count = np.bincount(item * CELLS + fault * (ACTIONS + 1) + action, minlength=len(items.fault) * CELLS)
        return from_item_counts(items, slice(None), count), None

    return run


def sklearn_metrics(gold, predicted, ok, harmful, has_critical, slices):
    """Row by row: f1_score and accuracy_score, and numpy for what scikit-learn has no function for."""
    from sklearn.metrics import accuracy_score, f1_score

    def metrics(rows):
        g, p, o, h, c = gold[rows], predicted[rows], ok[rows], harmful[rows], has_critical[rows]
        right, clean, silent = g == p, g == 0, p == 0
        return {
            "joint_accuracy": float((right & o).mean()),
            "fault_accuracy": float(accuracy_score(g, p)),
            "action_accuracy": float(o.mean()),
            "critical_error_rate": share(np.count_nonzero(h), np.count_nonzero(c)),
            "false_alarm_rate": share(np.count_nonzero(clean & ~silent), np.count_nonzero(clean)),
            "missed_fault_rate": share(np.count_nonzero(~clean & silent), np.count_nonzero(~clean)),
            "fault_macro_f1": float(f1_score(g, p, labels=range(FAULTS), average="macro", zero_division=0)),
        }

    answer = {"overall": metrics(slice(None))}
    for column, (names, codes) in slices.items():
        for code, name in enumerate(names):
            answer[f"{column}={name}"] = metrics(codes == code)
    return answer


def sklearn_rows():
    table = read("predictions")
    items = Items(table)
    item, fault, action = predicted_codes(table).values()

    def run():
        readable = (fault < FAULTS) & (action < ACTIONS)
        a = np.where(readable, action, 15)
        slices = {
            "domain": (items.domains, items.domain[item]),
            "difficulty": (items.difficulties, items.difficulty[item]),
        }
        ok, harmful = items.acceptable[item] >> a & 1 == 1, items.critical[item] >> a & 1 == 1
        predicted = np.where(readable, fault, FAULTS)
        return sklearn_metrics(items.fault[item], predicted, ok, harmful, (items.critical != 0)[item], slices), None

    return run


ENGINES = {
    "polars": lambda: polars_from_arrow(checked=True),
    "polars-unchecked": lambda: polars_from_arrow(checked=False),
    "duckdb": lambda: duckdb_from_arrow(checked=True),
    "duckdb-unchecked": lambda: duckdb_from_arrow(checked=False),
    "sklearn": sklearn_rows,
    "polars-counts": polars_counts,
    "duckdb-counts": duckdb_counts,
    "numpy-counts": numpy_counts,
}

run = ENGINES[ENGINE]()
answer, missing = run()
seconds = []
for _ in range(REPEATS):
    started = time.perf_counter()
    run()
    seconds.append(time.perf_counter() - started)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"seconds": statistics.median(seconds), "answer": answer, "missing": missing, "peakMiB": peak}))
