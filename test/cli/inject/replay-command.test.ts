import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { replayCommand } from "../../../src/cli/inject/replay-command.ts";
import { REPLAY_OPTIONS, type ReplayFlags } from "../../../src/cli/inject/replay-options.ts";
import { type RobustnessRow, robustness } from "../../../src/metrics/robustness/robustness.ts";
import type { EpisodeRow } from "../../../src/recovery/episodes/episode.ts";
import { readEpisode } from "../../../src/recovery/episodes/read-episode.ts";
import { scoreBench2Robust } from "../../../src/rewards/score-bench2robust.ts";

const FLAGS: ReplayFlags = { seed: 1, tasks: 60, seeds: 2, json: true, quiet: true };

let folder = "";
let printed = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "replay-"));
  printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

interface Row extends RobustnessRow, EpisodeRow {
  readonly episode_id: string;
  readonly model: string;
  readonly condition: string;
  readonly completed: 0 | 1;
  readonly num_turns: number;
  readonly messages: readonly Record<string, unknown>[];
  readonly gold_actions: readonly Record<string, unknown>[];
  readonly subset: string;
}

describe("calibrant inject --replay", () => {
  it("writes episodes that the rewards, the robustness tables and the memory read", async () => {
    const output = join(folder, "episodes.jsonl");
    await replayCommand({ ...FLAGS, policies: ["naive", "switch"], output });
    const rows = readFileSync(output, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Row);
    const result = JSON.parse(printed) as { held_out: number; rates: { value: number; condition: string }[] };
    expect(rows).toHaveLength(2 * result.held_out * (3 + 3 * 2));

    const tables = robustness(rows, { resamples: 100 });
    expect(tables.warnings).toEqual([]);
    expect(tables.setting).toEqual({ pClean: 0.6, budget: 5, kMax: 2 });
    expect(tables.gap.map(({ model, subset }) => `${model} ${subset}`)).toEqual(
      ["naive", "switch"].flatMap((model) => ["S1", "S2", "S3"].map((subset) => `${model} ${subset}`)),
    );
    expect(tables.gap.map(({ clean }) => clean.value)).toEqual(Array(6).fill(1));
    const naive = result.rates.slice(0, 4).map(({ value }) => value);
    expect(tables.gap.slice(0, 3).map(({ injected }) => injected.value)).toEqual(naive.slice(1));

    const scores = scoreBench2Robust(
      rows.map(({ completed, num_turns, messages, gold_actions }) => ({
        completed: completed === 1,
        numTurns: num_turns,
        messages,
        goldActions: gold_actions,
      })),
    );
    expect(new Set(scores.status)).toEqual(new Set(["ok"]));
    for (const [index, { model, condition }] of rows.entries())
      if (model === "naive" && condition === "clean") expect(scores.reward[index]).toBe(1);

    for (const row of rows) {
      const episode = readEpisode(row);
      const last = row.messages.at(-1)?.content;
      expect(episode?.escalated).toBe(last === "I could not do this; a colleague takes over.");
      expect(episode?.recovered).toBe(row.completed === 1);
    }
  });

  it("writes the memory, which gives the same numbers when it is given back", async () => {
    const memory = join(folder, "memory.json");
    const output = join(folder, "a.jsonl");
    await replayCommand({ ...FLAGS, policies: ["simple+memory"], memoryOut: memory, output });
    const first = printed;
    printed = "";
    const again = join(folder, "b.jsonl");
    await replayCommand({ ...FLAGS, policies: ["simple+memory"], memory, output: again });
    expect(printed).toBe(first);
    expect(readFileSync(again)).toEqual(readFileSync(output));
  });

  it("refuses outputs that collide, and names that it does not know", async () => {
    await expect(replayCommand({ ...FLAGS, output: "-" })).rejects.toThrow(
      "give -o and --memory-out a file, got -",
    );
    await expect(replayCommand({ ...FLAGS, output: "x", memoryOut: "x" })).rejects.toThrow(
      "must be different files, got x twice",
    );
    await expect(replayCommand({ ...FLAGS, policies: ["lucky"] })).rejects.toThrow("got lucky");
    await expect(replayCommand({ ...FLAGS, memory: join(folder, "none.json") })).rejects.toThrow(
      "cannot read",
    );
    expect(printed).toBe("");
  });

  it("declares options that do not repeat each other", () => {
    const names = REPLAY_OPTIONS.map((option) => option().long);
    expect(new Set(names).size).toBe(names.length);
  });
});
