import { existsSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { tableFromIPC } from "apache-arrow";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type FileCommandOptions, fileCommand } from "../../../src/cli/logprobs/file-command.ts";
import type { FileSummary } from "../../../src/cli/logprobs/file-summary.ts";
import type { ListColumn } from "../../../src/data/columns.ts";
import { readParquetColumns } from "../../../src/data/parquet/read-parquet-duckdb.ts";
import { npyBytes, safetensorsBytes } from "../../data/tensors/tensor-bytes.ts";
import { temporaryFolder } from "../../e2e/run-cli.ts";
import { decoded, noise, oracleRow } from "./oracle.ts";

const folder = temporaryFolder();
const TINY = fileURLToPath(new URL("../../golden/tiny-lm", import.meta.url));
const VOCAB = 37;

afterEach(() => {
  vi.restoreAllMocks();
});

function file(name: string, bytes: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** Runs the command and returns what it says as JSON. */
async function run(options: Partial<FileCommandOptions>): Promise<FileSummary> {
  const written: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const shared = { files: [], restart: false, json: true, quiet: true, threads: 1 };
  await fileCommand({ ...shared, ...options });
  vi.restoreAllMocks();
  return JSON.parse(written.join("")) as FileSummary;
}

async function failure(options: Partial<FileCommandOptions>): Promise<string> {
  const error = await run(options).then(
    () => new Error("no error"),
    (cause: Error) => cause,
  );
  expect(error.name).toBe("CalibrantError");
  return `${(error as Error & { code: string }).code} ${error.message.replaceAll(`${folder}/`, "")}`;
}

interface OutputRow {
  readonly [name: string]: unknown;
  readonly logprobs: readonly (number | null | string)[];
  readonly entropy: readonly (number | null)[];
  readonly rank: readonly (number | null)[];
  readonly ppl: number | null;
}

function rowsOf(path: string): OutputRow[] {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Compares a row with float64 over `logits` of its positions. */
function checkRow(
  row: OutputRow | undefined,
  logits: readonly ArrayLike<number>[],
  targets: readonly number[],
  temperature = 1,
): void {
  const oracle = logits.map((of, at) => oracleRow(of, targets[at] as number, temperature));
  expect(row?.logprobs).toHaveLength(oracle.length);
  oracle.forEach(({ logprob, entropy, rank }, at) => {
    expect(Math.abs((row?.logprobs[at] as number) - logprob)).toBeLessThan(2e-6);
    expect(Math.abs((row?.entropy[at] as number) - entropy)).toBeLessThan(1e-5);
    expect(row?.rank[at]).toBe(rank);
  });
  const mean = oracle.reduce((sum, { logprob }) => sum + logprob, 0) / oracle.length;
  if (oracle.length > 0) expect((row?.ppl as number) / Math.exp(-mean)).toBeCloseTo(1, 5);
  else expect(row?.ppl).toBeNull();
}

const LOGITS = noise(12 * VOCAB);
const IDS = Int32Array.from({ length: 12 }, (_, i) => (i * 11) % VOCAB);
const rowAt = (position: number, of: Float32Array = LOGITS): Float32Array =>
  of.subarray(position * VOCAB, (position + 1) * VOCAB);
const flat = file("flat.npy", npyBytes("<f4", [12, VOCAB], LOGITS));
const ids = file("ids.npy", npyBytes("<i4", [12], IDS));
const offsets = file("offsets.npy", npyBytes("<i8", [4], BigInt64Array.of(0n, 5n, 5n, 12n)));
const FLAT = { logits: [flat], tokens: [ids], offsets };

describe("logits from files", () => {
  it("makes a table of their own without rollouts", async () => {
    const output = join(folder, "own.jsonl");
    const summary = await run({ ...FLAT, output });
    const rows = rowsOf(output);
    expect(rows).toHaveLength(3);
    checkRow(
      rows[0],
      [0, 1, 2, 3, 4].map((p) => rowAt(p)),
      [...IDS.subarray(0, 5)],
    );
    checkRow(rows[1], [], []);
    checkRow(
      rows[2],
      [5, 6, 7, 8, 9, 10, 11].map((p) => rowAt(p)),
      [...IDS.subarray(5)],
    );
    const lists = rows.flatMap(({ logprobs }) => logprobs) as number[];
    const nll = -lists.reduce((sum, value) => sum + value, 0) / 12;
    expect(summary).toMatchObject({
      rows: 3,
      tokens: 12,
      skipped: 0,
      notFinite: 0,
      backend: "wasm",
      device: "cpu",
    });
    expect(summary.meanNll).toBeCloseTo(nll, 12);
    expect(summary.ppl).toMatchObject({ rows: 2, excluded: 1 });
    expect(summary.ppl.tokenWeighted).toBeCloseTo(Math.exp(nll), 12);
    expect(readdirSync(folder).filter((name) => name.startsWith("own"))).toEqual(["own.jsonl"]);
  });

  it("is one sequence without offsets, and several files go one after the other", async () => {
    file("part-1.npy", npyBytes("<f4", [7, VOCAB], LOGITS.subarray(0, 7 * VOCAB)));
    file("part-2.npy", npyBytes("<f4", [5, VOCAB], LOGITS.subarray(7 * VOCAB)));
    const one = join(folder, "one.jsonl");
    const many = join(folder, "many.jsonl");
    await run({ logits: [flat], tokens: [ids], output: one });
    await run({ logits: [join(folder, "part-*.npy")], tokens: [ids], output: many });
    expect(readFileSync(many)).toEqual(readFileSync(one));
    checkRow(
      rowsOf(one)[0],
      Array.from(IDS, (_, p) => rowAt(p)),
      [...IDS],
    );
  });

  it("takes the files of a pattern in the order of their numbers", async () => {
    const output = join(folder, "many.jsonl");
    for (let part = 0; part < 12; part++)
      file(`part-${part}.npy`, npyBytes("<f4", [1, VOCAB], LOGITS.slice(part * VOCAB, (part + 1) * VOCAB)));
    await run({ logits: [join(folder, "part-*.npy")], tokens: [ids], output });
    const [row] = rowsOf(output);
    checkRow(
      row,
      Array.from(IDS, (_, position) => rowAt(position)),
      [...IDS],
    );
  });

  it("never writes over a tensor", async () => {
    const before = readFileSync(ids);
    const link = join(folder, "link.jsonl");
    symlinkSync(ids, link);
    for (const output of [flat, ids, offsets, link, join(folder, "new.npy"), join(folder, "new.safetensors")])
      expect(await failure({ logits: [flat], tokens: [ids], offsets, output, format: "jsonl" })).toMatch(
        /^usage -o must not be a file of tensors/,
      );
    expect(readFileSync(ids)).toEqual(before);
    expect(existsSync(join(folder, "new.npy"))).toBe(false);
  });

  it("does not depend on pieces, threads, nor on what lies between scored positions", async () => {
    const vocab = 40_000;
    const long = noise(40 * vocab, 8, 3);
    const logits = file("long.npy", npyBytes("<f4", [40, vocab], long));
    const targets = Int32Array.from({ length: 40 }, (_, i) => (i % 7 === 3 ? -100 : (i * 997) % vocab));
    const tokens = file("long-ids.npy", npyBytes("<i4", [40], targets));
    const bounds = file("long-offsets.npy", npyBytes("<i4", [5], Int32Array.of(0, 3, 4, 20, 40)));
    const outputs = [];
    for (const [chunk, threads] of [
      [1, 1],
      [64, 2],
    ] as const) {
      const output = join(folder, `long-${chunk}.jsonl`);
      const summary = await run({
        logits: [logits],
        tokens: [tokens],
        offsets: bounds,
        output,
        chunk,
        threads,
      });
      expect(summary).toMatchObject({ tokens: 34, skipped: 6 });
      outputs.push(readFileSync(output, "utf8"));
    }
    expect(outputs[0]).toBe(outputs[1]);
    const scored = [4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 18, 19];
    checkRow(
      rowsOf(join(folder, "long-1.jsonl"))[2],
      scored.map((p) => long.subarray(p * vocab, (p + 1) * vocab)),
      scored.map((p) => targets[p] as number),
    );
    expect(rowsOf(join(folder, "long-1.jsonl"))[1]).toEqual({
      logprobs: [],
      entropy: [],
      rank: [],
      ppl: null,
    });
  });

  it("shifts inside of each sequence", async () => {
    const output = join(folder, "shift.jsonl");
    const summary = await run({ ...FLAT, output, shift: true, temperature: 1.7 });
    const rows = rowsOf(output);
    checkRow(
      rows[0],
      [0, 1, 2, 3].map((p) => rowAt(p)),
      [...IDS.subarray(1, 5)],
      1.7,
    );
    checkRow(rows[1], [], []);
    checkRow(
      rows[2],
      [5, 6, 7, 8, 9, 10].map((p) => rowAt(p)),
      [...IDS.subarray(6)],
      1.7,
    );
    expect(summary).toMatchObject({ tokens: 10, skipped: 0, shift: true, temperature: 1.7 });
  });

  it("reads padded tensors whose length differs from file to file, in 16 bits", async () => {
    const a = Uint16Array.from(noise(6 * VOCAB), (value) => 0x3c00 + Math.round(value * 100));
    const b = Uint16Array.from(noise(3 * VOCAB, 4, 9), (value) => 0xbc00 + Math.round(value * 100));
    file("pad-1.safetensors", safetensorsBytes({ x: { dtype: "F16", shape: [2, 3, VOCAB], data: a } }));
    file("pad-2.safetensors", safetensorsBytes({ x: { dtype: "F16", shape: [3, 1, VOCAB], data: b } }));
    file("pad-ids-1.npy", npyBytes("<i2", [2, 3], Int16Array.of(1, 2, -100, 3, -100, 4)));
    file("pad-ids-2.npy", npyBytes("<i2", [3, 1], Int16Array.of(5, -100, 6)));
    const output = join(folder, "pad.jsonl");
    const padded = {
      logits: [join(folder, "pad-?.safetensors:x")],
      tokens: [join(folder, "pad-ids-?.npy")],
    };
    const summary = await run({ ...padded, output, want: ["logprobs", "entropy", "rank", "ppl", "argmax"] });
    const rows = rowsOf(output);
    const of = (patterns: Uint16Array, row: number): number[] =>
      decoded(patterns.subarray(row * VOCAB, (row + 1) * VOCAB), "float16");
    checkRow(rows[0], [of(a, 0), of(a, 1)], [1, 2]);
    checkRow(rows[1], [of(a, 3), of(a, 5)], [3, 4]);
    checkRow(rows[2], [of(b, 0)], [5]);
    checkRow(rows[3], [], []);
    checkRow(rows[4], [of(b, 2)], [6]);
    expect(rows[0]?.argmax).toEqual([oracleRow(of(a, 0), 1).argmax, oracleRow(of(a, 1), 1).argmax]);
    expect(summary).toMatchObject({ rows: 5, tokens: 6, skipped: 3 });
  });

  it("shows what cannot be scored as null, and masks as what they are", async () => {
    const odd = Float64Array.of(0, 1, Number.NEGATIVE_INFINITY, Number.NaN, 1, 1, 3, 2, 1, 0, 1, 2);
    const logits = file("odd.npy", npyBytes("<f8", [4, 3], odd));
    const tokens = file("odd-ids.npy", npyBytes("<u8", [4], BigUint64Array.of(2n, 0n, 1n, 2n)));
    const bounds = file("odd-offsets.npy", npyBytes("<i4", [4], Int32Array.of(0, 1, 3, 4)));
    const output = join(folder, "odd.jsonl");
    const summary = await run({ logits: [logits], tokens: [tokens], offsets: bounds, output });
    const [masked, broken, whole] = rowsOf(output);
    expect(masked).toMatchObject({ logprobs: ["-Infinity"], rank: [3], ppl: "Infinity" });
    expect(broken?.logprobs[0]).toBeNull();
    expect([broken?.entropy[0], broken?.rank[0], broken?.ppl]).toEqual([null, null, null]);
    expect(broken?.logprobs[1]).toBeCloseTo(oracleRow([3, 2, 1], 1).logprob, 6);
    checkRow(whole, [[0, 1, 2]], [2]);
    expect(summary).toMatchObject({ tokens: 3, notFinite: 1, meanNll: "Infinity" });
    expect(summary.ppl).toMatchObject({ arithMean: "Infinity", rows: 2, excluded: 1 });
  });

  it("adds only what is wanted", async () => {
    const output = join(folder, "want.jsonl");
    await run({ ...FLAT, output, want: ["ppl", "rank"], prefix: "p_" });
    expect(Object.keys(rowsOf(output)[0] ?? {})).toEqual(["p_rank", "p_ppl"]);
    expect(await run({ ...FLAT, want: ["ppl"] })).toMatchObject({ tokens: 12, rows: 3 });
  });
});

describe("hidden states and an output layer", () => {
  it("give the numbers of the logits that they make", async () => {
    const width = 8;
    const hidden = noise(12 * width, 1, 5);
    const weights = noise(VOCAB * width, 1, 6);
    const bias = noise(VOCAB, 1, 7);
    const made = new Float32Array(12 * VOCAB);
    for (let row = 0; row < 12; row += 1)
      for (let v = 0; v < VOCAB; v += 1) {
        let sum = bias[v] as number;
        for (let i = 0; i < width; i += 1)
          sum += (hidden[row * width + i] as number) * (weights[v * width + i] as number);
        made[row * VOCAB + v] = sum * 0.5;
      }
    file("h.safetensors", safetensorsBytes({ hidden: { dtype: "F32", shape: [12, width], data: hidden } }));
    file(
      "head-1.safetensors",
      safetensorsBytes({
        "lm_head.weight": { dtype: "F32", shape: [VOCAB, width], data: weights },
        "lm_head.bias": { dtype: "F32", shape: [VOCAB], data: bias },
      }),
    );
    const map = { "lm_head.weight": "head-1.safetensors", "lm_head.bias": "head-1.safetensors" };
    const index = file("model.safetensors.index.json", JSON.stringify({ weight_map: map }));
    const output = join(folder, "hidden.jsonl");
    const options = {
      hidden: [join(folder, "h.safetensors")],
      head: `${index}:lm_head.weight`,
      bias: `${index}:lm_head.bias`,
      scale: 0.5,
      tokens: [ids],
      offsets,
    };
    await run({ ...options, backend: "js", output });
    const rows = rowsOf(output);
    checkRow(
      rows[0],
      [0, 1, 2, 3, 4].map((p) => rowAt(p, made)),
      [...IDS.subarray(0, 5)],
    );
    checkRow(
      rows[2],
      [5, 6, 7, 8, 9, 10, 11].map((p) => rowAt(p, made)),
      [...IDS.subarray(5)],
    );
    const { bias: _, ...noBias } = options;
    expect(await failure({ ...noBias, head: `${index}:lm_head.bias` })).toContain(
      "--head must have shape (V, 8)",
    );
    expect(await failure({ ...options, bias: `${index}:lm_head.weight` })).toContain(
      "--bias must have shape (37,)",
    );
  });

  it.each(["float32", "bfloat16"])("agree with PyTorch on a language model in %s", async (type) => {
    const path = join(TINY, `${type}.safetensors`);
    const expected = JSON.parse(readFileSync(join(TINY, "expected.json"), "utf8"))[type];
    const tensors = { tokens: [`${path}:tokens`], offsets: `${path}:offsets` };
    const sources = {
      logits: { logits: [`${path}:logits`] },
      hidden: {
        hidden: [`${path}:hidden`],
        head: `${path}:lm_head.weight`,
        bias: `${path}:lm_head.bias`,
        backend: "js",
      },
    } as const;
    for (const [source, options] of Object.entries(sources)) {
      const output = join(folder, `tiny-${type}-${source}.jsonl`);
      await run({ ...tensors, ...options, output });
      const rows = rowsOf(output);
      const { logprob, entropy, ppl } = expected[source];
      rows
        .flatMap(({ logprobs }) => logprobs)
        .forEach((value, at) => {
          expect(Math.abs((value as number) - logprob[at])).toBeLessThan(1e-5);
        });
      rows
        .flatMap((row) => row.entropy)
        .forEach((value, at) => {
          expect(Math.abs((value as number) - entropy[at])).toBeLessThan(2e-5);
        });
      rows.forEach((row, at) => {
        expect(Math.abs((row.ppl as number) / ppl[at] - 1)).toBeLessThan(1e-5);
      });
    }
  });
});

describe("rollouts", () => {
  const rollouts = file("rollouts.jsonl", '{"id":1.50,"x":NaN}\n\n{"id":"b"}\r\n{"id":12345678901234567890}');

  it("keep their columns in JSON Lines, byte for byte", async () => {
    const output = join(folder, "joined.jsonl");
    await run({ ...FLAT, files: [rollouts], output });
    const lines = readFileSync(output, "utf8").split("\n");
    expect(lines[0]).toMatch(/^{"id":1.50,"x":NaN,"logprobs":\[-/);
    expect(lines[1]).toBe('{"id":"b","logprobs":[],"entropy":[],"rank":[],"ppl":null}');
    expect(lines[2]).toMatch(/^{"id":12345678901234567890,"logprobs":\[-/);
    expect(lines).toHaveLength(4);
  });

  it("become Arrow and Parquet, and those stay what they are", async () => {
    const plain = file("plain.jsonl", '{"id":"a"}\n{"id":"b"}\n{"id":"c"}\n');
    const arrow = join(folder, "joined.arrow");
    const parquet = join(folder, "joined.parquet");
    await run({ ...FLAT, files: [plain], output: arrow });
    await run({ ...FLAT, files: [plain], output: parquet });
    const table = tableFromIPC(readFileSync(arrow));
    expect(table.schema.fields.map(String)).toEqual([
      "id: Utf8",
      "logprobs: List<Float64>",
      "entropy: List<Float64>",
      "rank: List<Int32>",
      "ppl: Float64",
    ]);
    expect(JSON.parse(table.schema.metadata.get("calibrant") ?? "")).toMatchObject({
      logprobs: { from: "logits" },
    });
    for (const [source, ending] of [
      [arrow, "arrow"],
      [parquet, "parquet"],
    ]) {
      const again = join(folder, `again.${ending}`);
      await run({
        ...FLAT,
        files: [source as string],
        output: again,
        prefix: "new_",
        want: ["logprobs", "ppl"],
      });
    }
    const again = tableFromIPC(readFileSync(join(folder, "again.arrow")));
    expect(again.schema.fields.map(({ name }) => name).slice(-2)).toEqual(["new_logprobs", "new_ppl"]);
    expect(String(again.get(0)?.new_logprobs)).toBe(String(again.get(0)?.logprobs));
    const names = ["logprobs", "new_logprobs"];
    const requests = names.map((name) => ({ name, kind: "list" }) as const);
    for await (const { columns } of readParquetColumns(join(folder, "again.parquet"), requests)) {
      const [old, fresh] = names.map((name) => columns.get(name) as ListColumn);
      expect(fresh?.values).toEqual(old?.values);
      expect([...(fresh?.offsets ?? [])]).toEqual([0, 5, 5, 12]);
    }
  });

  it("must be as many as sequences, and must not have the columns yet", async () => {
    const two = file("two.jsonl", '{"id":1}\n{"id":2}\n');
    expect(await failure({ ...FLAT, files: [two] })).toBe(
      "length-mismatch each rollout needs its sequence of tokens: 2 rollouts, 3 sequences",
    );
    expect(await failure({ logits: [flat], tokens: [ids], files: [two] })).toContain(
      "1 sequences; --offsets says",
    );
    const late = file("late.jsonl", '{"id":1}\n{"id":2}\n{"id":3,"ppl":2}\n');
    expect(await failure({ ...FLAT, files: [late] })).toBe(
      "schema late.jsonl already has ppl: name the added columns apart with a prefix, for example --prefix new_",
    );
    expect(await run({ ...FLAT, files: [late], prefix: "new_" })).toMatchObject({ rows: 3 });
  });
});

describe("what does not fit together", () => {
  it.each([
    ["usage nothing says what to score", {}],
    ["usage give --logits or --hidden, not both", { logits: ["a.npy"], hidden: ["b.npy"] }],
    ["usage --hidden needs the output layer", { hidden: ["a.npy"] }],
    ["usage --bias goes with --hidden", { logits: ["a.npy"], bias: "b.npy" }],
    ["usage --tokens is missing", { logits: ["a.npy"] }],
    ["usage --want has no column entrophy: did you mean entropy?", { ...FLAT, want: ["entrophy"] }],
    ["usage --columns: nothing reads a", { ...FLAT, columns: new Map([["a", "b"]]) }],
    ["length-mismatch --logits must have shape (N, V)", { ...FLAT, logits: [ids] }],
    ["got (12, 37) and (4,)", { ...FLAT, tokens: [offsets] }],
    ["data ids.npy: offsets must ascend from 0 to 12", { ...FLAT, offsets: ids }],
    ["length-mismatch --offsets must have shape (R + 1,), got (12, 37)", { ...FLAT, offsets: flat }],
    ["got (12, 37) and (12, 37)", { ...FLAT, tokens: [flat] }],
    ["io cannot read nowhere.npy: no such file", { ...FLAT, logits: ["nowhere.npy"] }],
    ["usage --logits cannot be read from standard input", { ...FLAT, logits: ["-"] }],
    ["io cannot write nowhere/out.jsonl", { ...FLAT, output: "nowhere/out.jsonl" }],
  ] as const)("%s", async (message, options) => {
    expect(await failure(options as Partial<FileCommandOptions>)).toContain(message);
  });

  it("names a token outside of the vocabulary by its place", async () => {
    const bad = IDS.slice();
    bad[7] = VOCAB;
    const tokens = [file("bad.npy", npyBytes("<i4", [12], bad))];
    expect(await failure({ ...FLAT, tokens })).toBe(
      "data bad.npy: token 2 of sequence 2 must be an id below 37, the vocabulary, or -100 to be left out, got 37",
    );
  });

  it("refuses files of different types, and integers as logits", async () => {
    const half = file("half.npy", npyBytes("<f2", [1, VOCAB], new Uint16Array(VOCAB)));
    expect(await failure({ ...FLAT, logits: [flat, half] })).toContain(
      "flat.npy has float32, half.npy float16",
    );
    const whole = file("whole.npy", npyBytes("<i4", [12, VOCAB], new Int32Array(12 * VOCAB)));
    expect(await failure({ ...FLAT, logits: [whole] })).toContain(
      "data --logits must hold floating-point numbers",
    );
  });
});

describe("a spool that an interrupted run left", () => {
  it("is gone on with under the same settings alone", async () => {
    const output = join(folder, "left.parquet");
    const partial = `${output}.partial`;
    const rollouts = join(folder, "left.jsonl");
    const write = (text: string): void => {
      writeFileSync(rollouts, text);
      utimesSync(rollouts, new Date("2024-01-01"), new Date("2024-01-01"));
    };
    const options = { ...FLAT, files: [rollouts], output };
    write('{"x":1}\n{"x":"2"}\n{"x":3}\n');
    expect(await failure(options)).toContain("column x");
    expect([existsSync(output), existsSync(partial)]).toEqual([false, true]);
    write('{"x":1}\n{"x":222}\n{"x":3}\n');
    expect(await failure({ ...options, shift: true })).toBe(
      "data left.parquet.partial was begun with other settings (shift is false, of this run true): delete it or give --restart to begin anew",
    );
    expect(await failure({ ...options, offsets: ids, logits: [flat], tokens: [ids] })).toContain(
      "offsets must ascend",
    );
    expect(await failure({ ...options, want: ["ppl"], temperature: 2 })).toContain(
      "(temperature is 1, of this run 2; columns is logprobs,entropy,rank,ppl, of this run ppl)",
    );
    const [settings, , second] = readFileSync(partial, "utf8").split("\n");
    // What is there is taken as it is.
    const first =
      '{"row":0,"values":{"logprobs":[-1,null,"-Infinity"],"entropy":[0],"rank":[1,null],"ppl":null},"note":{"skipped":5,"notFinite":1}}';
    writeFileSync(partial, `${[settings, second, first].join("\n")}\n{"row":2,"val`);
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const summary = await run(options);
    expect(summary).toMatchObject({ resumedRows: 2, rows: 3, tokens: 9, skipped: 5, notFinite: 1 });
    expect(existsSync(partial)).toBe(false);
    for await (const { columns } of readParquetColumns(output, [{ name: "logprobs", kind: "list" }])) {
      const { values, offsets: bounds, valueValid } = columns.get("logprobs") as ListColumn;
      expect([...bounds]).toEqual([0, 3, 3, 10]);
      expect([values[0], valueValid?.[1], values[2]]).toEqual([-1, 0, Number.NEGATIVE_INFINITY]);
    }
  });

  it("is left out with --restart, or when it holds nothing", async () => {
    const output = join(folder, "anew.jsonl");
    const settings = '{"calibrant":"logprobs","settings":{"shift":1}}\n';
    writeFileSync(`${output}.partial`, settings);
    await run({ ...FLAT, output });
    expect(rowsOf(output)).toHaveLength(3);
    writeFileSync(`${output}.partial`, `${settings}{"row":0,"values":{}}\n`);
    expect(await failure({ ...FLAT, output })).toContain("give --restart");
    await run({ ...FLAT, output, restart: true });
    expect(readdirSync(folder).filter((name) => name.startsWith("anew"))).toEqual(["anew.jsonl"]);
  });

  it("is not taken for one when it is something else", async () => {
    const output = join(folder, "other.jsonl");
    writeFileSync(`${output}.partial`, '{"precious":1}\n');
    expect(await failure({ ...FLAT, output })).toContain("line 1: no row of calibrant logprobs");
    expect(readFileSync(`${output}.partial`, "utf8")).toBe('{"precious":1}\n');
  });

  it("does not stay when nothing was found out", async () => {
    const output = join(folder, "none.jsonl");
    expect(await failure({ ...FLAT, logits: [ids], output })).toContain("--logits must have shape");
    const tokens = [file("far.npy", npyBytes("<i4", [12], new Int32Array(12).fill(99)))];
    expect(await failure({ ...FLAT, tokens, output })).toContain("got 99");
    expect(readdirSync(folder).filter((name) => name.startsWith("none"))).toEqual([]);
  });
});
