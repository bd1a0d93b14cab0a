"""TRUST rewards row by row, in the shape in which trainers call reward functions today: one call a sample, on plain
Python objects, then one pass over each group.

    python score_per_row.py INPUT OUTPUT     (.arrow, .parquet or .jsonl, both of one kind)
"""

import json
import math
import re
import sys

import pyarrow as pa

from answers import call_agreement, parse_calls, token_f1
from files import read_table, write_table

ACTIONS = {
    "direct_answer": 0, "tool_call": 1, "request_for_info": 2, "cannot_answer": 3,
    "direct": 0, "tool": 1, "ask": 2, "unable": 3,
}  # fmt: skip
LETTERS = {"a": 0, "b": 1, "c": 2, "d": 3}
TOOL_CALL = 1
TAU = 0.1
RESPONSE = re.compile(
    r"\s*<think>.*?</think>\s*([A-Za-z_]+)<([A-Za-z])>\s*<answer>(.*?)</answer>\s*", re.DOTALL
)
TAGS = ("<think>", "</think>", "<answer>", "</answer>")


def parse_response(response):
    """The action (None = unparsed) and the answer."""
    match = RESPONSE.fullmatch(response)
    if match is None:
        return None, ""
    action = ACTIONS.get(match[1].lower())
    return (action if action is not None and action == LETTERS.get(match[2].lower()) else None), match[3]


def format_reward(response, action, answer):
    if action is None or any(response.count(tag) != 1 for tag in TAGS):
        return 0.0
    if action == TOOL_CALL:
        return 1.0 if parse_calls(answer) else 0.0
    return 1.0 if answer.strip() and "<tool_call>" not in answer else 0.0


def class_reward(action, gold):
    if action is None or gold is None:
        return 1.0
    if action == gold:
        return 3.0
    return 2.0 if action // 2 == gold // 2 else 1.0


def compute_score(response, gt_action, gt_answer, logprobs):
    """One sample, as a trainer's reward function sees it."""
    action, answer = parse_response(response)
    gold = ACTIONS.get(gt_action.lower())
    right = action is not None and action == gold
    agreement = 0.0
    if right:
        agreement = call_agreement(answer, gt_answer) if gold == TOOL_CALL else token_f1(answer, gt_answer)
    nll = -sum(logprobs) / len(logprobs) if logprobs else math.nan
    return {
        "right": right,
        "ppl": math.exp(nll),
        "nll": nll,
        "r_fmt": format_reward(response, action, answer),
        "r_ans": agreement,
        "r_cls": class_reward(action, gold),
    }


def mean(values):
    return sum(values) / len(values)


def sigmoid(x):
    return 1.0 / (1.0 + math.exp(-x)) if x >= 0 else math.exp(x) / (1.0 + math.exp(x))


def finish_group(rows):
    """Margin, certainty, reward and advantage of the rows of one group."""
    known = [row for row in rows if not math.isnan(row["ppl"])]
    positive = [row["ppl"] for row in known if row["right"]]
    negative = [row["ppl"] for row in known if not row["right"]]
    if not positive:
        margin, status = 0.0, "no_positive" if negative else "no_perplexity"
    elif not negative:
        margin, status = 0.0, "no_negative"
    else:
        margin, status = mean(negative) - mean(positive), "separated"
    certainty = sigmoid(margin / TAU)
    for row in rows:
        row["margin"], row["certainty"], row["status"] = margin, certainty, status
        row["reward"] = row["r_fmt"] + row["r_ans"] + certainty * row["r_cls"]
    average = mean([row["reward"] for row in rows])
    spread = math.sqrt(sum((row["reward"] - average) ** 2 for row in rows) / max(len(rows) - 1, 1))
    for row in rows:
        row["advantage"] = (row["reward"] - average) / (spread + 1e-6) if len(rows) > 1 else 0.0


COLUMNS = ["ppl", "nll", "margin", "certainty", "r_fmt", "r_ans", "r_cls", "reward", "advantage", "status"]


def score_samples(samples):
    """Scores samples (dicts) and returns one dict of results a sample."""
    rows, groups = [], {}
    for sample in samples:
        row = compute_score(sample["response"], sample["gt_action"], sample["gt_answer"], sample["logprobs"])
        rows.append(row)
        groups.setdefault(sample["group_id"], []).append(row)
    for group in groups.values():
        finish_group(group)
    return rows


def table_samples(table):
    for batch in table.to_batches(max_chunksize=10_000):
        yield from batch.to_pylist()


def score_jsonl(source, target):
    with open(source, encoding="utf-8") as lines:
        samples = [json.loads(line) for line in lines]
    with open(target, "w", encoding="utf-8") as out:
        for sample, row in zip(samples, score_samples(samples)):
            out.write(json.dumps({**sample, **{name: row[name] for name in COLUMNS}}) + "\n")


def main(source, target):
    if source.endswith(".jsonl"):
        score_jsonl(source, target)
        return
    table = read_table(source)
    rows = score_samples(table_samples(table))
    for name in COLUMNS:
        table = table.append_column(name, pa.array([row[name] for row in rows]))
    write_table(table, target)


if __name__ == "__main__":
    main(*sys.argv[1:])
