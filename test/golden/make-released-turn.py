"""Readings and alignments of random texts by the rules of cases/trust/README.md, with Python's re, json, str and float.

usage: python make-released-turn.py OUTPUT.json [HOW_MANY]

responses:  [text, reasoning, answer, letter, has tag, self-consistent, source]
alignments: [action, answer, chosen response, tools, r_align]
floats:     [text, repr of float(text) or null]
"""

import json
import random
import re
import sys
from collections import Counter

random.seed(0)
wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 150
ACROSS = re.IGNORECASE | re.DOTALL
STAND_ALONE = re.compile(r"\b([ABCD])\b", re.IGNORECASE)


def block(text, name, left="<", right=">"):
    found = re.search(rf"{re.escape(left + name + right)}(.*?){re.escape(left + '/' + name + right)}", text, ACROSS)
    return None if found is None else found[1].strip()


def first(*values):
    return next((value for value in values if value is not None), None)


def letter_of(text, answer, tag):
    if tag:
        return tag[2].upper()
    if answer is not None:
        found = re.search(r"<([ABCD])>\s*$", answer, re.IGNORECASE | re.MULTILINE)
        if found:
            return found[1].upper()
        for line in reversed(answer.splitlines()):
            if letters := STAND_ALONE.findall(line):
                return letters[-1].upper()
    letters = STAND_ALONE.findall(text)
    return letters[-1].upper() if letters else None


def source_of(reasoning):
    for pattern, flags in ((r"source\s*=\s*(.+?)\s+suggested_action\s*=", ACROSS), (r"source\s*=\s*(.+)", re.IGNORECASE)):
        if found := re.search(pattern, reasoning or "", flags):
            return found[1].strip()
    return ""


def read(text):
    reasoning = first(block(text, "think"), block(text, "uq", "[", "]"))
    calls = re.findall(r"<tool_call>.*?</tool_call>", text, ACROSS)
    answer = "\n".join(calls) if calls else first(block(text, "answer"), block(text, "answer", "[", "]"))
    tag = re.search(r"(direct_answer|tool_call|request_for_info|cannot_answer)\s*<([ABCD])>", text, re.IGNORECASE)
    letter = letter_of(text, answer, tag)
    hint = tag and tag[2]
    if not tag and (found := re.search(r"suggested_action\s*=\s*<?([ABCD])", reasoning or "", re.IGNORECASE)):
        hint = found[1]
    consistent = hint is not None and hint.upper() == letter
    return [text, reasoning, answer, letter, tag is not None, consistent, source_of(reasoning)]


def f1(a, b):
    left, right = (re.findall(r"[a-z0-9_]+", text.lower()) for text in (a, b))
    overlap = sum((Counter(left) & Counter(right)).values())
    if overlap == 0:
        return 0.0
    p, r = overlap / len(left), overlap / len(right)
    return 2 * p * r / (p + r)


def name_of(call):
    return str(call.get("name", "")).strip()


def json_or_none(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def call_of(text):
    found = re.search(r"<(?:tool_call|toolcall)>(.*?)</(?:tool_call|toolcall)>", text, ACROSS)
    value = json_or_none((found[1] if found else text).strip())
    if isinstance(value, list) and value:
        value = value[0]
    if not isinstance(value, dict):
        return "", {}
    arguments = value.get("arguments")
    return name_of(value), arguments if isinstance(arguments, dict) else {}


def is_question(text):
    cues = ["?", "please provide", "please specify", "what ", "which ", "how ", "could you", "can you", "would you"]
    return any(cue in text.lower() for cue in cues)


def is_refusal(text):
    cues = ["unable", "cannot", "can't", "sorry", "apologies", "i do not have"]
    return any(cue in text.lower() for cue in cues)


def align_calls(given, chosen, tools):
    (name, arguments), (other_name, other_arguments) = call_of(given), call_of(chosen)
    objects = [json_or_none(tool) if isinstance(tool, str) else tool for tool in tools or []]
    names = [name_of(tool) for tool in objects if isinstance(tool, dict)]
    if name == "" or (names and name not in names):
        return 0.0
    both = [json.dumps(value, ensure_ascii=False) for value in (arguments, other_arguments)]
    return 0.5 * (name == other_name) + 0.5 * (f1(*both) if arguments or other_arguments else 1.0)


def align(action, answer, chosen, tools):
    given, chosen = answer.strip(), chosen.strip()
    if given == "" or chosen == "":
        return 0.0
    if action == "tool_call":
        return align_calls(given, chosen, tools)
    if action == "request_for_info" and not is_question(given):
        return 0.0
    if action == "cannot_answer" and (is_question(given) or not is_refusal(given)):
        return 0.0
    return f1(given, chosen)


MARKERS = ["<think>", "</think>", "<THINK>", "<answer>", "</answer>", "[uq]", "[/uq]", "[answer]", "[/answer]"]
MARKERS += ["<tool_call>", "</tool_call>", "tool_call", "direct_answer", "cannot_answer", "request_for_info", "<A>", "<b>"]
TAGS = ["Tool_Call <b>", "xdirect_answer\xa0<A>", "cannot_answer\r\n<D>", "direct_answer<C>", "tool_call< B >", "suggested_action=<D>"]
WORDS = ["suggested_action", " suggested_action =", "source", "resource", "SOURCE =", "=", "=", "<C", "A", "b", "D>", "abc"]
CHARACTERS = ["é", "是", "\U0001d400", "\U0001f600", "\u0301", "_", "1", "²", " ", " ", "\n", "\r\n", "\x85", "\xa0"]
CHARACTERS += ["\x1c", "\u2028", "\ufeff", "\x0b", "<", "\u200b"]
KINDS = [MARKERS + WORDS + CHARACTERS, ["source", "=", "suggested_action", " ", "\n", "x", "<A>"], ["<A>", "A", "é", ".", *" \n\x85"]]


def response():
    pieces = random.choices(random.choice(KINDS), k=random.randrange(1, 20))
    if random.random() < 0.6:
        tail = random.choices(KINDS[0] + TAGS, k=random.randrange(8))
        pieces = ["<think>", *pieces, "</think>", *tail]
    if random.random() < 0.3:
        pieces = [*pieces, "<answer>", *random.choices(KINDS[2], k=6), "</answer>"]
    return "".join(pieces)


VALUES = ["1", "1.0", "-0", "-0.0", "1e5", "1E-7", "1e16", "123456789012345678901234567890", "NaN", "-Infinity", "null", "true"]
VALUES += ['"x y"', '"é\\n"', '"\\u0000"', '"\\ud83d\\ude00"', "[1, 2.50]", '{"k": 1, "k": 2}', "1e400", "01", ".5", "{}"]
NAMES = ['"f"', '"f "', '" g"', "null", "true", "1", "1.0", '"None"', '"1"', "NaN", '"nan"', '""', "-Infinity"]
PHRASES = ["what ", "how", "show me", "?", "could you", "can  you", "please provide", "cannot", "can't", "can\u2019t", "sorry"]
PHRASES += ["I do not have", "Paris", "\u212a", "\u0130", "x1", "_", "é", "\n", "APOLOGIES", "unable", ".", "Which "]
TOOLS = [{"name": "f"}, {"name": " g "}, {"name": None}, {"x": 1}, '{"name": "f"}', '{"name": 1.0}', "[1]", "bad", 3, ["f"]]


def call():
    fields = ", ".join(f'"{random.choice("abc")}": {random.choice(VALUES)}' for _ in range(random.randrange(4)))
    arguments = "{" + fields + "}" if random.random() < 0.85 else random.choice(VALUES)
    text = '{"name": %s, "arguments": %s}' % (random.choice(NAMES), arguments)
    text = random.choice([text] * 5 + [f"[{text}]", f"[{text}, 1]", f"{text},", f"\ufeff{text}", f"{text}\x85", '{"a": 1}'])
    return random.choice(["", "<tool_call>", "<TOOLCALL>\n"]) + text + random.choice(["", "</tool_call>", "\xa0</ToolCall> y"])


def phrase():
    return " ".join(random.choices(PHRASES, k=random.randrange(7)))


def alignment():
    action = random.choice(["direct_answer", "request_for_info", "cannot_answer", "tool_call", "tool_call", "tool_call"])
    make = call if action == "tool_call" else phrase
    answer = make()
    chosen = answer if random.random() < 0.3 else make()
    tools = random.choices(TOOLS, k=random.randrange(1, 4)) if random.random() < 0.4 else None
    return [action, answer, chosen, tools, align(action, answer, chosen, tools)]


PIECES = [*"0123456789" * 2, *"__..eE+- \t", "inf", "nan", "infinity", "\u0661", "\uff15", "\xa0", "\x1c", "\x85", "\U0001d7d8"]
PIECES += ["\U0001d7e2", "\ufeff", "x", "²"]


def float_text():
    text = "".join(random.choices(PIECES, k=random.randrange(6)))
    try:
        return [text, repr(float(text))]
    except ValueError:
        return [text, None]


cases = {
    "responses": [read(response()) for _ in range(2 * wanted)],
    "alignments": [alignment() for _ in range(wanted)],
    "floats": [float_text() for _ in range(wanted)],
}
with open(sys.argv[1], "w") as file:
    json.dump(cases, file, separators=(",", ":"))
    file.write("\n")
