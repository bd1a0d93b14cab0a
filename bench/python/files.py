"""Reads and writes the rollout files of the benchmark: Arrow IPC, Parquet and JSONL, by the ending of the name."""

import json

import pyarrow as pa
import pyarrow.ipc
import pyarrow.json
import pyarrow.parquet


def read_table(path):
    if path.endswith(".parquet"):
        return pa.parquet.read_table(path)
    if path.endswith(".jsonl"):
        return pa.json.read_json(path, read_options=pa.json.ReadOptions(block_size=16 << 20))
    return pa.ipc.open_file(pa.memory_map(path)).read_all()


def write_table(table, path):
    if path.endswith(".parquet"):
        pa.parquet.write_table(table, path)
    else:
        with pa.ipc.new_file(path, table.schema) as writer:
            writer.write_table(table)


def write_jsonl(source, path, columns):
    """Copies the lines of `source` with the new columns (name -> list) put at their ends."""
    names = list(columns)
    with open(source, encoding="utf-8") as lines, open(path, "w", encoding="utf-8") as out:
        for line, values in zip(lines, zip(*columns.values())):
            extra = json.dumps(dict(zip(names, values)))
            out.write(f"{line.rstrip()[:-1]}, {extra[1:]}\n")
