"""Made-up predictions for ToolFault-Bench: python make-toolfault-predictions.py FOLDER [SAMPLES] [SEED]

Writes Arrow files without compression, in batches of about a million rows, for the 441 constructed items of
test/golden/toolfault.json and SAMPLES answers to each (22,676 by default: 10,000,116 rows):

  items.arrow        id, fault_type, acceptable_next_actions, critical_next_actions, domain, difficulty
  predictions.arrow  id, sample, fault_type, next_action; one of 100 rows lacks one label or both

Within a sample the items come in random order. Text columns are dictionaries.
"""

import json
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa

BATCH_ROWS = 1_000_000
FOLDER = Path(sys.argv[1])
SAMPLES = int(sys.argv[2]) if len(sys.argv) > 2 else 22_676
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 20261130

golden = json.loads((Path(__file__).parent / "../test/golden/toolfault.json").read_text("utf8"))
card, FAULTS, ACTIONS = golden["card"], golden["faults"], golden["actions"]
ITEMS = len(card["id"])
GOLD = {name: np.array(card[name]) for name in ("fault", "action", "acceptable", "critical", "domain", "difficulty")}


def dictionary(codes, labels, missing=None):
    indices = pa.array(codes.astype(np.int32), mask=missing)
    return pa.DictionaryArray.from_arrays(indices, pa.array(labels))


def actions_of(masks):
    return pa.array([[a for k, a in enumerate(ACTIONS) if m >> k & 1] for m in masks.tolist()], pa.list_(pa.string()))


def items_table():
    return pa.table(
        {
            "id": card["id"],
            "fault_type": pa.array([FAULTS[code] for code in card["fault"]]),
            "acceptable_next_actions": actions_of(GOLD["acceptable"]),
            "critical_next_actions": actions_of(GOLD["critical"]),
            "domain": pa.array([card["domains"][code] for code in card["domain"]]),
            "difficulty": pa.array([card["difficulties"][code] for code in card["difficulty"]]),
        }
    )


def batch(random, first, samples):
    """The samples from `first` on."""
    item = random.permuted(np.tile(np.arange(ITEMS), (samples, 1)), axis=1).ravel()
    rows = len(item)
    fault = np.where(random.random(rows) < 0.6, GOLD["fault"][item], random.integers(0, len(FAULTS), rows))
    action = np.where(random.random(rows) < 0.6, GOLD["action"][item], random.integers(0, len(ACTIONS), rows))
    broken = random.random(rows)
    sample = np.repeat(np.arange(first, first + samples, dtype=np.int32), ITEMS)
    columns = {
        "id": dictionary(item, card["id"]),
        "sample": pa.array(sample),
        "fault_type": dictionary(fault, FAULTS, broken < 0.008),
        "next_action": dictionary(action, ACTIONS, (broken > 0.004) & (broken < 0.01)),
    }
    return pa.record_batch(columns)


def write(name, batches):
    """The file appears when it is complete."""
    partial = FOLDER / f"{name}.partial"
    with pa.OSFile(str(partial), "wb") as sink:
        with pa.ipc.new_file(sink, batches[0].schema) as writer:
            for one in batches:
                writer.write_batch(one)
    partial.rename(FOLDER / name)


FOLDER.mkdir(parents=True, exist_ok=True)
random = np.random.default_rng(SEED)
step = BATCH_ROWS // ITEMS
batches = [batch(random, first, min(step, SAMPLES - first)) for first in range(0, SAMPLES, step)]
write("predictions.arrow", batches)
write("items.arrow", items_table().combine_chunks().to_batches())
