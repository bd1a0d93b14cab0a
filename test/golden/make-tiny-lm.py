"""Writes tiny-lm/: hidden states, logits and the output layer of a tiny language model, and its log-probs by PyTorch.

    python make-tiny-lm.py tiny-lm

Needs torch (written with 2.13, CPU); trains for some seconds. Layout of the files:

- float32.safetensors and bfloat16.safetensors, the second with every number rounded to bfloat16: `hidden` (rows, 48),
  `logits` (rows, 288), `tokens` (rows) int64, `offsets` (texts + 1) int64, `lm_head.weight` (288, 48), `lm_head.bias`
  (288). Row i of `hidden` and `logits` is the position that predicts `tokens[i]`; text j has the rows from `offsets[j]`
  to `offsets[j + 1]`.
- expected.json: by file, `logits` (from the stored logits) and `hidden` (from the stored hidden states and output
  layer), each with `logprob`, `entropy`, `rank` of the token by row, and `ppl` by text: torch in float64.

The model is a causal transformer (two layers, width 48) over bytes and the 31 most frequent pairs of bytes; id 287 begins a
text.
"""

import json
import pathlib
import struct
import sys

import torch
from torch import nn

WIDTH, HEADS, LAYERS, VOCAB, CONTEXT, START = 48, 4, 2, 288, 64, 287

CORPUS = """A language model gives every next token a probability. The logarithm of that probability is small when the
model is sure and large and negative when it is surprised. The mean of these logarithms over a text, with its sign
turned and raised to a power of e, is the perplexity of the text: the number of tokens among which the model seems to
choose at every step. A model that knows a text by heart has a perplexity close to one. A model that knows nothing has a
perplexity close to the size of its vocabulary.
An agent that calls tools has to decide what to do with a request. It can answer at once, it can call a tool, it can ask
for what is missing, or it can say that the request cannot be met. A good agent is right, and it also knows when it is
right. When it is unsure it should say so, and when it is sure it should not be wrong. We call such an agent calibrated:
of the answers that it gives with a confidence of seventy percent, about seventy of a hundred are right.
The weather tool takes a city and a day. The search tool takes a question. The calendar tool takes a date, an hour and a
name. When the city is missing, the agent asks for the city. When the day is missing, the agent asks for the day. When
no tool can help, the agent says that it cannot help. When a tool fails, the agent tries again, or it says that the tool
has failed; it never makes up what the tool would have said.
get_weather(city="Paris", day="Monday") get_weather(city="Rome", day="Friday") search(question="Who wrote the book?")
get_weather(city="Oslo", day="Sunday") add_event(date="May 3", hour=9, name="Review") search(question="What is entropy?")
The entropy of a distribution is the mean surprise that it expects of itself. It is zero when one token has all of the
probability, and it is the logarithm of the size of the vocabulary when all tokens are equally likely. The rank of a
token is its place when all tokens are put in order, the most likely first.
"""

TEXTS = [
    "The weather tool takes a city and a day.",
    "When the hour is missing, the agent asks for the hour.",
    'get_weather(city="Berlin", day="Monday")',
    "A perplexity of nine says that the model is surprised.",
    "Zwölf Boxkämpfer jagen Viktor quer über den Sylter Deich.",
    "0x7f QQ}{ ~~ #!",
]


def merges_of(data):
    counts = {}
    for pair in zip(data, data[1:]):
        counts[pair] = counts.get(pair, 0) + 1
    return sorted(counts, key=lambda pair: (-counts[pair], pair))[: VOCAB - 257]


def encode(text, merges):
    data, ids, at = text.encode(), [], 0
    while at < len(data):
        pair = tuple(data[at : at + 2])
        ids.append(256 + merges.index(pair) if pair in merges else data[at])
        at += 2 if pair in merges else 1
    return ids


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(VOCAB, WIDTH)
        self.places = nn.Embedding(CONTEXT, WIDTH)
        layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 4 * WIDTH, 0.0, batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, LAYERS, nn.LayerNorm(WIDTH), enable_nested_tensor=False)
        self.lm_head = nn.Linear(WIDTH, VOCAB)

    def forward(self, ids):
        size = ids.shape[1]
        mask = nn.Transformer.generate_square_subsequent_mask(size)
        return self.layers(self.tokens(ids) + self.places(torch.arange(size)), mask=mask, is_causal=True)


def train(ids):
    torch.manual_seed(20240607)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    model = Model()
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(400):
        starts = torch.randint(0, len(ids) - CONTEXT - 1, (16,)).tolist()
        batch = torch.tensor([ids[at : at + CONTEXT + 1] for at in starts])
        inputs = batch[:, :-1].clone()
        inputs[::4, 0] = START
        logits = model.lm_head(model(inputs))
        loss = nn.functional.cross_entropy(logits.reshape(-1, VOCAB), batch[:, 1:].reshape(-1))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    print(f"training loss {loss.item():.3f} nats a token")
    return model.eval()


def save(path, tensors):
    """https://github.com/huggingface/safetensors#format: the length of the header, the header, the numbers."""
    names = {torch.float32: "F32", torch.bfloat16: "BF16", torch.int64: "I64"}
    header, parts, at = {}, [], 0
    for name, tensor in tensors.items():
        data = tensor.contiguous().view(torch.uint8).numpy().tobytes()
        header[name] = {
            "dtype": names[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [at, at + len(data)],
        }
        parts.append(data)
        at += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(parts))


def measures(logits, tokens, offsets):
    logprobs = torch.log_softmax(logits, 1)
    chosen = logprobs.gather(1, tokens[:, None])[:, 0]
    entropy = -(logprobs.exp() * logprobs).sum(1)
    rank = 1 + (logits > logits.gather(1, tokens[:, None])).sum(1)
    ppl = [torch.exp(-chosen[a:b].mean()).item() for a, b in zip(offsets, offsets[1:])]
    rounded = lambda column: [float(f"{value:.12g}") for value in column.tolist()]
    return {"logprob": rounded(chosen), "entropy": rounded(entropy), "rank": rank.tolist(), "ppl": ppl}


folder = pathlib.Path(sys.argv[1])
folder.mkdir(exist_ok=True)
merges = merges_of(CORPUS.encode())
model = train(encode(CORPUS, merges))
texts = [encode(text, merges) for text in TEXTS]
offsets = torch.tensor([0] + [len(ids) for ids in texts]).cumsum(0)
with torch.no_grad():
    hidden = torch.cat([model(torch.tensor([[START] + ids[:-1]]))[0] for ids in texts])
    weight, bias = model.lm_head.weight.detach(), model.lm_head.bias.detach()
    tokens = torch.tensor(sum(texts, []))
    expected = {}
    for name, dtype in (("float32", torch.float32), ("bfloat16", torch.bfloat16)):
        states, weights, biases = hidden.to(dtype), weight.to(dtype), bias.to(dtype)
        logits = nn.functional.linear(states, weights, biases)
        stored = {
            "hidden": states,
            "logits": logits,
            "tokens": tokens,
            "offsets": offsets,
            "lm_head.weight": weights,
            "lm_head.bias": biases,
        }
        save(folder / f"{name}.safetensors", stored)
        projected = states.double() @ weights.double().T + biases.double()
        expected[name] = {
            "logits": measures(logits.double(), tokens, offsets.tolist()),
            "hidden": measures(projected, tokens, offsets.tolist()),
        }
print(len(tokens), "rows; ppl", [round(ppl, 2) for ppl in expected["float32"]["logits"]["ppl"]])
(folder / "expected.json").write_text(json.dumps(expected, separators=(",", ":")) + "\n")
