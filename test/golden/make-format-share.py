"""Percentages with one decimal, halves to even.

usage: python make-format-share.py OUTPUT.json

shares:      [numerator, denominator, text], by Decimal with 60 digits, checked against Fraction, which is exact
percentages: [fraction, text], text is f"{100 * fraction:.1f}"
points:      [difference, text], f"{100 * difference:+.1f}" with U+2212, and 0.0 without a sign
"""

import json
import random
import sys
from decimal import ROUND_HALF_EVEN, Decimal, getcontext
from fractions import Fraction

getcontext().prec = 60
random.seed(0)


def share(numerator, denominator):
    exact = Fraction(1000 * numerator, denominator)
    tenths = (Decimal(exact.numerator) / Decimal(exact.denominator)).quantize(Decimal(1), ROUND_HALF_EVEN)
    assert int(tenths) == round(exact)  # Fraction rounds halves to even, too
    return str(tenths / 10 if tenths % 10 else f"{int(tenths) // 10}.0")


def points(difference):
    text = f"{100 * difference:+.1f}".replace("-", "\u2212")
    return "0.0" if text[1:] == "0.0" else text


counts = [(13, 80), (1, 80), (3, 80), (355, 441), (80, 441), (0, 7), (7, 7), (2**53, 2**53), (2**53 - 1, 2**53), (1, 2**53)]
counts += [(k, d) for d in (16, 80, 400, 2000) for k in random.sample(range(d + 1), 12)]
counts += [(4503599627370495 + k, 9007199254740990) for k in range(4)] + [(2**53 // 2000 * k, 2**53) for k in (1, 3, 1333)]
counts += [(random.randrange(d + 1), d) for d in (random.randrange(1, 10 ** random.randrange(1, 16)) for _ in range(40))]
fractions = [0.1625, 0.0125, 0.0375, 0.0236, 0.5825, 0.0025, 0.0075, 0.9975, 0.0005, 0.00049999, 0.9995, 5e-324, 1.0, 1e15, 1e22, 0.0]
fractions += [k / 400 for k in random.sample(range(400), 40)] + [random.random() for _ in range(40)]
differences = [-0.467, 0.031, -0.0001, 0.0001, -0.0005, -0.0025, -0.0075, 0.0025, -1.0, 0.0, -0.0]
differences += [a / 400 - b / 400 for a, b in (random.sample(range(400), 2) for _ in range(40))]
json.dump(
    {
        "shares": [[n, d, share(n, d)] for n, d in counts],
        "percentages": [[x, f"{100 * x:.1f}"] for x in fractions],
        "points": [[x, points(x)] for x in differences],
    },
    open(sys.argv[1], "w"),
)
