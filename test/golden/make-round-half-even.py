"""Python's round(value, decimals): random values, exact ties, values one ulp beside a tie, any magnitude.

usage: python make-round-half-even.py OUTPUT.json [HOW_MANY]

Rows [value, decimals, rounded]; JSON keeps doubles exactly, -0.0 included.
"""

import json
import math
import random
import sys

random.seed(0)
wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 400


def tie(decimals):
    odd = 2 * random.randrange(10 ** random.randrange(1, 14)) + 1
    return odd / 2 ** (decimals + 1)


def values(decimals):
    yield random.uniform(-10, 10)
    yield random.random() * 10.0 ** random.randrange(-12, 20)
    yield tie(decimals)
    yield -tie(decimals)
    yield math.nextafter(tie(decimals), random.choice((0.0, math.inf)))
    yield (random.randrange(10**6) + 0.5) / 10**decimals
    yield -random.randrange(10**9) / 10 ** (decimals + 1)


rows = [(0.03125, 4), (2.675, 2), (0.5, 0), (1.5, 0), (2.5, 0), (-0.5, 0), (-0.0, 4), (0.09375, 4), (5e-324, 6)]
rows += [(1.7976931348623157e308, 4), (2.0**52 - 0.5, 0), (2.0**51 + 0.25, 1), (1e21, 4), (4503599627370495.5, 4)]
while len(rows) < wanted:
    decimals = random.choice((0, 1, 2, 4, 4, 6, 6, 9, 15, 20))
    rows += [(value, decimals) for value in values(decimals)]
with open(sys.argv[1], "w") as file:
    json.dump([[value, decimals, round(value, decimals)] for value, decimals in rows], file, separators=(",", ":"))
    file.write("\n")
