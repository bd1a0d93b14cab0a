"""ToolFault-Bench's metrics by a Python library: python benchmarks.py ENGINE SHAPE FOLDER

ENGINE is polars, duckdb, sklearn or numpy. SHAPE is `predictions` (rows of predictions, the items in a table of their
own) or `joined` (gold and predicted columns side by side). FOLDER is what make-toolfault-predictions.py wrote. Reading
and converting the files is not timed. Each engine has its data in the form that was fastest: enums and packed keys in
polars, small integers and a perfect hash table in DuckDB, integer codes in numpy. All but sklearn first count the rows
of every combination, in one pass, and join the counts with the items: joining the rows was slower in each of them.
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

ENGINE, SHAPE, FOLDER = sys.argv[1:4]
THREADS = 2
REPEATS = 3

FAULTS, ACTIONS = 13, 11
CELLS = (FAULTS + 1) * (ACTIONS + 1)  # of an item; the last fault and the last action stand for none that is known
COUNTS = "joint_accuracy fault_accuracy action_accuracy critical_error_rate false_alarm_rate missed_fault_rate".split()


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
    return (codes_of(table[name], code) for name, code in missing.items())


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


def from_item_counts(items, count):
    """`count` has a cell of every (item, fault, action)."""
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


def from_flag_counts(table, count):
    """`count` has a cell of every (gold fault, predicted fault, domain, difficulty, three flags)."""
    domains, difficulties = labels_of(table["domain"]), labels_of(table["difficulty"])
    cells = count.reshape(-1, 8)
    rest, difficulty = np.divmod(np.arange(len(cells)), len(difficulties))
    rest, domain = np.divmod(rest, len(domains))
    gold, predicted = np.divmod(rest, FAULTS + 1)
    flag = [cells[:, [k for k in range(8) if k >> bit & 1]].sum(1) for bit in range(3)]
    slices = {"domain": (domains, domain), "difficulty": (difficulties, difficulty)}
    return summarise(gold, predicted, cells.sum(1), *flag, slices)


def flag_cells(size):
    return FAULTS * (FAULTS + 1) * size[0] * size[1] * 8


def scattered(size, keys, counts):
    count = np.zeros(size, np.int64)
    count[keys] = counts
    return count


def polars_predictions():
    import polars as pl

    table = read("predictions")
    items = Items(table)
    frame = polars_frame(pl, table)
    item, fault, action = (pl.col(name).to_physical().cast(pl.UInt32) for name in ("id", "fault_type", "next_action"))
    key = item * CELLS + fault.fill_null(FAULTS) * (ACTIONS + 1) + action.fill_null(ACTIONS)
    query = frame.lazy().select(key.alias("key")).group_by("key").agg(pl.len())

    def run():
        cells = query.collect(engine="streaming")
        return from_item_counts(
            items, scattered(len(items.fault) * CELLS, cells["key"].to_numpy(), cells["len"].to_numpy())
        )

    return run


def polars_joined():
    import polars as pl

    table = read("joined")
    frame = polars_frame(pl, table)
    code = {name: pl.col(name).to_physical().cast(pl.UInt32) for name, kind in frame.schema.items() if kind == pl.Enum}
    size = len(labels_of(table["domain"])), len(labels_of(table["difficulty"]))
    readable = pl.col("fault_type").is_not_null() & pl.col("next_action").is_not_null()
    # polars has no shift: the bit of an action is looked up. An unreadable prediction gets 0, which is in no set.
    bits = pl.lit(pl.Series([1 << action for action in range(ACTIONS)] + [0], dtype=pl.UInt16))
    bit = bits.gather(pl.when(readable).then(code["next_action"]).otherwise(ACTIONS))
    predicted = pl.when(readable).then(code["fault_type"]).otherwise(FAULTS)
    flags = (
        ((pl.col("acceptable") & pl.col("bit")) != 0).cast(pl.UInt32)
        + ((pl.col("critical") & pl.col("bit")) != 0).cast(pl.UInt32) * 2
        + (pl.col("critical") != 0).cast(pl.UInt32) * 4
    )
    pair = code["gold_fault_type"] * (FAULTS + 1) + predicted
    key = ((pair * size[0] + code["domain"]) * size[1] + code["difficulty"]) * 8 + flags
    query = frame.lazy().with_columns(bit.alias("bit")).select(key.alias("key")).group_by("key").agg(pl.len())

    def run():
        cells = query.collect(engine="streaming")
        return from_flag_counts(table, scattered(flag_cells(size), cells["key"].to_numpy(), cells["len"].to_numpy()))

    return run


def polars_frame(pl, table):
    frame = pl.from_arrow(table)
    dictionaries = [name for name in table.column_names if pa.types.is_dictionary(table[name].type)]
    enums = {name: pl.Enum(labels_of(table[name])) for name in dictionaries}
    return frame.with_columns(pl.col(name).cast(kind) for name, kind in enums.items()).rechunk()


def duckdb_with(table, columns):
    """A native table of small integers; null labels get the code after the last."""
    import duckdb

    connection = duckdb.connect()
    connection.execute(f"set threads = {THREADS}")
    connection.execute("set perfect_ht_threshold = 32")
    coded = pa.table(
        {
            name: codes_of(table[name], missing) if pa.types.is_dictionary(table[name].type) else table[name]
            for name, missing in columns.items()
        }
    )
    connection.register("coded", coded)
    connection.execute("create table t as select * from coded")
    connection.unregister("coded")
    return connection


def duckdb_predictions():
    table = read("predictions")
    items = Items(table)
    connection = duckdb_with(table, {"id": 0, "fault_type": FAULTS, "next_action": ACTIONS})

    def run():
        query = "select id, fault_type f, next_action a, count(*) n from t group by all"
        cells = connection.execute(query).fetchnumpy()
        key = (cells["id"] * CELLS + cells["f"] * (ACTIONS + 1) + cells["a"]).astype(np.int64)
        return from_item_counts(items, scattered(len(items.fault) * CELLS, key, cells["n"]))

    return run


def duckdb_joined():
    table = read("joined")
    columns = {"fault_type": FAULTS, "next_action": ACTIONS, "gold_fault_type": 0, "domain": 0, "difficulty": 0}
    connection = duckdb_with(table, columns | {"acceptable": None, "critical": None})
    size = len(labels_of(table["domain"])), len(labels_of(table["difficulty"]))
    # Bit 15 of no set is there: an unreadable prediction shifts it to the front.
    query = f"""
        with r as (select *, fault_type < {FAULTS} and next_action < {ACTIONS} as readable from t),
        s as (select *, if(readable, fault_type, {FAULTS}) p, if(readable, next_action, 15) a from r)
        select gold_fault_type g, p, domain d, difficulty e, ((acceptable >> a) & 1)::utinyint o,
               ((critical >> a) & 1)::utinyint h, (critical <> 0)::utinyint c, count(*) n from s group by all"""

    def run():
        cells = connection.execute(query).fetchnumpy()
        place = ((cells["g"] * (FAULTS + 1) + cells["p"]) * size[0] + cells["d"]) * size[1] + cells["e"]
        key = (place * 8 + cells["o"] + cells["h"] * 2 + cells["c"] * 4).astype(np.int64)
        return from_flag_counts(table, scattered(flag_cells(size), key, cells["n"]))

    return run


def numpy_predictions():
    table = read("predictions")
    items = Items(table)
    item, fault, action = predicted_codes(table)

    def run():
        count = np.bincount(item * CELLS + fault * (ACTIONS + 1) + action, minlength=len(items.fault) * CELLS)
        return from_item_counts(items, count)

    return run


def numpy_joined():
    table = read("joined")
    size = len(labels_of(table["domain"])), len(labels_of(table["difficulty"]))
    gold, domain, difficulty = (codes_of(table[name], 0) for name in ("gold_fault_type", "domain", "difficulty"))
    _, fault, action = predicted_codes(table)
    acceptable, critical = table["acceptable"].to_numpy(), table["critical"].to_numpy()

    def run():
        readable = (fault < FAULTS) & (action < ACTIONS)
        a = np.where(readable, action, 15)
        flags = (acceptable >> a & 1) + (critical >> a & 1) * 2 + (critical != 0) * 4
        place = ((gold * (FAULTS + 1) + np.where(readable, fault, FAULTS)) * size[0] + domain) * size[1] + difficulty
        return from_flag_counts(table, np.bincount(place * 8 + flags, minlength=flag_cells(size)))

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


def sklearn_predictions():
    table = read("predictions")
    items = Items(table)
    item, fault, action = predicted_codes(table)

    def run():
        readable = (fault < FAULTS) & (action < ACTIONS)
        a = np.where(readable, action, 15)
        slices = {
            "domain": (items.domains, items.domain[item]),
            "difficulty": (items.difficulties, items.difficulty[item]),
        }
        ok, harmful = items.acceptable[item] >> a & 1 == 1, items.critical[item] >> a & 1 == 1
        predicted = np.where(readable, fault, FAULTS)
        return sklearn_metrics(items.fault[item], predicted, ok, harmful, (items.critical != 0)[item], slices)

    return run


def sklearn_joined():
    table = read("joined")
    gold, domain, difficulty = (codes_of(table[name], 0) for name in ("gold_fault_type", "domain", "difficulty"))
    _, fault, action = predicted_codes(table)
    acceptable, critical = table["acceptable"].to_numpy(), table["critical"].to_numpy()
    slices = {
        "domain": (labels_of(table["domain"]), domain),
        "difficulty": (labels_of(table["difficulty"]), difficulty),
    }

    def run():
        readable = (fault < FAULTS) & (action < ACTIONS)
        a = np.where(readable, action, 15)
        ok, harmful = acceptable >> a & 1 == 1, critical >> a & 1 == 1
        return sklearn_metrics(gold, np.where(readable, fault, FAULTS), ok, harmful, critical != 0, slices)

    return run


run = globals()[f"{ENGINE}_{SHAPE}"]()
answer = run()
seconds = []
for _ in range(REPEATS):
    started = time.perf_counter()
    answer = run()
    seconds.append(time.perf_counter() - started)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"seconds": statistics.median(seconds), "answer": answer, "peakMiB": peak}))
