"""Writes numbers of the Mulberry32 generator, computed in unbounded integers with every step cut to 32 bits.

usage: python make-seeded-random.py OUTPUT.json
"""

import json
import sys

MASK = 0xFFFFFFFF
SEEDS = [0, 1, 42, 2**31, 2**32 - 1]
COUNT = 8


def mulberry32(seed):
    """Yields 32-bit integers; the uniform number is the integer over 2^32."""
    state = seed & MASK
    while True:
        state = (state + 0x6D2B79F5) & MASK
        mixed = ((state ^ (state >> 15)) * (state | 1)) & MASK
        mixed ^= (mixed + ((mixed ^ (mixed >> 7)) * (mixed | 61) & MASK)) & MASK
        yield mixed ^ (mixed >> 14)


def first(seed):
    generator = mulberry32(seed)
    return [next(generator) for _ in range(COUNT)]


def after(seed, skipped):
    generator = mulberry32(seed)
    for _ in range(skipped):
        next(generator)
    return next(generator)


with open(sys.argv[1], "w", encoding="utf-8") as file:
    numbers = {
        "first": [{"seed": seed, "integers": first(seed)} for seed in SEEDS],
        "later": {"seed": 7, "skipped": 100000, "integer": after(7, 100000)},
    }
    json.dump(numbers, file, indent=1)
    file.write("\n")
