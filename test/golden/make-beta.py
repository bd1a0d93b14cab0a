"""Tails and quantiles of beta distributions, and of the normal distribution, to 17 digits.

usage: python make-beta.py OUTPUT.json          (mpmath, scipy; about a minute)

tails:     [x, a, b, lower, ln of the smaller tail]; x is the double nearest to a quantile by scipy.special.betaincinv
quantiles: [p, a, b, x], x by root finding
normal:    [x, P(Z <= x)]   and   normal_quantiles: [p, x]

The smaller tail is a continued fraction, and for parameters from 1000 up Gauss-Legendre sums of the density over
pieces of a standard deviation, both with 40 digits; on small parameters it is checked against mpmath's betainc.
"""

import json
import sys

import mpmath as mp
from scipy import special

mp.mp.dps = 40
PAIRS = [
    (1e-3, 1e-3), (1e-3, 2), (1e-3, 1e7), (0.02, 0.5), (0.5, 0.5), (0.5, 10.5), (1, 1), (1, 1e7), (1.5, 2.5), (3, 8),
    (50, 7), (50, 1e5), (333, 999), (999, 1001), (1001, 1000), (0.5, 1e6), (1e4, 1e4), (1e4, 1e9), (1e5, 1.5),
    (1e7, 1e7), (1e7, 12345.5), (1e9, 1e7), (1e12, 1e12),
]  # fmt: skip
PROBABILITIES = [1e-250, 1e-40, 1e-12, 1e-6, 0.025, 0.3, 0.5, 0.8, 0.975, 1 - 1e-6]


def rule(n):
    """Gauss-Legendre nodes and weights on [0, 1]."""
    nodes = []
    for i in range(n):
        x = mp.cos(mp.pi * (i + mp.mpf(3) / 4) / (n + mp.mpf(1) / 2))
        for _ in range(8):
            slope = n * (x * mp.legendre(n, x) - mp.legendre(n - 1, x)) / (x * x - 1)
            x -= mp.legendre(n, x) / slope
        nodes.append(((1 + x) / 2, 1 / ((1 - x * x) * slope * slope)))
    assert abs(sum(weight * node**40 for node, weight in nodes) * 41 - 1) < mp.mpf(10) ** -35
    return nodes


RULE = rule(30)


def log_density(t, a, b):
    return (a - 1) * mp.log(t) + (b - 1) * mp.log(1 - t) - mp.loggamma(a) - mp.loggamma(b) + mp.loggamma(a + b)


def flank(x, a, b):
    """P(X <= x) for large a and any b, x below about the mean + some deviations: pieces from x downwards."""
    mean, deviation = a / (a + b), mp.sqrt(a * b / (a + b + 1)) / (a + b)
    # Away from the mean the tail decays exponentially, faster than the deviation says.
    slope = abs((a - 1) / x - (b - 1) / (1 - x))
    step = min(deviation, 6 / slope if slope > 0 else deviation)
    total, right = mp.mpf(0), x
    while right > 0:
        left = max(right - step, mp.mpf(0))
        front = log_density(right, a, b)
        piece = sum(
            weight * mp.exp((a - 1) * mp.log(t / right) + (b - 1) * mp.log((1 - t) / (1 - right)))
            for t, weight in ((left + (right - left) * node, weight) for node, weight in RULE)
            if t > 0
        ) * (right - left) * mp.exp(front)
        total += piece
        right = left
        if piece < total * mp.mpf(10) ** -25:
            break
    return total


def small_tail(x, a, b):
    """(is it the lower one, the tail) for exact x."""
    x, a, b = mp.mpf(x), mp.mpf(a), mp.mpf(b)
    lower = x <= a / (a + b)
    if not lower:
        x, a, b = 1 - x, b, a
    return lower, flank(x, a, b) if min(a, b) >= 1000 else fraction(x, a, b)


def fraction(x, a, b):
    """P(X <= x) below the mean by the continued fraction DLMF 8.17.22 (Gauss's, its odd and even steps apart)."""
    front = mp.exp(a * mp.log(x) + b * mp.log(1 - x) - mp.loggamma(a) - mp.loggamma(b) + mp.loggamma(a + b)) / a
    c, d, n = mp.mpf(1), mp.mpf(0), 0
    value = mp.mpf(1)
    while True:
        for step in (-(a + n) * (a + b + n) * x / ((a + 2 * n) * (a + 2 * n + 1)),
                     (n + 1) * (b - n - 1) * x / ((a + 2 * n + 1) * (a + 2 * n + 2))):  # fmt: skip
            d = 1 / (1 + step * d)
            c = 1 + step / c
            value *= c * d
        n += 1
        if abs(c * d - 1) < mp.mpf(10) ** -30:
            return front / value


def quantile(p, a, b):
    guess = mp.mpf(float(special.betaincinv(a, b, p)))
    lower, _ = small_tail(guess, a, b)
    target = mp.log(mp.mpf(p) if lower else 1 - mp.mpf(p))
    x = guess
    for _ in range(3):
        tail = mp.log(small_tail(x, a, b)[1])
        slope = mp.exp(log_density(x, mp.mpf(a), mp.mpf(b)) - tail) * (1 if lower else -1)
        x -= (tail - target) / slope
    return x


def main(path):
    for a, b, x in [(0.5, 10.5, 0.01), (3, 8, 0.2), (50, 7, 0.6), (333, 999, 0.2), (0.001, 2, 1e-9)]:
        known = mp.betainc(a, b, 0, x, regularized=True)
        assert abs(fraction(mp.mpf(x), mp.mpf(a), mp.mpf(b)) / known - 1) < mp.mpf(10) ** -25, (a, b, x)
    assert abs(flank(mp.mpf(1) / 2, mp.mpf(5000), mp.mpf(5000)) - mp.mpf(1) / 2) < mp.mpf(10) ** -20
    tails, quantiles = [], []
    for a, b in PAIRS:
        print(a, b, file=sys.stderr)
        for p in PROBABILITIES:
            x = float(special.betaincinv(a, b, p))
            if not 1e-290 < x < 1 - 1e-9:
                continue
            lower, tail = small_tail(x, a, b)
            tails.append([x, a, b, lower, float(mp.log(tail))])
            if max(a, b) <= 1e7 and p in (1e-12, 0.025, 0.5, 0.975):
                quantiles.append([p, a, b, float(quantile(p, a, b))])
    xs = [-38, -20, -6, -5.66, -5.65, -3, -1.96, -1, -0.675, -0.674, -0.1, 0, 0.001, 0.5, 0.7, 1.5, 3, 8]
    ps = [1e-320, 1e-300, 1e-100, 1e-20, 1e-12, 1e-6, 0.001, 0.025, 0.0749, 0.0751, 0.2, 0.4, 0.4999, 0.51, 0.9, 0.975]
    normal = [[x, float(mp.ncdf(x))] for x in xs]
    roots = [
        [p, float(mp.findroot(lambda x: mp.log(mp.ncdf(x)) - mp.log(mp.mpf(p)), float(special.ndtri(max(p, 1e-307)))))]
        for p in ps
    ]
    with open(path, "w") as out:
        json.dump({"tails": tails, "quantiles": quantiles, "normal": normal, "normal_quantiles": roots}, out, indent=0)
        out.write("\n")


main(sys.argv[1])
