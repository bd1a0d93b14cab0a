import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, SHARED, temporaryFolder } from "./run-cli.ts";

type Row = Record<string, unknown>;

const folder = temporaryFolder();
const episodes = join(SHARED, "data/tau_bench/gpt-4o-airline-40.json");
const cases = join(SHARED, "cases/bench2robust/tau_bench_40.json");
const fragment = join(SHARED, "data/tau2_bench/retail_trace_fragment.json");
const when2call = join(SHARED, "data/when2call/when2call_test_llm_judge.jsonl");

async function scored(args: readonly string[], name: string): Promise<Row[]> {
  const output = join(folder, name);
  const result = await runCli(["score", ...args, "-o", output, "--quiet"]);
  expect(result.status, result.stderr).toBe(0);
  return readFileSync(output, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}

describe.skipIf(!existsSync(episodes) || !existsSync(cases))(
  "the 40 tau-bench episodes, from file to file",
  () => {
    const expected = existsSync(cases) ? (JSON.parse(readFileSync(cases, "utf8")) as Row[]) : [];
    const choices = ["assistant", "messages", "calls"].flatMap((turns) =>
      ["total", "consecutive"].map((repetition) => ({ turns, repetition })),
    );

    it.each(choices)("turns $turns, repetition $repetition", async ({ turns, repetition }) => {
      const options = [
        "--from",
        "tau-bench",
        "-r",
        "bench2robust",
        "--turns",
        turns,
        "--repetition",
        repetition,
      ];
      const rows = await scored([episodes, ...options], `tau-${turns}-${repetition}.jsonl`);
      expect(rows.map((row) => row.reward)).toEqual(
        expected.map((row) => row[`reward_${turns}_${repetition}`]),
      );
      expect(rows.map((row) => row.completed)).toEqual(expected.map((row) => row.completed));
      expect(rows.map((row) => row.status)).toEqual(expected.map(() => "ok"));
      const partial = expected.map((row) => {
        const required = row.required_actions as number;
        return required === 0 ? 0 : (row.matched_actions as number) / required;
      });
      expect(rows.map((row) => row.partial_credit)).toEqual(partial);
    });

    it("writes them as Parquet and scores those alike", async () => {
      const parquet = join(folder, "tau.parquet");
      const first = await runCli([
        "score",
        episodes,
        "--from",
        "tau-bench",
        "-r",
        "bench2robust",
        "-o",
        parquet,
        "--quiet",
      ]);
      expect(first.status, first.stderr).toBe(0);
      const rows = await scored([parquet, "-r", "bench2robust", "--prefix", "again_"], "tau-again.jsonl");
      expect(rows.map((row) => row.again_reward)).toEqual(expected.map((row) => row.reward_assistant_total));
    });
  },
);

describe.skipIf(!existsSync(fragment))("a tau2-bench trace", () => {
  it("has matched 4 of 5 actions and is not completed: 0.3 · 4/5", async () => {
    const [row] = await scored([fragment, "--from", "tau2", "-r", "bench2robust"], "tau2.jsonl");
    expect(row?.partial_credit).toBe(0.8);
    expect(row?.reward).toBeCloseTo(0.24, 15);
  });
});

describe.skipIf(!existsSync(when2call))("the 300 When2Call items as decision data", () => {
  const letters = { direct: "A", tool_call: "B", request_for_info: "C", cannot_answer: "D" } as const;

  it("gives the gold decision the highest reward of each group", async () => {
    const items = readFileSync(when2call, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Row);
    const rows = items.flatMap((item) => {
      const answers = Object.entries(item.answers as Record<keyof typeof letters, string>);
      const gold = item.correct_answer as keyof typeof letters;
      return answers.map(([name, answer]) => {
        const action = name === "direct" ? "direct_answer" : name;
        return {
          group_id: item.uuid,
          gt_action: gold,
          gt_answer: (item.answers as Row)[gold],
          response: `<think>…</think>${action}<${letters[name as keyof typeof letters]}><answer>${answer}</answer>`,
          ppl: name === gold ? 1.2 : 1.5,
        };
      });
    });
    const input = join(folder, "when2call.jsonl");
    writeFileSync(input, rows.map((row) => JSON.stringify(row)).join("\n"));
    const results = await scored([input, "-r", "trust"], "when2call-scored.jsonl");
    expect(results).toHaveLength(rows.length);
    const best = new Map<unknown, Row>();
    for (const row of results) {
      if ((row.reward as number) > ((best.get(row.group_id)?.reward as number) ?? -1))
        best.set(row.group_id, row);
    }
    expect(best.size).toBe(300);
    for (const row of best.values()) expect([row.r_cls, row.r_ans, row.r_fmt]).toEqual([3, 1, 1]);
    for (const row of results) expect(row.margin).toBeCloseTo(0.3, 12);
  });
});
