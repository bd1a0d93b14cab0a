import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { noise } from "../cli/logprobs/oracle.ts";
import { npyBytes } from "../data/tensors/tensor-bytes.ts";
import { CLI, runCli, temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const KILL = fileURLToPath(new URL("./kill-at-write.mjs", import.meta.url));
const [POSITIONS, VOCAB, SEQUENCES] = [300, 5000, 20];

function file(name: string, bytes: string | Uint8Array): string {
  writeFileSync(join(folder, name), bytes);
  return name;
}

file("logits.npy", npyBytes("<f4", [POSITIONS, VOCAB], noise(POSITIONS * VOCAB)));
file(
  "ids.npy",
  npyBytes(
    "<i4",
    [POSITIONS],
    Int32Array.from({ length: POSITIONS }, (_, i) => (i * 31) % VOCAB),
  ),
);
const bounds = Int32Array.from({ length: SEQUENCES + 1 }, (_, i) => (i * POSITIONS) / SEQUENCES);
file("offsets.npy", npyBytes("<i4", [SEQUENCES + 1], bounds));
const lines = Array.from({ length: SEQUENCES }, (_, i) => `{"rollout_id":"r${i}"}\n`).join("");
file("rollouts.jsonl", lines);

const TENSORS = ["--logits", "logits.npy", "--tokens", "ids.npy", "--offsets", "offsets.npy", "--chunk", "1"];

/** Runs the command until its row of this number, and what signal ended it. */
function killedAt(row: number, args: readonly string[]): Promise<string | null> {
  const url = `file://${KILL}`;
  const env = { ...process.env, KILL_AT: String(row) };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--import", url, CLI, ...args], {
      cwd: folder,
      env,
      stdio: "ignore",
    });
    child.on("error", reject);
    child.on("close", (_, signal) => resolve(signal));
  });
}

describe("calibrant logprobs over files", () => {
  it.each([
    ["jsonl", [8, 5]],
    ["parquet", [8]],
  ] as const)(
    "goes on after SIGKILL and writes the same bytes: %s",
    async (ending, kills) => {
      const rollouts = ending === "parquet" ? [] : ["rollouts.jsonl"];
      const args = ["logprobs", ...rollouts, ...TENSORS, "-o", `killed.${ending}`];
      for (const row of kills) expect(await killedAt(row, args)).toBe("SIGKILL");
      const before = kills.reduce<number>((sum, row) => sum + row - 1, 0);
      const rest = await runCli([...args, "--json"], "", folder);
      expect(rest.stderr).toMatch(/cut off \d+ bytes of a last line/);
      expect(rest.status).toBe(0);
      expect(JSON.parse(rest.stdout.toString())).toMatchObject({
        rows: SEQUENCES,
        tokens: POSITIONS,
        resumedRows: before,
      });
      const whole = ["logprobs", ...rollouts, ...TENSORS, "-o", `whole.${ending}`, "--threads", "2"];
      const unbroken = await runCli(whole, "", folder);
      expect(unbroken.stderr).toContain(`${SEQUENCES} rows, ${POSITIONS} tokens`);
      expect(readFileSync(join(folder, `killed.${ending}`))).toEqual(
        readFileSync(join(folder, `whole.${ending}`)),
      );
      expect(readdirSync(folder).filter((name) => /partial|lock|tmp/.test(name))).toEqual([]);
    },
    30_000,
  );

  it("reads rollouts from a pipe and writes to one", async () => {
    const args = ["logprobs", "-", ...TENSORS, "-o", "-", "--want", "ppl", "--quiet"];
    const { status, stdout, stderr } = await runCli(args, lines, folder);
    expect([status, stderr]).toEqual([0, ""]);
    const rows = stdout.toString().trimEnd().split("\n");
    expect(rows).toHaveLength(SEQUENCES);
    expect(JSON.parse(rows[3] ?? "")).toEqual({ rollout_id: "r3", ppl: expect.any(Number) });
  });

  it("says what is wrong in one line, with the exit status of its kind", async () => {
    const usage = await runCli(["logprobs", "--logits", "logits.npy"], "", folder);
    expect([usage.status, usage.stderr.split("\n").length]).toEqual([2, 2]);
    const data = await runCli(["logprobs", ...TENSORS, "--offsets", "ids.npy"], "", folder);
    expect([data.status, data.stderr.split("\n").length]).toEqual([1, 2]);
    expect(data.stderr).toContain("ids.npy: offsets must ascend from 0 to 300");
  });
});
