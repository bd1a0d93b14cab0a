"""Writes fault-draws.json: what the calls of an episode draw, by an implementation of its own.

Usage: python make-fault-draws.py > fault-draws.json

One generator an episode: Mulberry32 (T. Ettinger), seeded by FNV-1a over the parts and Murmur3's finaliser. Each call takes two
numbers: the first one picks the fault along the cumulative probabilities of Table 7 (clean first), the second one seeds the details.
"""

import json

MASK = 0xFFFFFFFF
NAMES = ["clean", "timeout", "rate_limit", "server_error", "malformed_response", "auth_error", "schema_drift",
         "partial", "stale", "factual_error"]
TABLE_7 = [0.60, 0.06, 0.05, 0.05, 0.04, 0.03, 0.03, 0.05, 0.04, 0.05]


def derive(*parts):
    h = 0x811C9DC5
    for part in parts:
        for byte in str(part).encode("utf-16-le") + b"\xff\xff\xff":
            h = ((h ^ byte) * 0x01000193) & MASK
    h = ((h ^ (h >> 16)) * 0x85EBCA6B) & MASK
    h = ((h ^ (h >> 13)) * 0xC2B2AE35) & MASK
    return h ^ (h >> 16)


def mulberry(seed):
    state = seed
    while True:
        state = (state + 0x6D2B79F5) & MASK
        mixed = ((state ^ (state >> 15)) * (state | 1)) & MASK
        mixed ^= (mixed + ((mixed ^ (mixed >> 7)) * (mixed | 61) & MASK)) & MASK
        yield ((mixed ^ (mixed >> 14)) & MASK) / 4294967296


def drawn(u):
    total = 0.0
    for name, probability in zip(NAMES, TABLE_7):
        total += probability
        if u < total:
            return name
    return NAMES[-1]


def episode(seed, name, tools, budget, limit, blocked):
    numbers = mulberry(derive(seed, name))
    spent, streaks, met = 0, {}, []
    for tool in tools:
        fault = drawn(next(numbers))
        next(numbers)
        if tool in blocked:
            met.append("blocked")
            continue
        if fault != "clean" and (spent >= budget or streaks.get(tool, 0) >= limit):
            fault = "clean"
        streaks[tool] = 0 if fault == "clean" else streaks.get(tool, 0) + 1
        spent += fault != "clean"
        met.append(None if fault == "clean" else fault)
    return met


def main():
    cases = []
    for seed, name, kinds, budget, limit, blocked in [
        (0, "0", 1, 5, 2, []), (0, "1", 1, 5, 2, []), (1, "retail-17#9", 3, 5, 2, []), (42, "é😀", 2, 7, 3, []),
        (4294967295, "", 4, 1000000, 1000000, []), (7, "t", 3, 3, 1, ["tool1"]), (9, "t", 2, 0, 2, ["tool0"]),
        (9, "t", 2, 5, 0, []),
    ]:
        tools = [f"tool{call % kinds}" for call in range(60)]
        met = episode(seed, name, tools, budget, limit, blocked)
        cases.append({"seed": seed, "episode": name, "tools": kinds, "budget": budget, "maxConsecutive": limit,
                      "blocked": blocked, "met": met})
    seeds = [{"parts": parts, "seed": derive(*parts)} for parts in
             ([0, "0"], ["a", "b"], ["ab"], ["ab", ""], ["é😀", 12], [])]
    print(json.dumps({"seeds": seeds, "episodes": cases}, ensure_ascii=True))


main()
