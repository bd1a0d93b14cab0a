"""Agreement of an answer with the gold answer (R_ans of docs/formulas.md), one pair at a time."""

import json
import re
from collections import Counter

TOOL_CALL = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)
WORD = re.compile(r"\w+")


def parse_calls(answer):
    """The calls of an answer, or None when there is none or one of them is broken."""
    calls = []
    for block in TOOL_CALL.findall(answer):
        try:
            call = json.loads(block)
        except ValueError:
            return None
        if not isinstance(call, dict) or not isinstance(call.get("name"), str):
            return None
        calls.append(call)
    return calls or None


def call_agreement(answer, gold):
    """Calls in order: 0 for another name, else the share of equal arguments; extra calls divide."""
    calls, gold_calls = parse_calls(answer), parse_calls(gold)
    if calls is None or gold_calls is None:
        return 0.0
    total = 0.0
    for call, gold_call in zip(calls, gold_calls):
        if call["name"] != gold_call["name"]:
            continue
        arguments, expected = call.get("arguments", {}), gold_call.get("arguments", {})
        keys = arguments.keys() | expected.keys()
        equal = sum(1 for key in keys if key in arguments and key in expected and arguments[key] == expected[key])
        total += equal / len(keys) if keys else 1.0
    return total / max(len(calls), len(gold_calls))


def token_f1(answer, gold):
    """F1 of the lower-cased word tokens."""
    words, gold_words = Counter(WORD.findall(answer.lower())), Counter(WORD.findall(gold.lower()))
    common = sum((words & gold_words).values())
    return 2 * common / (sum(words.values()) + sum(gold_words.values())) if common else 0.0
