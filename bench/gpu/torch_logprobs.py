"""Log-probs with PyTorch on a GPU, eager, as a training loop writes them: python torch_logprobs.py [DEVICE]

Told by lines of JSON on standard input, each answered by a line: {"open": {"rows", "vocab", "type"}} makes logits, with a "width" hidden
states and an output layer; {"run": task} answers with milliseconds of the device and of the host, null where the memory does not do;
{"close": true} frees."""

import json
import sys
import time

import torch
import torch.nn.functional as F

DEVICE = "cuda"
REPEATS = 3
CHUNK = 1024
TYPES = {"bfloat16": torch.bfloat16, "float16": torch.float16, "float32": torch.float32}
state = {}


def normal(rows, columns, kind, spread):
    return torch.empty(rows, columns, device=DEVICE, dtype=TYPES[kind]).normal_(0, spread)


def open_shape(rows, vocab, type, width=None):
    if width is None:
        state["x"] = normal(rows, vocab, type, 3)
    else:
        state["h"] = normal(rows, width, type, 1)
        state["w"] = normal(vocab, width, type, 3 / width**0.5)
    state["t"] = torch.randint(0, vocab, (rows,), device=DEVICE)


def log_softmax_gather(x, t):
    return F.log_softmax(x, -1).gather(-1, t[:, None])[:, 0]


def everything(x, t):
    p = F.log_softmax(x, -1)
    own = p.gather(-1, t[:, None])
    return own[:, 0], -(p.exp() * p).sum(-1), 1 + (p > own).sum(-1), p.argmax(-1)


def chunked_cross_entropy(h, w, t):
    parts = [F.cross_entropy((h[i : i + CHUNK] @ w.T).float(), t[i : i + CHUNK], reduction="none") for i in range(0, len(h), CHUNK)]
    return torch.cat(parts)


TASKS = {
    "log_softmax": lambda: log_softmax_gather(state["x"], state["t"]),
    "float log_softmax": lambda: log_softmax_gather(state["x"].float(), state["t"]),
    "cross_entropy": lambda: F.cross_entropy(state["x"], state["t"], reduction="none"),
    "float cross_entropy": lambda: F.cross_entropy(state["x"].float(), state["t"], reduction="none"),
    "everything": lambda: everything(state["x"].float(), state["t"]),
    "copy": lambda: state["x"].clone(),
    "matmul": lambda: torch.matmul(state["h"], state["w"].T),
    "chunked cross_entropy": lambda: chunked_cross_entropy(state["h"], state["w"], state["t"]),
}


def run(task):
    work = TASKS[task]
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    try:
        work()
        start.record()
        for _ in range(REPEATS):
            work()
        end.record()
        end.synchronize()
        began = time.perf_counter()
        work()
        torch.cuda.synchronize()
        return {"ms": start.elapsed_time(end) / REPEATS, "wallMs": 1e3 * (time.perf_counter() - began)}
    except torch.cuda.OutOfMemoryError:
        torch.cuda.empty_cache()
        return {"ms": None, "wallMs": None}


def answer(request):
    if "open" in request:
        try:
            open_shape(**request["open"])
            return {"opened": True}
        except torch.cuda.OutOfMemoryError:
            state.clear()
            return {"opened": False}
    if "run" in request:
        return run(request["run"])
    state.clear()
    torch.cuda.empty_cache()
    return {"closed": True}


def main():
    if not torch.cuda.is_available():
        sys.exit("torch sees no GPU")
    torch.cuda.set_device(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    print(json.dumps({"versions": {"torch": torch.__version__, "cuda": torch.version.cuda}}), flush=True)
    with torch.inference_mode():
        for line in sys.stdin:
            print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
