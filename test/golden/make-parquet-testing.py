"""Expected values of the Apache parquet-testing files, by pyarrow.

    python make-parquet-testing.py FOLDER > parquet-testing.json

For every FOLDER/*.parquet that pyarrow reads: its rows, and of each column its name and up to six renderings. A rendering
is the JSON text of the list of the column's values (compact, not escaped to ASCII) when it has at most 200 characters,
else "sha256:" and the first 16 hexadecimal digits of that text's hash. Values are rendered as

  arrow   exactly, for readers of Arrow data: integers as digits, floats as the 16 hexadecimal digits of their 64-bit
          big-endian form ("nan" for any NaN), decimals as the digits of the unscaled integer, dates as days, times as
          they are stored, timestamps as whole microseconds (floor), binary as hexadecimal digits, lists as lists,
          structs as objects, maps as lists of [key, value]
  number  numbers, booleans and decimals as doubles in the above hexadecimal form, null where there is none or NaN
  key     text as it is, integers as their digits
  text    text as it is
  list    lists of the same doubles
  json    as parsed JSON, but with the same doubles for all numbers; maps as objects with their keys as text; only for
          nested columns made of numbers, booleans and text

Files that are too large to be decoded are not listed.
"""

import decimal
import hashlib
import json
import pathlib
import struct
import sys

import pyarrow as pa
import pyarrow.parquet as pq

TOO_LARGE = {"large_string_map.brotli.parquet"}
# Microseconds of the year 290000, by int96_from_spark.md; in pyarrow they overflow.
OVERFLOWN = {"int96_from_spark.parquet": ("-7188624036226874385", "9089380393200000000")}


def double(value):
    value = float(value)
    return "nan" if value != value else struct.pack(">d", value).hex()


def is_number(t):
    return pa.types.is_integer(t) or pa.types.is_floating(t) or pa.types.is_boolean(t) or pa.types.is_decimal(t)


def is_text(t):
    return pa.types.is_string(t) or pa.types.is_large_string(t) or pa.types.is_string_view(t)


def is_list(t):
    return pa.types.is_list(t) or pa.types.is_large_list(t) or pa.types.is_fixed_size_list(t)


def scalar(value, t):
    """The `arrow` rendering of one value."""
    if not value.is_valid or pa.types.is_null(t):
        return None
    if pa.types.is_boolean(t):
        return value.as_py()
    if pa.types.is_integer(t):
        return str(value.as_py())
    if pa.types.is_floating(t):
        return double(value.as_py())
    if is_text(t):
        return value.as_py()
    if pa.types.is_decimal(t):
        return str(int(value.as_py().scaleb(t.scale, decimal.Context(prec=100))))
    if pa.types.is_timestamp(t):
        per_unit = {"s": 1_000_000, "ms": 1000, "us": 1}.get(t.unit)
        return str(value.value * per_unit if per_unit else value.value // 1000)
    if pa.types.is_temporal(t):
        return str(value.value)
    if is_list(t):
        return [scalar(v, t.value_type) for v in value.values]
    if pa.types.is_map(t):
        keys, items = value.values.field(0), value.values.field(1)
        return [[scalar(k, t.key_type), scalar(v, t.item_type)] for k, v in zip(keys, items)]
    if pa.types.is_struct(t):
        return {f.name: scalar(value[i], f.type) for i, f in enumerate(t)}
    return value.as_py().hex()


def is_plain(t):
    if is_list(t):
        return is_plain(t.value_type)
    if pa.types.is_map(t):
        return (is_text(t.key_type) or pa.types.is_integer(t.key_type)) and is_plain(t.item_type)
    if pa.types.is_struct(t):
        return all(is_plain(f.type) for f in t)
    return is_number(t) or is_text(t)


def plain(value, t):
    """The `json` rendering of one value."""
    if not value.is_valid:
        return None
    if is_list(t):
        return [plain(v, t.value_type) for v in value.values]
    if pa.types.is_map(t):
        keys, items = value.values.field(0), value.values.field(1)
        return {str(k.as_py()): plain(v, t.item_type) for k, v in zip(keys, items)}
    if pa.types.is_struct(t):
        return {f.name: plain(value[i], f.type) for i, f in enumerate(t)}
    if pa.types.is_boolean(t) or is_text(t):
        return value.as_py()
    return double(value.as_py())


def rendered(values):
    text = json.dumps(values, separators=(",", ":"), ensure_ascii=False)
    return text if len(text) <= 200 else "sha256:" + hashlib.sha256(text.encode()).hexdigest()[:16]


def column(name, values):
    t = values.type
    result = {"name": name, "arrow": rendered([scalar(v, t) for v in values])}
    numbers = lambda vs: [double(v.as_py()) if v.is_valid else None for v in vs]
    if is_number(t):
        result["number"] = rendered([None if v == "nan" else v for v in numbers(values)])
    if is_text(t) or pa.types.is_integer(t):
        result["key"] = rendered([str(v.as_py()) if v.is_valid else None for v in values])
    if is_text(t):
        result["text"] = rendered([v.as_py() for v in values])
    if is_list(t) and (is_number(t.value_type) or pa.types.is_null(t.value_type)):
        result["list"] = rendered([numbers(v.values) if v.is_valid else None for v in values])
    if pa.types.is_nested(t) and is_plain(t):
        result["json"] = rendered([plain(v, t) for v in values])
    return result


def main(folder):
    files = {}
    for path in sorted(pathlib.Path(folder).glob("*.parquet")):
        if path.name in TOO_LARGE:
            continue
        try:
            table = pq.ParquetFile(path, coerce_int96_timestamp_unit="us").read()
        except Exception as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        columns = [column(name, table.column(i)) for i, name in enumerate(table.column_names)]
        for wrong, right in [OVERFLOWN[path.name]] if path.name in OVERFLOWN else []:
            columns = [{key: text.replace(wrong, right) for key, text in entry.items()} for entry in columns]
        files[path.name] = {"rows": table.num_rows, "columns": columns}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in files.items())
    print("{\n" + lines + "\n}")


main(sys.argv[1])
