"""The paper's reward of one group with numpy, as a trainer would write it: python trust_group.py NUMBERS.json

Decisions, R_fmt and R_ans are given; log-probabilities are one float32 array a rollout. Prints times of a call in
microseconds (of chunks of calls, the median and the fastest) and the rewards."""

import json
import statistics
import sys
import time

import numpy as np

TAU = 0.1
WARM_UP = 1000
CHUNKS = 200
CALLS = 20


def trust_group(gold, actions, logprobs, r_fmt, r_ans):
    lengths = np.fromiter((len(values) for values in logprobs), dtype=np.int64, count=len(logprobs))
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))
    sums = np.add.reduceat(np.concatenate(logprobs).astype(np.float64), starts)
    ppl = np.exp(-sums / lengths)
    right = actions == gold
    positive = ppl[right].mean() if right.any() else 1.0
    if not right.any():
        negative = 1.0
    elif right.all():
        negative = positive
    else:
        negative = ppl[~right].mean()
    margin = negative - positive
    certainty = 1.0 / (1.0 + np.exp(-margin / TAU))
    r_cls = np.where(right, 3.0, np.where((actions >= 0) & (actions >> 1 == gold >> 1), 2.0, 1.0))
    reward = r_fmt + r_ans + certainty * r_cls
    advantage = (reward - reward.mean()) / (reward.std(ddof=1) + 1e-6)
    return reward, advantage, ppl, margin, certainty


with open(sys.argv[1]) as file:
    given = json.load(file)
arguments = (
    given["gold"],
    np.array(given["actions"]),
    [np.array(values, dtype=np.float32) for values in given["logprobs"]],
    np.array(given["r_fmt"], dtype=np.float64),
    np.array(given["r_ans"], dtype=np.float64),
)
for _ in range(WARM_UP):
    result = trust_group(*arguments)
chunks = []
for _ in range(CHUNKS):
    started = time.perf_counter()
    for _ in range(CALLS):
        result = trust_group(*arguments)
    chunks.append((time.perf_counter() - started) / CALLS * 1e6)
print(
    json.dumps(
        {"microseconds": statistics.median(chunks), "fastest": min(chunks), "reward": result[0].tolist()}
    )
)
