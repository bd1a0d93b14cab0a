import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bfloat16Values } from "../../src/uq/logprobs/half-floats.ts";
import { createJsBackend } from "../../src/uq/logprobs/js-backend.ts";
import type { LogitType, LogProbBackend, LogProbColumns } from "../../src/uq/logprobs/log-prob-backend.ts";
import { createWasmBackend } from "../../src/uq/logprobs/wasm-backend.ts";
import { perplexity } from "../../src/uq/perplexity.ts";
import { readSafetensors } from "./safetensors.ts";

/** What PyTorch gave, in float64, by token and by text. */
interface Measures {
  readonly logprob: readonly number[];
  readonly entropy: readonly number[];
  readonly rank: readonly number[];
  readonly ppl: readonly number[];
}

const FOLDER = new URL("tiny-lm/", import.meta.url);
const golden: Readonly<Record<string, { readonly logits: Measures; readonly hidden: Measures }>> = JSON.parse(
  readFileSync(new URL("expected.json", FOLDER), "utf8"),
);

const BACKENDS: readonly [string, () => Promise<LogProbBackend>][] = [
  ["js", async () => createJsBackend()],
  ["wasm", () => createWasmBackend({ threads: 1 })],
];

function readModel(type: LogitType) {
  const tensors = readSafetensors(new URL(`${type}.safetensors`, FOLDER));
  const numbers = (name: string): Float32Array | Uint16Array =>
    tensors.get(name)?.data as Float32Array | Uint16Array;
  const ids = (name: string): Int32Array =>
    Int32Array.from(tensors.get(name)?.data as BigInt64Array, (id) => Number(id));
  const [rows = 0, width = 0] = tensors.get("hidden")?.shape ?? [];
  const vocab = tensors.get("logits")?.shape[1] as number;
  const stored = numbers("lm_head.bias");
  const halves = bfloat16Values();
  const bias =
    stored instanceof Float32Array ? stored : Float32Array.from(stored, (bits) => halves[bits] as number);
  return {
    targets: ids("tokens"),
    offsets: ids("offsets"),
    logits: { data: numbers("logits"), type, rows, vocab },
    hidden: { data: numbers("hidden"), type, rows, width },
    head: { weights: numbers("lm_head.weight"), type, vocab, width, bias },
  };
}

function expectMeasures(columns: LogProbColumns, offsets: Int32Array, expected: Measures): void {
  const worst = (found: Float64Array | undefined, wanted: readonly number[]): number =>
    wanted.reduce((most, value, i) => Math.max(most, Math.abs((found?.[i] ?? Number.NaN) - value)), 0);
  expect(columns.logprob.length).toBe(expected.logprob.length);
  expect(worst(columns.logprob, expected.logprob)).toBeLessThan(1e-5);
  expect(worst(columns.entropy, expected.entropy)).toBeLessThan(1e-5);
  expect(Array.from(columns.rank ?? [])).toEqual(expected.rank);
  const { ppl, n } = perplexity(columns.logprob, offsets);
  expect(Array.from(n)).toEqual(Array.from(offsets.slice(1), (end, i) => end - (offsets[i] as number)));
  expect(worst(ppl.map(Math.log), expected.ppl.map(Math.log))).toBeLessThan(1e-5);
  for (const [text, value] of expected.ppl.entries())
    expect(Math.abs((ppl[text] as number) / value - 1), `text ${text}`).toBeLessThan(1e-5);
}

describe.each(BACKENDS)(
  "a language model's log-probs and perplexities, %s beside PyTorch",
  (_name, create) => {
    let backend: LogProbBackend;
    beforeAll(async () => {
      backend = await create();
    });
    afterAll(async () => {
      await backend.dispose();
    });

    it.each(["float32", "bfloat16"] as const)("%s, from logits", async (type) => {
      const { logits, targets, offsets } = readModel(type);
      const columns = await backend.score(logits, targets, { entropy: true, rank: true });
      expectMeasures(columns, offsets, golden[type]?.logits as Measures);
    });

    it.each(["float32", "bfloat16"] as const)("%s, from hidden states", async (type) => {
      const { hidden, head, targets, offsets } = readModel(type);
      const columns = await backend.scoreHidden(hidden, head, targets, { entropy: true, rank: true });
      expectMeasures(columns, offsets, golden[type]?.hidden as Measures);
    });
  },
);
