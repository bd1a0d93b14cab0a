"""Writes robustness-tables.json and robustness.json.

    python make-robustness.py bench2robust.md FOLDER

bench2robust.md is the text of Bench2Robust (arXiv 2608.11977) in Markdown: its Tables 1, 3 and 4 are copied as numbers, in
percent. robustness.json holds made-up episodes with intervals by scipy (paired bootstrap and t interval over tasks) and
statsmodels (Wilson, exact McNemar). Needs numpy, scipy and statsmodels (written with 2.4, 1.17 and 0.15).
"""

import json
import sys
from pathlib import Path

import numpy as np
from scipy.stats import bootstrap, ttest_rel
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

RESAMPLES = 100_000


def table_rows(lines, title):
    start = next(i for i, line in enumerate(lines) if line.startswith(f"{title}:"))
    rows = []
    for line in lines[start + 1 :]:
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if not set("".join(cells)) <= set("- "):
                rows.append(cells)
        elif rows:
            return rows
    return rows


def number(text):
    return float(text.replace("$-$", "-").replace("+", "").replace("†", ""))


def plain(formula):
    return formula.replace("$", "").replace("\\text{clean}", "clean").replace("\\max", "max")


def table1(lines):
    rows = table_rows(lines, "Table 1")
    suites = [cell for cell in rows[0] if cell]
    subsets = [cell for cell in rows[1][1:] if cell]
    sizes = [int(cell.strip("()")) for cell in rows[2] if cell]
    # The first suite has the three subsets retail, airline, telecom; the last has one.
    widths = [3, 3, 3, 1]
    suite_of = [suite for suite, width in zip(suites, widths) for _ in range(width)]
    blocks, block = [], None
    for cells in rows[3:]:
        if sum(cell != "" for cell in cells) == 1:
            block = {}
            blocks.append(block)
        else:
            block[cells[0]] = [number(cell) for cell in cells[1:] if cell]
    clean, injected, delta = blocks
    return [
        {
            "model": model,
            "subset": f"{suite_of[i]} {subsets[i]}".replace("$\\tau^{2}$", "tau2"),
            "n": sizes[i],
            "clean": clean[model][i],
            "injected": injected[model][i],
            "delta": delta[model][i],
        }
        for model in clean
        for i in range(len(sizes))
    ]


def table3(lines):
    rows = [cells for cells in table_rows(lines, "Table 3")[1:] if cells[1]]
    return [
        {"setting": plain(c[0]), "n": 402, "base": number(c[1]), "rl": number(c[2]), "delta": number(c[3])}
        for c in rows
    ]


def table4(lines):
    rows = [cells for cells in table_rows(lines, "Table 4")[2:] if len(cells) > 1 and cells[1]]
    names = ["base", "btm", "rl", "delta_btm", "delta_rl"]
    return [{"fault_type": c[0].replace(" ", "_"), **dict(zip(names, map(number, c[1:])))} for c in rows]


def episodes(random, tasks, seeds, clean, injected, extra=0):
    """Passes of each task under both conditions, as text: one digit a seed; some tasks are only clean."""
    out = []
    for task in range(tasks + extra):
        ability = random.random()
        side = lambda rate: "".join(str(int((ability + random.random()) / 2 < rate)) for _ in range(seeds))
        out.append({"task": f"t{task}", "clean": side(clean), "injected": side(injected) if task < tasks else ""})
    return out


def case(random, name, level, **sizes):
    tasks = episodes(random, **sizes)
    paired = [t for t in tasks if t["injected"]]
    share = lambda text: sum(map(int, text)) / len(text)
    clean = np.array([share(t["clean"]) for t in paired])
    injected = np.array([share(t["injected"]) for t in paired])
    difference = bootstrap(
        (injected - clean,), np.mean, n_resamples=RESAMPLES, confidence_level=level, method="percentile", rng=1
    )
    t = ttest_rel(injected, clean).confidence_interval(level)
    everyone = np.array([share(t["clean"]) for t in tasks])
    rate = bootstrap((everyone,), np.mean, n_resamples=RESAMPLES, confidence_level=level, method="percentile", rng=2)
    passes = int(sum(sum(map(int, t["clean"])) for t in tasks))
    count = sum(len(t["clean"]) for t in tasks)
    result = {
        "name": name,
        "level": level,
        "tasks": tasks,
        "delta": float((injected - clean).mean()),
        "delta_bootstrap": [float(x) for x in difference.confidence_interval],
        "delta_t": [float(t.low), float(t.high)],
        "standard_error": float(difference.standard_error),
        "clean_bootstrap": [float(x) for x in rate.confidence_interval],
        "clean_wilson": [float(x) for x in proportion_confint(passes, count, 1 - level, "wilson")],
    }
    if sizes["seeds"] == 1:
        b, c = int((clean > injected).sum()), int((clean < injected).sum())
        result["mcnemar"] = {"b": b, "c": c, "p": float(mcnemar([[0, b], [c, 0]], exact=True).pvalue)}
    return result


def main(source, folder):
    lines = Path(source).read_text().split("\n")
    write = lambda name, value: (Path(folder) / name).write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n")
    write("robustness-tables.json", {"table1": table1(lines), "table3": table3(lines), "table4": table4(lines)})
    random = np.random.default_rng(26_081_197)
    cases = [
        case(random, "one seed", 0.95, tasks=80, seeds=1, clean=0.65, injected=0.35),
        case(random, "one seed, small difference, unpaired tasks", 0.9, tasks=50, seeds=1, clean=0.5, injected=0.45, extra=7),
        case(random, "five seeds", 0.95, tasks=60, seeds=5, clean=0.6, injected=0.3),
    ]
    exact = [
        {"b": b, "c": c, "p": float(mcnemar([[0, b], [c, 0]], exact=True).pvalue)}
        for b, c in [(0, 0), (5, 5), (0, 1), (6, 1), (0, 20), (13, 29), (480, 520), (30000, 30500), (900, 40)]
    ]
    write("robustness.json", {"cases": cases, "mcnemar": exact})


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
