"""Times what PyTorch takes on the GPU for the shapes of check-gpu.mjs; prints JSON. Eager, as a training loop writes it."""

import json
import sys

import torch
import torch.nn.functional as F

ROUNDS = 15
TYPES = {"bfloat16": torch.bfloat16, "float16": torch.float16, "float32": torch.float32}


def time_ms(work):
    rounds = []
    for i in range(ROUNDS + 2):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        work()
        end.record()
        end.synchronize()
        if i >= 2:
            rounds.append(start.elapsed_time(end))
    return sorted(rounds)[len(rounds) // 2]


def time_or_none(work):
    try:
        return time_ms(work)
    except torch.OutOfMemoryError:
        torch.cuda.empty_cache()
        return None


def logits_row(shape):
    rows, vocab, kind = shape["rows"], shape["vocab"], shape["type"]
    x = (3 * torch.randn(rows, vocab, device="cuda")).to(TYPES[kind])
    t = torch.randint(0, vocab, (rows,), device="cuda")

    def all_columns():
        p = F.log_softmax(x.float(), -1)
        own = p.gather(-1, t[:, None])
        return own, -(p.exp() * p).sum(-1), 1 + (p > own).sum(-1), p.argmax(-1)

    return {
        **shape,
        "logSoftmaxGatherMs": time_or_none(lambda: F.log_softmax(x, -1).gather(-1, t[:, None])),
        "floatLogSoftmaxGatherMs": time_or_none(lambda: F.log_softmax(x.float(), -1).gather(-1, t[:, None])),
        "crossEntropyMs": time_or_none(lambda: F.cross_entropy(x, t, reduction="none")),
        "floatCrossEntropyMs": time_or_none(lambda: F.cross_entropy(x.float(), t, reduction="none")),
        "gatherLogsumexpMs": time_or_none(lambda: x.gather(-1, t[:, None])[:, 0] - torch.logsumexp(x.float(), -1)),
        "allMs": time_or_none(all_columns),
    }


def hidden_row(shape):
    rows, width, vocab = shape["rows"], shape["width"], shape["vocab"]
    h = torch.randn(rows, width, device="cuda", dtype=torch.bfloat16)
    w = torch.randn(vocab, width, device="cuda", dtype=torch.bfloat16) / width**0.5
    t = torch.randint(0, vocab, (rows,), device="cuda")

    def chunked():
        out = []
        for i in range(0, rows, 1024):
            out.append(F.cross_entropy((h[i : i + 1024] @ w.T).float(), t[i : i + 1024], reduction="none"))
        return torch.cat(out)

    return {**shape, "matmulMs": time_or_none(lambda: h @ w.T), "chunkedCrossEntropyMs": time_or_none(chunked)}


if __name__ == "__main__":
    if not torch.cuda.is_available():
        sys.exit("torch sees no GPU")
    asked = json.load(sys.stdin)
    print(
        json.dumps(
            {
                "torch": torch.__version__,
                "device": torch.cuda.get_device_name(0),
                "logits": [logits_row(shape) for shape in asked["logits"]],
                "hidden": hidden_row(asked["hidden"]),
            }
        )
    )
