"""Writes half-floats.json: the values of all 65,536 float16 and bfloat16 patterns by numpy, as a SHA-256 of the float64
numbers (little-endian, by pattern, with 1e300 in place of NaN), and some of them in words.

    python make-half-floats.py half-floats.json

Needs numpy (written with 2.4).
"""

import hashlib
import json
import sys

import numpy as np

bits = np.arange(65536, dtype=np.uint16)
with np.errstate(invalid="ignore"):
    bfloat16 = (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
tables = {
    "float16": bits.view(np.float16).astype(np.float64),
    "bfloat16": bfloat16,
}
SAMPLES = [0x0000, 0x0001, 0x03FF, 0x0400, 0x007F, 0x0080, 0x3555, 0x3C00, 0x3F80, 0x7BFF, 0x7F7F, 0x8001, 0xC248, 0xFBFF]
golden = {}
for name, table in tables.items():
    filled = np.where(np.isnan(table), 1e300, table)
    golden[name] = {
        "nan": int(np.isnan(table).sum()),
        "sha256": hashlib.sha256(filled.astype("<f8").tobytes()).hexdigest(),
        "samples": [[s, float(table[s])] for s in SAMPLES if not np.isnan(table[s])],
    }
with open(sys.argv[1], "w") as file:
    json.dump(golden, file, indent=1)
    file.write("\n")
