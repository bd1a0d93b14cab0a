import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Command } from "commander";
import { describe, expect, it, vi } from "vitest";
import type { CurriculumResult } from "../../../src/cli/curriculum/curriculum-result.ts";
import { defineCurriculum } from "../../../src/cli/curriculum.ts";
import type { CurriculumState } from "../../../src/recovery/curriculum/curriculum-state.ts";
import { encoded, fileMaker, type Row } from "../input/input-files.ts";
import { outputOf } from "../toolfault/captured-output.ts";

const put = fileMaker();

/** An episode: calls of tools with their results, then an answer. */
function episode(calls: readonly (readonly [string, string])[], fields: Row = {}): Row {
  const messages = calls.flatMap(([name, content], i) => [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: `c${i}`, type: "function", function: { name, arguments: `{"n":${i}}` } }],
    },
    { role: "tool", tool_call_id: `c${i}`, name, content },
  ]);
  return {
    messages: [{ role: "user", content: "Hi" }, ...messages, { role: "assistant", content: "Done." }],
    ...fields,
  };
}

const TIMEOUT = "Error: request timed out after 30s";
const iteration = (reward: number, seed: number): Row[] => [
  episode(
    [
      ["find", TIMEOUT],
      ["search", "[1]"],
    ],
    { completed: 1, reward, scenario: "S1", condition: "injected", seed },
  ),
  episode(
    [
      ["find", TIMEOUT],
      ["find", "[1]"],
    ],
    { completed: 0, reward, scenario: "S1", condition: "injected", seed },
  ),
  episode([["transfer_to_human_agents", "ok"]], {
    completed: 0,
    reward,
    scenario: "S2",
    condition: "injected",
    seed,
  }),
  episode([["find", "[1]"]], { completed: 1, reward, scenario: null, condition: "clean", seed: seed + 0.5 }),
];
const lines = (rows: readonly Row[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const step = [0.3, 0.4, 0.5, 0.6].map((reward, i) => put(`step-${i}.jsonl`, lines(iteration(reward, i)))) as [
  string,
  string,
  string,
  string,
];
const folder = dirname(step[0]);

/** Runs the command: what it prints, and its warnings. */
async function run(...words: string[]): Promise<{ out: string; err: string }> {
  const program = new Command("calibrant").exitOverride().configureOutput({ writeErr: () => undefined });
  defineCurriculum(program);
  for (const command of program.commands) command.copyInheritedSettings(program);
  const spy = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  try {
    const out = await outputOf(
      async () => void (await program.parseAsync(["node", "calibrant", "curriculum", ...words])),
    );
    return { out, err: spy.mock.calls.map(([text]) => String(text)).join("") };
  } finally {
    spy.mockRestore();
  }
}

const result = async (...words: string[]): Promise<CurriculumResult> =>
  JSON.parse((await run(...words, "--json")).out);
const stateOf = (path: string): CurriculumState => JSON.parse(readFileSync(path, "utf8"));

describe("calibrant curriculum", () => {
  it("measures an iteration and begins the curriculum", async () => {
    const first = await result(step[0]);
    expect(first).toMatchObject({
      iteration: 1,
      phase: 1,
      applied: true,
      advanced: false,
      stopped: false,
      reason: null,
    });
    expect(first.diagnostics).toMatchObject({
      episodes: 4,
      pass_rate: 0.5,
      mean_reward: 0.3,
      switch_rate: 0.5,
      switch_rate_n: 2,
      escalation_rate: 0.25,
      solvable_escalation_rate: 1 / 3,
      s3_escalation_rate: null,
      mean_turns: 10 / 4,
      pass_rate_s1: 0.5,
      pass_rate_s2: 0,
    });
    expect(first.conditions).toEqual([
      { diagnostic: "mean_reward", relation: ">", threshold: 0.25, value: 0.3, met: true, iterations: 3 },
    ]);
    expect(first.next).toEqual({
      phase: 1,
      focus: "S1: retry",
      mix: { S1: 1, S2: 0, S3: 0 },
      max_injections: 2,
    });
    const { out, err } = await run(step[0]);
    expect(out).toContain("4 episodes, phase 1 of 5 (S1: retry)\n");
    expect(out).toContain("  mean reward                  0.300  of 4\n");
    expect(out).toContain("  escalation rate, S3              –  of 0\n");
    expect(out).toContain("  met      mean reward 0.300 > 0.250, 1 of 3 iterations in a row\n");
    expect(out).toContain(
      "Next iteration: phase 1 (S1: retry), S1/S2/S3 100/0/0, at most 2 injections an episode.\n",
    );
    expect(err).toBe("");
  });

  it("moves on with every iteration, and not with one that is run again", async () => {
    const state = join(folder, "loop.json");
    await run(step[0], "-o", state);
    const once = readFileSync(state, "utf8");
    // Killed after the state was written, and begun anew: without --state, and with it.
    await run(step[0], "-o", state);
    expect(readFileSync(state, "utf8")).toBe(once);
    const again = await run(step[0], "--state", state, "-o", state);
    expect(again.out).toContain(
      "These episodes were counted before, as iteration 1: the state stays as it is.\n",
    );
    expect(readFileSync(state, "utf8")).toBe(once);
    expect(await result(step[1], "--state", state, "-o", state)).toMatchObject({
      iteration: 2,
      applied: true,
    });
    expect(await result(step[1], "--state", state, "-o", state)).toMatchObject({
      iteration: 2,
      applied: false,
      conditions: [],
    });
    const third = await run(step[2], "--state", state, "-o", state);
    expect(third.out).toContain("  met      mean reward 0.500 > 0.250, 3 of 3 iterations in a row\n");
    expect(third.out).toContain(
      "Advanced. Next iteration: phase 2 (Discover alternatives), S1/S2/S3 80/20/0, at most 2 injections",
    );
    expect(stateOf(state)).toMatchObject({ phase: 2, iteration: 3, phase_iteration: 0 });
    expect(await result(step[3], "--state", state)).toMatchObject({
      advanced: true,
      next: { phase: 3, max_injections: 5 },
    });
    expect(stateOf(state).iteration).toBe(3);
    expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("knows the same episodes in other files and formats", async () => {
    const rows = iteration(0.3, 0);
    const parquet = put("step-0.parquet", await encoded("parquet", rows, 3));
    const [head, tail] = [put("a.jsonl", lines(rows.slice(0, 1))), put("b.jsonl", lines(rows.slice(1)))];
    const batch = (await result(step[0])).state.batch;
    expect((await result(parquet)).state.batch).toBe(batch);
    expect((await result(head, tail)).state.batch).toBe(batch);
    expect((await result(tail, head)).state.batch).not.toBe(batch);
  });

  it("says that a curriculum has stopped, and stays there", async () => {
    const five: CurriculumState = { ...(await result(step[0])).state, phase: 5, streak: 0 };
    const state = put("five.json", JSON.stringify(five));
    const words = ["--threshold", "overEscalation=0.3,overEscalationIterations=1"];
    const { out } = await run(step[1], "--state", state, "-o", state, ...words);
    expect(out).toContain("  met      escalation rate, S1 and S2 0.333 > 0.300\n");
    expect(out).toContain("The curriculum has stopped after iteration 2 (over_escalation)");
    const after = await result(step[2], "--state", state, "-o", state);
    expect(after).toMatchObject({
      applied: false,
      stopped: true,
      reason: "over_escalation",
      next: null,
      iteration: 2,
    });
    expect((await run(step[2], "--state", state)).out).toContain("has stopped after iteration 2");
  });

  it("warns of what no episode tells, takes other columns and tools, and may print the state alone", async () => {
    const bare = put("bare.jsonl", lines([episode([["hand_over", "ok"]], { score: 0.9 }), { messages: {} }]));
    const { err, out } = await run(bare);
    expect(out).toContain("  missing  mean reward – > 0.250, 0 of 3 iterations in a row\n");
    expect(err).toContain(
      "no mean reward: no episode has a reward; add it with calibrant score --reward bench2robust",
    );
    expect(err).toContain("rows whose messages hold no conversation were left out: 1\n");
    const named = await result(bare, "--columns", "reward=score", "--escalation-tools", "hand_over");
    expect(named.diagnostics).toMatchObject({
      mean_reward: 0.9,
      escalation_rate: 1,
      unreadable: 1,
      missing: { completed: 1 },
    });
    expect(JSON.parse((await run(step[0], "-o", "-")).out)).toEqual((await result(step[0])).state);
    expect(await run(bare, "--quiet")).toEqual({ out: "", err: "" });
  });

  it("refuses what would lose or mix up a curriculum", async () => {
    const state = join(folder, "other.json");
    await run(step[0], "-o", state);
    await expect(run(step[1], "-o", state)).rejects.toThrow(
      "give it as --state too to go on, or remove it to begin anew",
    );
    await expect(run(step[0], "-o", step[0])).rejects.toThrow("is one of the inputs");
    await expect(run(step[0], "--state", join(folder, "none.json"))).rejects.toThrow(
      "leave --state out to begin a curriculum: ENOENT",
    );
    await expect(run(step[0], "--state", step[0])).rejects.toThrow("is not JSON");
    await expect(run(step[0], "--state", put("x.json", "{}"))).rejects.toThrow(
      "x.json is no state of a curriculum: it lacks version",
    );
    await expect(run(step[0], "--json", "-o", "-")).rejects.toThrow("both write to standard output");
    await expect(run(step[0], "--threshold", "passrate=0.1")).rejects.toThrow("did you mean passRate?");
    await expect(run(put("none.jsonl", '{"messages":{}}\n'))).rejects.toThrow("no row holds an episode");
    await expect(run(put("no.jsonl", '{"completed":1}\n'))).rejects.toThrow("missing column messages");
  });
});
