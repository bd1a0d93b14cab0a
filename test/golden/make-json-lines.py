"""Writes JSON lines as Python's json module writes them, with what they hold spelled out type by type.

usage: python make-json-lines.py OUTPUT.json
"""

import json
import math
import sys


def spelled(value):
    """A value as plain JSON that no JSON reader can misread: integers as digits, floats as hexadecimal."""
    if value is None:
        return {"null": True}
    if isinstance(value, bool):
        return {"bool": value}
    if isinstance(value, int):
        return {"int": str(value)}
    if isinstance(value, float):
        return {"float": repr(value)}
    if isinstance(value, str):
        return {"text": value}
    if isinstance(value, list):
        return {"list": [spelled(item) for item in value]}
    return {"object": [[key, spelled(item)] for key, item in value.items()]}


ROWS = [
    {"ppl": math.nan, "ref_ppl": math.inf, "neg_ppl": -math.inf},
    {"logprobs": [-0.5, math.nan, -math.inf, -1e-17], "response": "NaN Infinity -Infinity"},
    {"response": 'he said "NaN", then \\ and \\" Infinity', "ppl": math.nan},
    {"NaN": math.nan, "Infinity": "Infinity", "-Infinity": -math.inf},
    {"group_id": 1234567890123456789, "rollout_id": 9007199254740993},
    {"group_id": -9223372036854775808, "rollout_id": 18446744073709551615},
    {"group_id": 9007199254740991, "rollout_id": 9007199254740992},
    {"group_id": 9007199254740993, "ppl": math.nan, "response": "9007199254740993"},
    {"ppl": 1e16, "ref_ppl": 1.2345678901234567e300, "neg_ppl": 5e-324, "margin": 9007199254740992.0},
    {"response": "\u00e9\u2028\U0001f600\ue000", "ppl": math.nan},
    {"tool_calls": [{"arguments": {"x": math.nan, "id": 12345678901234567890}}], "group_id": 12345678901234567890},
    {"nested": {"deep": [[math.inf, {"a": [-math.inf]}]]}, "ok": True, "none": None},
    {"response": "", "empty": {}, "list": [], "ppl": -0.0, "nan": math.nan},
]

with open(sys.argv[1], "w", encoding="utf-8") as out:
    lines = []
    for row in ROWS:
        for ascii_only in (True, False):
            lines.append({"line": json.dumps(row, ensure_ascii=ascii_only), "value": spelled(row)})
    json.dump(lines, out, indent=1)
    out.write("\n")
