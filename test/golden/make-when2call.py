"""Writes when2call.json: the metrics of When2Call by scikit-learn, statsmodels and numpy.

    python make-when2call.py when2call_test_llm_judge.jsonl when2call.json

Needs numpy, scikit-learn and statsmodels (written with 2.4, 1.9.1 and 0.15.0). Random labels with absent classes and
unreadable predictions (-1, a label of its own to scikit-learn); random log-probs over texts beyond the basic plane, whose
length is Python's len(); and the numbers of the published items under log-probs that the test constructs as well: for item
i and choice c with a text of L characters -((37 i + 41 c + 7 i c) % 97 + 1) L / 64, exact in binary.
"""

import json
import sys

import numpy as np
from sklearn.metrics import confusion_matrix, f1_score, precision_recall_fscore_support
from statsmodels.stats.proportion import proportion_confint

CODES = [0, 1, 2, 3]
CHOICES = ["direct", "tool_call", "request_for_info", "cannot_answer"]


def rate(numerator, denominator):
    if denominator == 0:
        return None
    low, high = proportion_confint(numerator, denominator, 0.05, method="wilson")
    return [int(numerator), int(denominator), float(low), float(high)]


def metrics(gold, predicted, no_tools):
    gold, predicted, no_tools = np.asarray(gold), np.asarray(predicted), np.asarray(no_tools, bool)
    present = sorted(set(gold.tolist()))
    precision, recall, f1, support = precision_recall_fscore_support(
        gold, predicted, labels=CODES, zero_division=np.nan
    )
    free = (gold == 3) & no_tools
    matrix = confusion_matrix(gold, predicted, labels=[0, 1, 2, 3, -1])
    number = lambda values: [None if np.isnan(value) else float(value) for value in values]
    return {
        "acc": rate((gold == predicted).sum(), len(gold)),
        "macroF1": {
            "3": f1_score(gold, predicted, labels=present, average="macro", zero_division=0),
            "4": f1_score(gold, predicted, labels=CODES, average="macro", zero_division=0),
        },
        "precision": number(precision),
        "recall": number(recall),
        "f1": number(f1),
        "support": support.tolist(),
        "confusion": matrix[:4, :4].tolist(),
        "unparsed": matrix[:4, 4].tolist(),
        "toolHallucination": rate((predicted[free] == 1).sum(), free.sum()),
        "fdar": {
            "all": rate((predicted == 0).sum(), len(gold)),
            "gold_tool_call": rate((predicted[gold == 1] == 0).sum(), (gold == 1).sum()),
        },
        "answerHallucination": rate((predicted[gold == 3] == 0).sum(), (gold == 3).sum()),
        "paramHallucination": rate((predicted[gold == 2] == 1).sum(), (gold == 2).sum()),
    }


def label_case(rng, n, golds, predictions, no_tools_share):
    gold = rng.choice(golds, n)
    predicted = rng.choice(predictions, n)
    no_tools = rng.random(n) < no_tools_share
    rows = {"gold": gold.tolist(), "predicted": predicted.tolist(), "noTools": no_tools.tolist()}
    return {**rows, **metrics(gold, predicted, no_tools)}


def log_prob_case(rng, n):
    alphabet = ["a", "b ", "é", "漢", "😀", "👩‍👩‍👧", "𝒳"]
    rows = []
    for _ in range(n):
        texts = ["".join(rng.choice(alphabet, rng.integers(1, 9))) for _ in CODES]
        # Coarse, so that sums and quotients tie.
        sums = [-float(k) for k in rng.integers(0, 6, 4)]
        if rng.random() < 0.2:
            sums[rng.integers(4)] = -np.inf
        lengths = np.array([len(text) for text in texts], float)
        rows.append(
            {
                "texts": texts,
                "sums": ["-Infinity" if np.isinf(value) else value for value in sums],
                "acc": int(np.argmax(sums)),
                "accNorm": int(np.argmax(np.array(sums) / lengths)),
            }
        )
    return rows


def published_case(path):
    with open(path, encoding="utf-8") as lines:
        items = [json.loads(line) for line in lines]
    gold, acc, norm, no_tools = [], [], [], []
    for i, item in enumerate(items):
        lengths = np.array([len(item["answers"][choice]) for choice in CHOICES], float)
        sums = np.array([-((37 * i + 41 * c + 7 * i * c) % 97 + 1) * lengths[c] / 64 for c in CODES])
        gold.append(CHOICES.index(item["correct_answer"]))
        acc.append(int(np.argmax(sums)))
        norm.append(int(np.argmax(sums / lengths)))
        no_tools.append(len(item["tools"]) == 0)
    return {"acc": metrics(gold, acc, no_tools), "acc_norm": metrics(gold, norm, no_tools)}


def main(items, output):
    rng = np.random.default_rng(20260)
    result = {
        "labels": [
            label_case(rng, 120, [1, 2, 3], [0, 1, 2, 3, -1], 0.3),
            label_case(rng, 80, [0, 1, 2, 3], [1, 3], 0.1),
            label_case(rng, 30, [1, 2], [0, 1, 3], 0.5),
            label_case(rng, 9, [3], [1, -1], 1.0),
        ],
        "logProbs": log_prob_case(rng, 60),
        "published": published_case(items),
    }
    with open(output, "w", encoding="utf-8") as file:
        json.dump(result, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
