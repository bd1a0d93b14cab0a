import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { runProgram } from "../../../src/cli/program.ts";
import { toolFaultMetrics } from "../../../src/metrics/toolfault/tool-fault-metrics.ts";
import { parseEvaluation } from "../../../src/report/render/evaluation-json.ts";
import { cardItems, cardPredictions } from "../../metrics/toolfault/golden-cases.ts";

const folder = mkdtempSync(join(tmpdir(), "toolfault-"));
const file = (name: string): string => join(folder, name);
const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const items = cardItems();

/** Runs the command line and returns what it printed and how it ended. */
async function run(...words: readonly string[]): Promise<{ out: string; err: string; status: number }> {
  let [out, err] = ["", ""];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    err += String(text);
    return true;
  });
  const status = await runProgram(["node", "calibrant", "toolfault", ...words]);
  return { out, err, status };
}

beforeAll(() => {
  writeFileSync(file("items.jsonl"), lines(items));
  for (const name of ["always", "oracle", "heuristic"])
    writeFileSync(file(`${name}.jsonl`), lines(cardPredictions(name)));
  const scored = cardPredictions("heuristic").map((row, i) => ({
    ...row,
    fault_logprob: -0.1 - (i % 5) * 0.2,
    fault_tokens: 2,
    action_logprob: i % 9 === 0 ? null : -0.3,
    prompt_hash: "abc",
  }));
  writeFileSync(file("logprobs.jsonl"), lines(scored));
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe("calibrant toolfault score", () => {
  it("has the numbers of the library, and the card's on the terminal", async () => {
    const words = ["score", file("heuristic.jsonl"), "--items", file("items.jsonl")];
    const { out } = await run(...words);
    expect(out).toContain("Fault and action right for 239 of 441 (54.2%).");
    expect(out).toContain("54.2 [49.5, 58.8]  67.3 [62.8, 71.6]  62.0");
    expect(out).toContain("16.2 [9.7, 25.8]");
    const by = ["--by", "domain", "--by", "difficulty,domain", "--seed", "3", "--resamples", "20"];
    const json = await run(...words, ...by, "--json");
    const options = { by: [["domain"], ["difficulty", "domain"]], seed: 3, resamples: 20 } as const;
    const result = toolFaultMetrics(cardPredictions("heuristic"), items, options);
    const named = result.runs.map((one) => ({ ...one, name: [file("heuristic.jsonl")] }));
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(JSON.parse(json.out)).toEqual({ ...result, runs: named, runColumns: ["file"], itemsHash: hash });
  });

  it("makes runs of several files and compares them", async () => {
    const words = [file("always.jsonl"), file("oracle.jsonl"), "--items", file("items.jsonl")];
    const { out } = await run("score", ...words, "--baseline", file("always.jsonl"), "--json");
    const { runs, runColumns, comparisons } = JSON.parse(out);
    expect(runColumns).toEqual(["file"]);
    expect(runs.map(({ name }: { name: string[] }) => name)).toEqual([
      [file("always.jsonl")],
      [file("oracle.jsonl")],
    ]);
    expect(comparisons[0].metrics.joint_accuracy.value).toBeCloseTo(275 / 441, 12);
    expect(comparisons[0].joint).toMatchObject({ onlyBaseline: 0, onlyCandidate: 275 });
  });

  it("writes the decisions with log-probs, and their calibration report", async () => {
    const words = ["score", file("logprobs.jsonl"), "--items", file("items.jsonl"), "--quiet"];
    const outputs = ["--decisions", file("decisions.jsonl"), "--calibration", file("calibration.json")];
    const { status, out } = await run(...words, ...outputs, "-o", file("result.html"));
    expect([status, out]).toEqual([0, ""]);
    const decisions = readFileSync(file("decisions.jsonl"), "utf8").trim().split("\n");
    expect(decisions.length).toBe(882);
    expect(JSON.parse(decisions[2] as string)).toEqual({
      run: file("logprobs.jsonl"),
      decision: "fault",
      group_id: items[1]?.id,
      correct: true,
      ppl: Math.exp((0.1 + 0.2) / 2),
      confidence: Math.exp(-0.1 - 0.2),
    });
    expect(JSON.parse(decisions[1] as string)).toMatchObject({
      decision: "action",
      ppl: null,
      confidence: null,
    });
    const evaluation = await parseEvaluation(readFileSync(file("calibration.json"), "utf8"));
    const bySlice = evaluation.slices.map(({ label, rows, correct, excluded, metrics }) => [
      label,
      rows,
      correct,
      excluded,
      metrics.accuracy.value,
    ]);
    expect(bySlice.map(([label, rows]) => [label, rows])).toEqual([
      ["fault", 441],
      ["action", 441],
    ]);
    const fault = evaluation.slices.find(({ label }) => label === "fault");
    expect(fault?.metrics.accuracy.value).toBeCloseTo(297 / 441, 12);
    // Five confidences exp(−0.1) … exp(−0.9), each with its own accuracy: the ECE by hand.
    const groups = [0, 1, 2, 3, 4].map((k) =>
      cardPredictions("heuristic").flatMap((row, i) =>
        i % 5 === k ? [row.fault_type === items[i]?.fault_type] : [],
      ),
    );
    const ece = groups.reduce((sum, group, k) => {
      const accuracy = group.filter(Boolean).length / group.length;
      return sum + (group.length / 441) * Math.abs(accuracy - Math.exp(-0.1 - 0.2 * k));
    }, 0);
    expect(fault?.metrics.ece.value).toBeCloseTo(ece, 12);
    expect(readFileSync(file("result.html"), "utf8")).toContain("<title>ToolFault-Bench</title>");
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("takes log-probs barely above 0 for rounding, and larger ones for none", async () => {
    const odd = cardPredictions("heuristic").map((row, i) => ({
      ...row,
      ...(i % 2 === 0
        ? { fault_logprob: i % 4 === 0 ? 1e-7 : 0.5, action_logprob: -0.2 }
        : { logprobs: [1e-6, 0] }),
    }));
    writeFileSync(file("odd.jsonl"), lines(odd));
    const outputs = [
      "--decisions",
      file("odd-decisions.jsonl"),
      "--calibration",
      file("odd.json"),
      "--quiet",
    ];
    const { status, err } = await run("score", file("odd.jsonl"), "--items", file("items.jsonl"), ...outputs);
    expect([status, err]).toEqual([0, ""]);
    const decisions = readFileSync(file("odd-decisions.jsonl"), "utf8").trim().split("\n");
    const ppl = decisions.slice(0, 6).map((line) => JSON.parse(line).ppl);
    expect(ppl).toEqual([1, Math.exp(0.2), 1, 1, null, Math.exp(0.2)]);
  });

  it("refuses a file without rows in any format", async () => {
    const { tableToIPC } = await import("apache-arrow");
    const { Table, Utf8, vectorFromArray } = await import("apache-arrow");
    const column = vectorFromArray([], new Utf8());
    writeFileSync(
      file("none.arrow"),
      tableToIPC(new Table({ id: column, fault_type: column, next_action: column }), "file"),
    );
    writeFileSync(file("none.jsonl"), "");
    for (const name of ["none.arrow", "none.jsonl"]) {
      const { err, status } = await run(
        "score",
        file("heuristic.jsonl"),
        file(name),
        "--items",
        file("items.jsonl"),
      );
      expect([err, status], name).toEqual([expect.stringContaining(`${name} is empty`), 1]);
      vi.restoreAllMocks();
    }
  });

  it("fails with one line and a status", async () => {
    writeFileSync(file("stranger.jsonl"), lines([{ id: "zz", fault_type: "none", next_action: "proceed" }]));
    writeFileSync(file("bad-item.jsonl"), lines([...items.slice(0, 2), { ...items[2], fault_type: "slow" }]));
    const good = file("heuristic.jsonl");
    const dataset = ["--items", file("items.jsonl")];
    const cases: readonly [readonly string[], number, string | RegExp][] = [
      [["score", good], 2, "the dataset is missing: give --items FILE"],
      [["score", file("none.jsonl"), ...dataset], 1, /none\.jsonl/],
      [["score", file("stranger.jsonl"), ...dataset], 1, "not in the dataset: zz"],
      [
        ["score", good, "--items", file("bad-item.jsonl")],
        1,
        /bad-item\.jsonl:3: column fault_type: expected a fault type .*found "slow"/,
      ],
      [["score", good, ...dataset, "--by", "colour"], 2, "the dataset has no column colour to slice by"],
      [["score", good, ...dataset, "--run", "model"], 2, "the predictions have no column model"],
      [
        ["score", good, ...dataset, "--calibration", file("c.html")],
        1,
        "the predictions have no log-probs to calibrate",
      ],
      [["score", good, ...dataset, "--calibration", "-"], 2, "write files, not standard output"],
      [["score", good, ...dataset, "--decisions", good], 2, "is one of the inputs"],
      [["score", good, ...dataset, "-o", file("x.pdf")], 2, "output format unknown"],
      [["score", good, ...dataset, "--level", "2"], 2, /level/],
      [
        ["score", good, ...dataset, "--wrong"],
        2,
        "unknown option '--wrong'; see calibrant toolfault score --help",
      ],
      [["baseline", "best", file("items.jsonl")], 2, "see calibrant toolfault baseline --help"],
      [["run", file("items.jsonl"), "--model", "m"], 2, "required option '--base-url <url>' not specified"],
      [["table", good], 2, "predictions need the dataset: give --items"],
      [["score", good, good, ...dataset], 2, "a file is given twice"],
      [
        ["score", good, ...dataset, "--run", "file", "--baseline", "other"],
        2,
        "the baseline is none of the runs",
      ],
    ];
    for (const [words, status, message] of cases) {
      const result = await run(...words);
      expect(result.err, words.join(" ")).toMatch(message);
      expect(result.err.trim().split("\n").length, words.join(" ")).toBe(1);
      expect(result.status, words.join(" ")).toBe(status);
      vi.restoreAllMocks();
    }
  });
});

describe("calibrant toolfault table", () => {
  it("puts predictions and results of score side by side in the card's columns", async () => {
    await run("score", file("heuristic.jsonl"), "--items", file("items.jsonl"), "-o", file("heuristic.json"));
    const words = ["table", file("heuristic.json"), file("oracle.jsonl"), file("always.jsonl")];
    const { out } = await run(...words, "--items", file("items.jsonl"), "--format", "md");
    const [head, , ...rows] = out.split("\n").filter((line) => line.startsWith("|"));
    expect(head).toBe(
      "| file | joint | fault acc | fault macro-F1 | action acc | critical err ↓ | false alarm ↓ | missed fault ↓ | unparsed | missing |",
    );
    const numbers = rows.map((row) =>
      row
        .replace(/ \\\[[^\]]*\]/g, "")
        .split(" | ")
        .slice(1, 8)
        .join(" "),
    );
    expect(numbers).toEqual([
      "54.2 67.3 62.0 54.2 37.5 16.2 35.7",
      "80.5 100.0 100.0 80.5 7.6 0.0 0.0",
      "18.1 18.1 2.4 18.1 100.0 0.0 100.0",
    ]);
  });

  it("refuses a baseline without answers to compare", async () => {
    const words = ["table", file("heuristic.json"), "--baseline"];
    const alone = await run(...words, "x");
    expect([alone.err, alone.status]).toEqual([expect.stringContaining("results hold no answers"), 2]);
    vi.restoreAllMocks();
    const both = [file("heuristic.json"), file("oracle.jsonl"), "--items", file("items.jsonl")];
    const named = await run(...words, file("heuristic.json"), ...both.slice(1));
    expect([named.err, named.status]).toEqual([expect.stringContaining("results hold no answers"), 2]);
  });

  it("refuses results whose intervals were made differently", async () => {
    const words = ["score", file("heuristic.jsonl"), "--items", file("items.jsonl"), "--resamples", "10"];
    await run(...words, "-o", file("a.json"));
    await run(...words, "--level", "0.5", "-o", file("b.json"));
    vi.restoreAllMocks();
    const { err, status } = await run("table", file("a.json"), file("b.json"));
    expect(err).toContain("were scored with different --level");
    expect(err).toContain("a.json with 0.95");
    expect(status).toBe(1);
  });

  it("refuses results of other datasets and other JSON", async () => {
    const few = items.slice(0, 40);
    writeFileSync(file("few.jsonl"), lines(few));
    writeFileSync(file("few-predictions.jsonl"), lines(cardPredictions("oracle").slice(0, 40)));
    const others = items.map((item, i) => (i === 0 ? { ...item, critical_next_actions: [] } : item));
    writeFileSync(file("others.jsonl"), lines(others.toReversed()));
    await run(
      "score",
      file("oracle.jsonl"),
      "--items",
      file("others.jsonl"),
      "-o",
      file("others-result.json"),
    );
    writeFileSync(file("reversed.jsonl"), lines(items.toReversed()));
    await run("score", file("oracle.jsonl"), "--items", file("reversed.jsonl"), "-o", file("reversed.json"));
    vi.restoreAllMocks();
    const unlike = await run("table", file("heuristic.json"), file("others-result.json"));
    expect([unlike.err, unlike.status]).toEqual([expect.stringContaining("are of different datasets"), 1]);
    vi.restoreAllMocks();
    expect((await run("table", file("heuristic.json"), file("reversed.json"))).status).toBe(0);
    vi.restoreAllMocks();
    writeFileSync(file("other.json"), '{"benchmark": "other"}');
    await run("score", file("few-predictions.jsonl"), "--items", file("few.jsonl"), "-o", file("few.json"));
    vi.restoreAllMocks();
    const both = await run("table", file("heuristic.json"), file("few.json"));
    expect(both.err).toMatch(
      /the results are of different datasets \(items: .*441 with 80 hard negatives; .*40 with/,
    );
    vi.restoreAllMocks();
    const other = await run("table", file("other.json"));
    expect([other.err, other.status]).toEqual([
      expect.stringMatching(/other\.json: no result of ToolFault-Bench: benchmark/),
      1,
    ]);
  });
});
