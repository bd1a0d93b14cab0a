"""TRUST rewards with pyarrow and numpy, vectorised: what a careful Python user would write.

    python score_numpy.py INPUT OUTPUT     (.arrow, .parquet or .jsonl, both of one kind)

Only answers that are not the gold answer word for word, and calls that a regular expression cannot vouch for, are
looked at one by one. Of the response formats only the one in the benchmark's files is read.
"""

import sys

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from answers import call_agreement, parse_calls, token_f1
from files import read_table, write_jsonl, write_table

ACTIONS = pa.array(["direct_answer", "tool_call", "request_for_info", "cannot_answer"])
ALIASES = pa.array(["direct", "tool", "ask", "unable"])
LETTERS = pa.array(["A", "B", "C", "D"])
TOOL_CALL = 1
TAU = 0.1

RESPONSE = (
    r"(?s)^\s*<think>.*?</think>\s*(?P<name>[A-Za-z_]+)<(?P<letter>[A-Za-z])>\s*"
    r"<answer>(?P<answer>.*?)</answer>\s*$"
)
SCALAR = r'("[^"\\]*"|-?(0|[1-9][0-9]*)(\.[0-9]+)?|true|false|null)'
PAIR = rf'"[^"\\]*": {SCALAR}'
PLAIN_CALL = rf'^<tool_call>\{{"name": "[^"\\]+", "arguments": \{{({PAIR}(, {PAIR})*)?\}}\}}</tool_call>$'


def numbers(array, missing):
    return pc.fill_null(array, missing).to_numpy(zero_copy_only=False)


def action_codes(names):
    """0 … 3, or -1 for anything that is not an action."""
    lowered = pc.utf8_lower(names)
    canonical = pc.index_in(lowered, value_set=ACTIONS)
    return numbers(pc.coalesce(canonical, pc.index_in(lowered, value_set=ALIASES)), -1)


def perplexities(lists):
    """Mean negative log-probability of each list, and its exponential; NaN for an empty list."""
    offsets = lists.offsets.to_numpy()
    first = offsets[0]
    values = lists.values.to_numpy(zero_copy_only=False)[first : offsets[-1]].astype(np.float64)
    counts = np.diff(offsets)
    sums = np.zeros(len(counts))
    filled = counts > 0
    sums[filled] = np.add.reduceat(values, (offsets[:-1] - first)[filled])
    with np.errstate(invalid="ignore", divide="ignore"):
        nll = -sums / counts
    return np.exp(nll), nll


def score_rows(batch):
    """Columns of one batch that need no group: right, ppl, nll, r_fmt, r_ans, r_cls."""
    ppl, nll = perplexities(batch["logprobs"])
    response = batch["response"]
    parts = pc.extract_regex(response, RESPONSE)
    answer = pc.fill_null(pc.struct_field(parts, "answer"), "")
    named = action_codes(pc.struct_field(parts, "name"))
    lettered = numbers(pc.index_in(pc.utf8_upper(pc.struct_field(parts, "letter")), value_set=LETTERS), -1)
    action = np.where(named == lettered, named, -1)
    gold = action_codes(batch["gt_action"])

    single = np.ones(len(batch), dtype=bool)
    for tag in ("<think>", "</think>", "<answer>", "</answer>"):
        single &= numbers(pc.equal(pc.count_substring(response, tag), 1), False)
    is_call = action == TOOL_CALL
    good = numbers(pc.match_substring_regex(answer, PLAIN_CALL), False).copy()
    for row in np.flatnonzero(is_call & ~good):
        good[row] = parse_calls(answer[row].as_py()) is not None
    filled = numbers(pc.match_substring_regex(answer, r"\S"), False)
    text = filled & ~numbers(pc.match_substring(answer, "<tool_call>"), False)
    fitting = np.where(is_call, good, text)
    r_fmt = (single & (action >= 0) & fitting).astype(np.float64)

    right = (action == gold) & (gold >= 0)
    same = numbers(pc.equal(answer, batch["gt_answer"]), False)
    r_ans = np.where(right & same & np.where(is_call, good, True), 1.0, 0.0)
    rest = np.flatnonzero(right & ~same)
    answers = answer.take(rest).to_pylist()
    gold_answers = batch["gt_answer"].take(rest).to_pylist()
    for row, mine, theirs in zip(rest, answers, gold_answers):
        r_ans[row] = (call_agreement if gold[row] == TOOL_CALL else token_f1)(mine, theirs)

    coarse = (action >= 0) & (gold >= 0) & (action // 2 == gold // 2)
    r_cls = 1.0 + np.where(right, 2.0, np.where(coarse, 1.0, 0.0))
    return right, ppl, nll, r_fmt, r_ans, r_cls


def group_means(codes, values, chosen, groups):
    count = np.bincount(codes[chosen], minlength=groups)
    total = np.bincount(codes[chosen], weights=values[chosen], minlength=groups)
    with np.errstate(invalid="ignore", divide="ignore"):
        return total / count, count > 0


def advantages(codes, reward, groups):
    count = np.bincount(codes, minlength=groups)
    mean = np.bincount(codes, weights=reward, minlength=groups) / count
    deviation = reward - mean[codes]
    squares = np.bincount(codes, weights=deviation * deviation, minlength=groups)
    std = np.sqrt(squares / np.maximum(count - 1, 1))
    return np.where(count[codes] > 1, deviation / (std[codes] + 1e-6), 0.0)


def score(table):
    """The added columns, name -> numpy array (status: Arrow array)."""
    rows = [score_rows(batch) for batch in table.to_batches()]
    right, ppl, nll, r_fmt, r_ans, r_cls = (np.concatenate(column) for column in zip(*rows))
    encoded = pc.dictionary_encode(table["group_id"].combine_chunks())
    codes = encoded.indices.to_numpy()
    groups = len(encoded.dictionary)

    known = ~np.isnan(ppl)
    positive, has_positive = group_means(codes, ppl, right & known, groups)
    negative, has_negative = group_means(codes, ppl, ~right & known, groups)
    positive = np.where(has_positive, positive, 1.0)
    negative = np.where(~has_positive, 1.0, np.where(has_negative, negative, positive))
    margin = negative - positive
    with np.errstate(over="ignore"):
        certainty = 1.0 / (1.0 + np.exp(-margin / TAU))
    reward = r_fmt + r_ans + certainty[codes] * r_cls

    words = pa.array(["separated", "no_positive", "no_negative", "no_perplexity"])
    state = np.where(has_positive, np.where(has_negative, 0, 2), np.where(has_negative, 1, 3))
    return {
        "ppl": ppl,
        "nll": nll,
        "margin": margin[codes],
        "certainty": certainty[codes],
        "r_fmt": r_fmt,
        "r_ans": r_ans,
        "r_cls": r_cls,
        "reward": reward,
        "advantage": advantages(codes, reward, groups),
        "status": words.take(pa.array(state[codes])),
    }


def main(source, target):
    table = read_table(source)
    columns = score(table)
    if target.endswith(".jsonl"):
        write_jsonl(source, target, {name: values.tolist() for name, values in columns.items()})
        return
    for name, values in columns.items():
        table = table.append_column(name, pa.array(values))
    write_table(table, target)


if __name__ == "__main__":
    main(*sys.argv[1:])
