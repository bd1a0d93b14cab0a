import { describe, expect, it } from "vitest";
import { type EvaluateOptions, evaluateFiles } from "../../../src/cli/report/evaluate-files.ts";
import type { Evaluation } from "../../../src/report/evaluation.ts";
import { encoded, fileMaker, type Row } from "../input/input-files.ts";

const file = fileMaker();
const ROWS: readonly Row[] = Array.from({ length: 40 }, (_, row) => ({
  prompt: `p${row % 10}`,
  ppl: 1 + ((row * 7) % 40) / 20,
  correct: row % 3 > 0,
}));
const lines = (rows: readonly Row[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

interface Told {
  rows: number;
  readonly stages: string[];
}

async function evaluate(
  files: readonly string[],
  options: Partial<EvaluateOptions> = {},
): Promise<{ evaluation: Evaluation; told: Told }> {
  const told: Told = { rows: 0, stages: [] };
  const evaluation = await evaluateFiles(
    { files, from: null, columns: new Map(), evaluation: { resamples: 0, permutations: 0 }, ...options },
    {
      add: (rows) => {
        told.rows += rows;
      },
      stage: (name) => void told.stages.push(name),
    },
  );
  return { evaluation, told };
}

describe("evaluateFiles", () => {
  it("reads every input once, whatever its format, and says how far it is", async () => {
    const files = [
      file("a.jsonl", lines(ROWS.slice(0, 15))),
      file("b.arrow", await encoded("file", ROWS.slice(15, 30), 4)),
      file("c.parquet", await encoded("parquet", ROWS.slice(30))),
    ];
    const { evaluation, told } = await evaluate(files);
    expect(evaluation.inputs).toEqual(files);
    expect(told.rows).toBe(40);
    expect(told.stages.length).toBeGreaterThan(0);
    const whole = await evaluate([file("all.jsonl", lines(ROWS))]);
    expect(evaluation.overall).toEqual(whole.evaluation.overall);
  });

  it("reads columns under other names, and not those that are ignored", async () => {
    const path = file("renamed.jsonl", lines(ROWS));
    const { evaluation } = await evaluate([path], { columns: new Map([["group_id", "prompt"]]) });
    expect(evaluation.columns.cluster).toBe("group_id");
    expect(evaluation.overall.clusters).toBe(10);
    const grouped = file("grouped.jsonl", lines(ROWS.map((row) => ({ ...row, group_id: row.prompt }))));
    const ignored = await evaluate([grouped], { columns: new Map([["group_id", ""]]) });
    expect(ignored.evaluation.columns.cluster).toBeNull();
    expect(ignored.evaluation.overall.clusters).toBe(40);
  });

  it("refuses to ignore a column that no input has and nothing reads", async () => {
    const path = file("typo.jsonl", lines(ROWS));
    await expect(evaluate([path], { columns: new Map([["goup_id", ""]]) })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("--columns: nothing reads goup_id"),
    });
  });
});
