import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Evaluation } from "../../src/report/evaluation.ts";
import { parseEvaluation } from "../../src/report/render/evaluation-json.ts";
import { binaryRows, jsonLines, reportRows } from "./report-rows.ts";
import { type CliResult, ROOT, runCli, SAMPLE, temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const path = (name: string): string => join(folder, name);
const FAST = ["--resamples", "50", "--permutations", "20"];
const ROWS = reportRows(50);
const LINES = jsonLines(ROWS);

beforeAll(async () => {
  writeFileSync(path("rows.jsonl"), LINES);
  writeFileSync(path("rows.arrow"), await binaryRows("file", ROWS));
  writeFileSync(path("rows.arrows"), await binaryRows("stream", ROWS));
  writeFileSync(path("rows.parquet"), await binaryRows("parquet", ROWS));
});

async function report(args: readonly string[], input?: string | Uint8Array): Promise<CliResult> {
  const result = await runCli(["report", ...args, ...FAST], input);
  expect(result.status, result.stderr).toBe(0);
  expect(result.stderr).toBe("");
  return result;
}

const evaluationOf = async (args: readonly string[], input?: string | Uint8Array): Promise<Evaluation> =>
  parseEvaluation((await report([...args, "--json"], input)).stdout.toString());

/** What does not depend on how the rows came in. */
function numbersOf({ overall, slices, comparisons, iou }: Evaluation): unknown {
  return { overall, slices, comparisons, iou };
}

describe("what goes where", () => {
  it("prints a summary without an output, and nothing with --quiet", async () => {
    const { stdout } = await report([path("rows.jsonl"), "--by", "checkpoint"]);
    for (const word of ["base", "grpo", "trust", "IoU"]) expect(stdout.toString()).toContain(word);
    expect((await report([path("rows.jsonl"), "--quiet"])).stdout.toString()).toBe("");
  });

  it("writes several outputs at once, all of the same evaluation", async () => {
    const outputs = ["all.html", "all.md", "all.json"].map(path);
    const { stdout } = await report([
      path("rows.jsonl"),
      "--by",
      "checkpoint",
      ...outputs.flatMap((o) => ["-o", o]),
    ]);
    expect(stdout.toString()).toBe("");
    const [html, markdown, json] = outputs.map((output) => readFileSync(output, "utf8")) as [
      string,
      string,
      string,
    ];
    const evaluation = await parseEvaluation(json);
    expect(evaluation.slices.map(({ label }) => label)).toEqual(["base", "grpo", "trust"]);
    for (const { metrics } of evaluation.slices) {
      expect(html).toContain(metrics.iou.value.toFixed(3));
      expect(markdown).toContain(metrics.iou.value.toFixed(3));
    }
    expect(html).toMatch(/^<!doctype html>/i);
    expect(html.includes(`<body data-refresh="0">`)).toBe(true);
  });

  it("writes any format to standard output", async () => {
    const to = async (format: string): Promise<string> =>
      (await report([path("rows.jsonl"), "-o", "-", "--format", format])).stdout.toString();
    expect(await to("html")).toMatch(/^<!doctype html>/i);
    expect(await to("md")).toMatch(/^# /);
    expect((await parseEvaluation(await to("json"))).overall.rows).toBe(ROWS.length);
  });

  it("states the exact command and the title", async () => {
    const args = [path("rows.jsonl"), "--title", "It's a title", "--fail-if", "iou > 2", "--seed", "3"];
    const evaluation = await evaluationOf(args);
    expect(evaluation.title).toBe("It's a title");
    expect(evaluation.command).toBe(
      `calibrant report ${path("rows.jsonl")} --title 'It'\\''s a title' --fail-if 'iou > 2' --seed 3 --json ${FAST.join(" ")}`,
    );
    expect(evaluation.seed).toBe(3);
    expect(evaluation.version).toBe(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version);
  });

  it("gives the same bytes for the same command", async () => {
    const args = [path("rows.jsonl"), "--by", "checkpoint", "-o", path("same.html"), "-o", path("same.json")];
    const bytes = async (): Promise<Buffer[]> => {
      await report(args);
      return ["same.html", "same.json"].map((name) => readFileSync(path(name)));
    };
    expect(await bytes()).toEqual(await bytes());
  });
});

describe("inputs", () => {
  it.each(["rows.arrow", "rows.arrows", "rows.parquet"])("%s gives the numbers of JSONL", async (name) => {
    const args = ["--by", "checkpoint", "--compare", "baseline=base"];
    const expected = numbersOf(await evaluationOf([path("rows.jsonl"), ...args]));
    expect(numbersOf(await evaluationOf([path(name), ...args]))).toEqual(expected);
  });

  it.each(["rows.jsonl", "rows.arrows", "rows.arrow"])(
    "%s gives the same numbers through a pipe",
    async (name) => {
      const expected = numbersOf(await evaluationOf([path("rows.jsonl")]));
      const piped = await evaluationOf(["-"], readFileSync(path(name)));
      expect(numbersOf(piped)).toEqual(expected);
      expect(piped.inputs).toEqual(["<stdin>"]);
    },
  );

  it.each(["jsonl", "arrows"])("what score writes to a pipe as %s is read from it", async (format) => {
    const scored = await runCli(["score", SAMPLE, "-o", "-", "--format", format, "--quiet"]);
    const evaluation = await evaluationOf(["-"], scored.stdout);
    expect(evaluation.overall.rows).toBe(64);
    expect(evaluation.overall.correct + evaluation.overall.wrong).toBeGreaterThan(0);
    expect(evaluation.overall.metrics.reward.value).toBeGreaterThan(0);
    expect(evaluation.columns.cluster).toBe("group_id");
  });

  it("are told apart by the column file", async () => {
    const names = ["base", "grpo", "trust"];
    for (const name of names)
      writeFileSync(path(`${name}.jsonl`), jsonLines(ROWS.filter(({ checkpoint }) => checkpoint === name)));
    const files = names.map((name) => path(`${name}.jsonl`));
    const apart = await evaluationOf([...files, "--by", "file", "--compare", `baseline=${files[0]}`]);
    const together = await evaluationOf([
      path("rows.jsonl"),
      ...["--by", "checkpoint", "--compare", "checkpoint=base"],
    ]);
    expect(apart.slices.map(({ key }) => key)).toEqual(files.map((file) => ({ file })));
    expect(apart.slices.map(({ metrics }) => metrics)).toEqual(together.slices.map(({ metrics }) => metrics));
    expect(apart.comparisons.map(({ deltas }) => deltas.iou?.value)).toEqual(
      together.comparisons.map(({ deltas }) => deltas.iou?.value),
    );
    const glob = await evaluationOf([path("[bgt]*t.jsonl"), path("grpo.jsonl"), "--by", "file"]);
    expect(glob.inputs).toEqual([path("trust.jsonl"), path("grpo.jsonl")]);
  });

  it("have their columns under other names with --columns, and ignored columns", async () => {
    const renamed = LINES.replaceAll('"ppl"', '"perplexity"').replaceAll('"correct"', '"ok"');
    writeFileSync(path("renamed.jsonl"), renamed);
    const expected = await evaluationOf([path("rows.jsonl"), "--columns", "group_id="]);
    const evaluation = await evaluationOf([
      path("renamed.jsonl"),
      ...["--columns", "ppl=perplexity,correct=ok,group_id="],
    ]);
    expect(numbersOf(evaluation)).toEqual(numbersOf(expected));
    expect(evaluation.columns.cluster).toBeNull();
  });
});

describe("options of the evaluation", () => {
  it("reach it", async () => {
    const evaluation = await evaluationOf([
      path("rows.jsonl"),
      ...[
        "--by",
        "checkpoint",
        "--by",
        "subset",
        "--uncertainty",
        "ppl",
        "--edges",
        "1,1.5,2,5",
        "--ece-bins",
        "7",
      ],
      ...[
        "--cluster",
        "none",
        "--level",
        "0.9",
        "--normalize",
        "count",
        "--confidence",
        "certainty",
        "--seed",
        "5",
      ],
      ...["--correct", "correct", "--weight", "correct", "--method", "histogram", "--scale", "log"],
    ]);
    expect(evaluation.columns).toMatchObject({
      by: ["checkpoint", "subset"],
      cluster: null,
      weight: "correct",
      confidence: expect.stringContaining("certainty"),
    });
    expect(evaluation.slices).toHaveLength(6);
    expect(evaluation.iou).toMatchObject({ scale: "log", normalize: "count" });
    expect(evaluation.iou.edges.map((edge) => Math.exp(edge))).toEqual(
      [1, 1.5, 2, 5].map((x) => expect.closeTo(x, 12)),
    );
    expect(evaluation.overall.reliability.edges).toHaveLength(8);
    expect([evaluation.level, evaluation.seed, evaluation.resamples, evaluation.permutations]).toEqual([
      0.9, 5, 50, 20,
    ]);
  });
});

describe("pictures", () => {
  it("are written to a folder, and linked from Markdown", async () => {
    mkdirSync(path("reports"));
    const markdown = path("reports/report.md");
    await report([
      path("rows.jsonl"),
      "--by",
      "checkpoint",
      "--plots",
      path("plots"),
      "-o",
      markdown,
      "-o",
      path("plots.json"),
    ]);
    const { plots } = await parseEvaluation(readFileSync(path("plots.json"), "utf8"));
    expect(plots.length).toBeGreaterThan(3);
    expect(readdirSync(path("plots")).sort()).toEqual(plots.map(({ id }) => `${id}.svg`).sort());
    const links = [...readFileSync(markdown, "utf8").matchAll(/\]\(([^)]+\.svg)\)/g)].map(
      ([, link]) => link as string,
    );
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(existsSync(join(folder, "reports", link)), link).toBe(true);
  });

  it("are written as PNG too", async () => {
    await report([
      path("rows.jsonl"),
      "--plots",
      path("both"),
      "--plot-format",
      "png",
      "-o",
      path("both.md"),
    ]);
    const files = readdirSync(path("both"));
    const names = (ending: string): string[] =>
      files.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -4));
    expect(names(".png")).toEqual(names(".svg"));
    expect(readFileSync(path("both.md"), "utf8")).toContain("(both/");
    expect(readFileSync(path("both.md"), "utf8")).not.toContain(".svg)");
  });
});
