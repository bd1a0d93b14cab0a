import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Table, tableFromIPC } from "apache-arrow";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { beforeAll, describe, expect, it } from "vitest";
import { createArrowWriter } from "../../src/data/arrow/write-arrow.ts";
import { readGoldActions, readMessages } from "../../src/data/calls/messages.ts";
import { scoreBench2Robust } from "../../src/rewards/score-bench2robust.ts";
import { scoreBench2RobustTable, scoreTrustTable } from "../../src/rewards/score-table.ts";
import { scoreTrust, type TrustRollout } from "../../src/rewards/score-trust.ts";
import { runCli, SAMPLE, temporaryFolder } from "./run-cli.ts";
import { memorySink, type Row, rowsOf, writeSampleFiles } from "./sample-files.ts";

const folder = temporaryFolder();
const path = (name: string): string => join(folder, name);
const sampleText = readFileSync(SAMPLE, "utf8");
const sampleRows = rowsOf(sampleText);

const TRUST = [
  "ppl",
  "nll",
  "margin",
  "certainty",
  "r_fmt",
  "r_ans",
  "r_cls",
  "reward",
  "advantage",
  "status",
];
const ROBUST = ["efficiency", "repetition", "partial_credit", "reward", "advantage", "status"];

async function score(
  args: readonly string[],
  input?: string | Uint8Array,
): Promise<{ stdout: Buffer; stderr: string }> {
  const result = await runCli(["score", ...args], input);
  expect(result.status, result.stderr).toBe(0);
  return result;
}

beforeAll(() => writeSampleFiles(folder));

async function readScored(file: string): Promise<Row[]> {
  const bytes = readFileSync(file);
  if (file.endsWith(".jsonl")) return rowsOf(bytes.toString("utf8"));
  if (file.endsWith(".parquet")) {
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    return (await parquetReadObjects({ file: buffer, compressors })) as Row[];
  }
  return tableFromIPC(bytes)
    .toArray()
    .map((row: { toJSON(): Row }) => row.toJSON());
}

const column = (rows: readonly Row[], name: string): unknown[] => rows.map((row) => row[name] ?? null);

function plainTrust(): ReturnType<typeof scoreTrust> {
  return scoreTrust(
    sampleRows.map((row) => ({
      groupId: row.group_id,
      response: row.response,
      gtAction: row.gt_action,
      gtAnswer: row.gt_answer,
      logprobs: row.logprobs,
    })) as TrustRollout[],
  );
}

const nullNaN = (values: ArrayLike<number>): (number | null)[] =>
  Array.from(values, (value) => (Number.isNaN(value) ? null : value));

describe("the three ways in give identical numbers", () => {
  it.each(["jsonl", "arrow", "arrows", "parquet"])("TRUST from %s", async (ending) => {
    const input = ending === "jsonl" ? SAMPLE : path(`sample.${ending}`);
    const output = path(`trust-${ending}.${ending}`);
    await score([input, "--reward", "trust", "-o", output, "--quiet"]);
    const rows = await readScored(output);
    const plain = plainTrust();
    expect(rows).toHaveLength(sampleRows.length);
    expect(column(rows, "reward")).toEqual(nullNaN(plain.reward));
    expect(column(rows, "ppl")).toEqual(nullNaN(plain.ppl));
    expect(column(rows, "margin")).toEqual(nullNaN(plain.margin));
    expect(column(rows, "certainty")).toEqual(nullNaN(plain.certainty));
    expect(column(rows, "advantage")).toEqual(nullNaN(plain.advantage));
    expect(column(rows, "status")).toEqual(plain.status);
    expect(Object.keys(rows[0] as Row)).toEqual([...Object.keys(sampleRows[0] as Row), ...TRUST]);
  });

  it("tables", async () => {
    const table: Table = tableFromIPC(readFileSync(path("sample.arrow")));
    const trust = await scoreTrustTable(table);
    const plain = plainTrust();
    expect([...(trust.getChild("reward") ?? [])]).toEqual(nullNaN(plain.reward));
    expect([...(trust.getChild("status") ?? [])]).toEqual(plain.status);
    const robust = await scoreBench2RobustTable(table);
    const objects = scoreBench2Robust(
      sampleRows.map((row) => ({
        completed: row.completed as boolean,
        messages: readMessages(row.messages) ?? [],
        goldActions: readGoldActions(row.gold_actions),
      })),
    );
    expect([...(robust.getChild("reward") ?? [])]).toEqual(nullNaN(objects.reward));
    expect(robust.schema.fields.slice(-ROBUST.length).map((field) => field.name)).toEqual(ROBUST);
    expect(table.schema.fields).toHaveLength(robust.schema.fields.length - ROBUST.length);
  });
});

describe("what was in the input stays", () => {
  it("JSONL lines are kept byte for byte", async () => {
    await score([SAMPLE, "--reward", "bench2robust", "-o", path("kept.jsonl"), "--quiet"]);
    const lines = readFileSync(path("kept.jsonl"), "utf8").trimEnd().split("\n");
    sampleText
      .trimEnd()
      .split("\n")
      .forEach((line, index) => {
        expect(lines[index]?.startsWith(line.slice(0, -1))).toBe(true);
      });
  });

  it("64-bit ids group exactly and keep their digits", async () => {
    const lines = ["9007199254740993", "9007199254740992", "9007199254740993"].map(
      (id, row) =>
        `{"group_id":${id},"action":"direct","gt_action":"${row === 0 ? "direct" : "tool"}","logprobs":[-0.5,NaN]}`,
    );
    writeFileSync(path("ids.jsonl"), lines.join("\n"));
    const { stdout } = await score([path("ids.jsonl"), "--json", "-o", path("ids-out.jsonl")]);
    expect(JSON.parse(stdout.toString())).toMatchObject({ rows: 3, groups: 2, nonFinite: { logprobs: 3 } });
    expect(readFileSync(path("ids-out.jsonl"), "utf8")).toContain(
      '{"group_id":9007199254740993,"action":"direct"',
    );
    await score([path("ids.jsonl"), "-o", path("ids.parquet"), "--quiet"]);
    const rows = await readScored(path("ids.parquet"));
    expect(column(rows, "group_id")).toEqual([9007199254740993n, 9007199254740992n, 9007199254740993n]);
    await score([path("ids.parquet"), "-o", path("ids-again.jsonl"), "--prefix", "again_", "--quiet"]);
    expect(readFileSync(path("ids-again.jsonl"), "utf8")).toContain('"group_id":9007199254740993');
  });

  it("rows of a group may lie anywhere, in several files", async () => {
    const shuffled = [...sampleRows].sort((a, b) =>
      String(a.rollout_id)
        .split("")
        .reverse()
        .join("")
        .localeCompare(String(b.rollout_id).split("").reverse().join("")),
    );
    writeFileSync(
      path("part-1.jsonl"),
      shuffled
        .slice(0, 30)
        .map((row) => JSON.stringify(row))
        .join("\n"),
    );
    writeFileSync(
      path("part-2.jsonl"),
      shuffled
        .slice(30)
        .map((row) => JSON.stringify(row))
        .join("\n"),
    );
    await score([path("part-*.jsonl"), "-o", path("parts.jsonl"), "--quiet"]);
    const rows = await readScored(path("parts.jsonl"));
    expect(column(rows, "rollout_id")).toEqual(column(shuffled, "rollout_id"));
    const rewards = plainTrust().reward;
    const expected = new Map(sampleRows.map((row, i) => [row.rollout_id, rewards[i]]));
    for (const row of rows)
      expect(row.reward as number).toBeCloseTo(expected.get(row.rollout_id) as number, 12);
  });
});

describe("JSONL columns that only later lines have", () => {
  it("are read all the same", async () => {
    const plain = { gt_action: "tool", action: "ask", logprobs: [-0.5], note: "x".repeat(1000) };
    const early = Array.from({ length: 400 }, (_, row) => JSON.stringify({ group_id: `a${row}`, ...plain }));
    const late = JSON.stringify({ group_id: "late", ...plain, ref_ppl: 1.5 });
    writeFileSync(path("later.jsonl"), [...early, late].join("\n"));
    await score([path("later.jsonl"), "-o", path("later-out.jsonl"), "--quiet"]);
    const rows = await readScored(path("later-out.jsonl"));
    expect(rows.at(-1)?.margin).toBe(-0.5);
    expect(rows[0]?.margin).toBe(0);
  });
});

describe("formulas and several rewards", () => {
  it("adds prefixed columns for several rewards", async () => {
    await score([SAMPLE, "-r", "trust", "-r", "bench2robust", "-o", path("both.jsonl"), "--quiet"]);
    const [row] = await readScored(path("both.jsonl"));
    const added = [...TRUST.map((name) => `trust_${name}`), ...ROBUST.map((name) => `bench2robust_${name}`)];
    expect(Object.keys(row as Row).slice(-added.length)).toEqual(added);
  });

  it("evaluates a formula over rewards, parts and columns", async () => {
    const withTurns = sampleRows.map((row, index) => JSON.stringify({ ...row, num_turns: index % 5 }));
    writeFileSync(path("turns.jsonl"), withTurns.join("\n"));
    const formula = "0.7*trust + 0.3*bench2robust - 0.01*num_turns";
    await score([path("turns.jsonl"), "-r", formula, "-o", path("formula.arrow"), "--quiet"]);
    const rows = await readScored(path("formula.arrow"));
    rows.forEach((row, index) => {
      const expected =
        0.7 * (row.trust_reward as number) + 0.3 * (row.bench2robust_reward as number) - 0.01 * (index % 5);
      expect(row.reward).toBe(expected);
    });
    expect(rows.every((row) => row.status === "ok")).toBe(true);
    const groupMean = rows.slice(0, 8).reduce((sum, row) => sum + (row.advantage as number), 0);
    expect(groupMean).toBeCloseTo(0, 9);
  });
});

describe("pipes", () => {
  it("JSONL through a pipe is the same as from a file", async () => {
    await score([SAMPLE, "-o", path("file.jsonl"), "--quiet"]);
    const { stdout } = await score(["-", "-o", "-", "--quiet"], sampleText);
    expect(stdout.toString()).toBe(readFileSync(path("file.jsonl"), "utf8"));
  });

  it("an Arrow stream through a pipe gives the same rows", async () => {
    const { stdout } = await score(["-", "-o", "-", "--quiet"], readFileSync(path("sample.arrows")));
    const rows = tableFromIPC(stdout);
    expect([...(rows.getChild("reward") ?? [])]).toEqual(nullNaN(plainTrust().reward));
  });

  it("an empty table stays a table", async () => {
    const schema = tableFromIPC(readFileSync(path("sample.arrow"))).schema;
    const sink = memorySink();
    await createArrowWriter(sink, schema, "stream").close();
    writeFileSync(path("none.arrows"), sink.bytes());
    await score([path("none.arrows"), "-o", path("none-out.arrow"), "--quiet"]);
    const table = tableFromIPC(readFileSync(path("none-out.arrow")));
    expect(table.numRows).toBe(0);
    expect(table.schema.fields).toHaveLength(schema.fields.length + TRUST.length);
  });
});

describe("the number of threads changes nothing", () => {
  it.each(["jsonl", "arrow", "parquet"])("%s", async (ending) => {
    const many = path("many.jsonl");
    const lines = Array.from({ length: 320 }, (_, copy) =>
      sampleRows.map((row) =>
        JSON.stringify({ ...row, group_id: `${row.group_id}-${(copy * 7) % 320}`, messages: undefined }),
      ),
    );
    writeFileSync(many, lines.flat().join("\n"));
    const input = ending === "jsonl" ? many : path(`many.${ending}`);
    if (ending !== "jsonl") await score([many, "-o", input, "--prefix", "x_", "--quiet"]);
    const outputs = [1, 2, 3].map((jobs) => path(`many-${jobs}.${ending}`));
    for (const [index, output] of outputs.entries())
      await score([input, "-o", output, "--jobs", `${index + 1}`, "--quiet"]);
    const [first, ...others] = outputs.map((output) => readFileSync(output));
    for (const other of others) expect(other.equals(first as Buffer)).toBe(true);
  });
});
