"""Log-probs with PyTorch, one call a line of standard input: python logprobs.py FOLDER

A line is JSON: {"open": {"rows", "vocab", "buffers": [file, ...], "targets": [...]}} loads float32 logits (bfloat16 is their
upper half); {"run": task, "threads": n, "buffer": i, "values": bool} answers with the seconds of the call, and with what it
computed when asked. A line is answered by a line."""

import json
import os
import resource
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

folder = sys.argv[1]
state = {}


def open_buffers(rows, vocab, buffers, targets):
    raw = [np.fromfile(os.path.join(folder, name), dtype=np.uint32).reshape(rows, vocab) for name in buffers]
    state["float32"] = [torch.from_numpy(words.view(np.float32)) for words in raw]
    state["bfloat16"] = [torch.from_numpy((words >> 16).astype(np.uint16).view(np.int16)).view(torch.bfloat16) for words in raw]
    state["targets"] = torch.tensor(targets, dtype=torch.int64)
    return {"torch": torch.__version__, "python": sys.version.split()[0], "numpy": np.__version__}


def cross_entropy(x, target):
    return {"logprob": -F.cross_entropy(x, target, reduction="none")}


def cross_entropy_of_float(x, target):
    return {"logprob": -F.cross_entropy(x.float(), target, reduction="none")}


def log_softmax_gather(x, target):
    return {"logprob": F.log_softmax(x, dim=-1).gather(1, target[:, None])[:, 0]}


def everything(x, target):
    logprobs = F.log_softmax(x, dim=-1)
    own = x.gather(1, target[:, None])
    return {
        "logprob": logprobs.gather(1, target[:, None])[:, 0],
        "entropy": -(logprobs.exp() * logprobs).sum(-1),
        "rank": (x > own).sum(-1) + 1,
        "argmax": x.argmax(-1),
    }


TASKS = {
    "cross_entropy float32": (cross_entropy, "float32"),
    "log_softmax, gather float32": (log_softmax_gather, "float32"),
    "cross_entropy of .float() bfloat16": (cross_entropy_of_float, "bfloat16"),
    "log-prob, entropy, rank, argmax float32": (everything, "float32"),
    "log-prob, entropy, rank, argmax bfloat16": (lambda x, target: everything(x.float(), target), "bfloat16"),
}


def run(task, threads, buffer, values):
    call, kind = TASKS[task]
    torch.set_num_threads(threads)
    x = state[kind][buffer]
    started = time.perf_counter()
    result = call(x, state["targets"])
    seconds = time.perf_counter() - started
    answer = {"seconds": seconds}
    if values:
        answer["values"] = {name: numbers.double().tolist() for name, numbers in result.items()}
    return answer


with torch.inference_mode():
    for line in sys.stdin:
        order = json.loads(line)
        if "open" in order:
            answer = open_buffers(**order["open"])
        else:
            answer = run(order["run"], order["threads"], order["buffer"], order["values"])
        answer["peakMiB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps(answer), flush=True)
