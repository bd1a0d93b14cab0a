import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const NO_NETWORK = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT/;
const EXAMPLE = "node_modules/calibrant/examples/rollouts.jsonl";
const version = (JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string }).version;

interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment without what npm and vitest set for the project's own scripts. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(lifecycle|package|command|node|execpath|config_local)|VITEST|NODE_ENV|INIT_CWD)/.test(name),
  ),
);

function run(cwd: string, command: string, ...args: string[]): Finished {
  // npm and npx are command scripts on Windows, which only a shell starts.
  const shell = process.platform === "win32" && command !== process.execPath;
  const done = spawnSync(command, args, {
    cwd,
    env: environment,
    encoding: "utf8",
    maxBuffer: 1 << 26,
    shell,
  });
  return { status: done.status, stdout: done.stdout, stderr: done.stderr };
}

let work: string;
let packed: { filename: string; files: { path: string }[] };
let offline = false;

/** Installs the tarball in an empty folder of its own. */
function install(name: string, ...options: string[]): string {
  const folder = join(work, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const tarball = join(work, packed.filename);
  const npm = run(
    folder,
    "npm",
    "install",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    ...options,
    tarball,
  );
  if (npm.status !== 0 && NO_NETWORK.test(npm.stderr)) offline = true;
  else expect(npm.status, npm.stderr).toBe(0);
  return folder;
}

beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), "calibrant-package-"));
  // dist/ is already built, and building again would pull it away under the other tests.
  const npm = run(ROOT, "npm", "pack", "--ignore-scripts", "--json", "--pack-destination", work);
  expect(npm.status, npm.stderr).toBe(0);
  packed = (JSON.parse(npm.stdout) as (typeof packed)[])[0] as typeof packed;
}, 120_000);

afterAll(() => rmSync(work, { recursive: true, force: true }));

describe("the packed files", () => {
  it("are the built code, the examples and the texts, nothing else", () => {
    const paths = packed.files.map(({ path }) => path);
    const expected = /^dist\/.*\.(js|d\.ts)$|^docs\/[a-z0-9-]+\.md$|^docs\/images\/[a-z0-9-]+\.svg$/;
    const others = paths.filter((path) => !expected.test(path)).sort();
    expect(others).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "cuda/logprobs.ptx",
      "cuda/logprobs.sm_90.cubin",
      "docs/evaluation.schema.json",
      "examples/make-checkpoints.mjs",
      "examples/make-robustness-runs.mjs",
      "examples/rollouts.jsonl",
      "examples/toolfault-sample.jsonl",
      "examples/trajectories.jsonl",
      "package.json",
    ]);
    expect(paths).toEqual(expect.arrayContaining(["dist/cli/main.js", "docs/index.md", "docs/trust.md"]));
  });
});

describe("installed with its optional packages", () => {
  let folder: string;
  beforeAll(() => {
    folder = install("full");
  }, 300_000);

  const calibrant = (...args: string[]): Finished => run(folder, "npx", "--no-install", "calibrant", ...args);

  it("prints its version", ({ skip }) => {
    skip(offline, "no network");
    expect(calibrant("--version")).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("scores the bundled example into each format, with the same summary", ({ skip }) => {
    skip(offline, "no network");
    const rewards = ["jsonl", "arrow", "parquet"].map((format) => {
      const out = `scored.${format}`;
      const done = calibrant("score", EXAMPLE, "--reward", "trust", "-o", out, "--json", "--quiet");
      expect(done.status, done.stderr).toBe(0);
      expect(readFileSync(join(folder, out)).length).toBeGreaterThan(0);
      return JSON.parse(done.stdout) as { rows: number };
    });
    const lines = readFileSync(join(folder, "scored.jsonl"), "utf8").trimEnd().split("\n");
    for (const { rows } of rewards) expect(rows).toBe(lines.length);
    for (const line of lines) {
      expect(Object.keys(JSON.parse(line) as object)).toEqual(
        expect.arrayContaining([
          "ppl",
          "certainty",
          "r_fmt",
          "r_ans",
          "r_cls",
          "reward",
          "advantage",
          "status",
        ]),
      );
    }
  });

  it("reads back each format that it wrote and gives the same rewards", ({ skip }) => {
    skip(offline, "no network");
    const rewardsOf = (path: string, column = "reward"): unknown[] =>
      readFileSync(join(folder, path), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as Record<string, unknown>)[column]);
    for (const format of ["arrow", "parquet"]) {
      const done = calibrant(
        "score",
        `scored.${format}`,
        "--reward",
        "trust",
        "-o",
        `again-${format}.jsonl`,
        "--prefix",
        "again_",
        "--quiet",
      );
      expect(done.status, done.stderr).toBe(0);
      expect(rewardsOf(`again-${format}.jsonl`, "again_reward")).toEqual(rewardsOf("scored.jsonl"));
    }
  });

  it("stands between a client that leaves at once and a server", ({ skip }) => {
    skip(offline, "no network");
    const done = calibrant(
      "inject",
      "--quiet",
      "-o",
      "episodes.jsonl",
      "--",
      process.execPath,
      "-e",
      "process.stdin.resume()",
    );
    expect(done).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it("gives scoreTrust to an ES module", ({ skip }) => {
    skip(offline, "no network");
    const code = `
      import { scoreTrust } from "calibrant/rewards";
      const response = "<think>it is known</think>direct_answer<A><answer>forty two</answer>";
      const scored = scoreTrust([
        { groupId: "q", response, gtAction: "direct_answer", gtAnswer: "forty two", logprobs: [-0.1, -0.2] },
      ]);
      console.log(JSON.stringify(Array.from(scored.reward)));
    `;
    // One right rollout and nothing to compare with: m = 0, c = 0.5, so 1 + 1 + 0.5 * 3.
    expect(run(folder, process.execPath, "--input-type=module", "-e", code)).toEqual({
      status: 0,
      stdout: "[3.5]\n",
      stderr: "",
    });
  });

  it.skipIf(!("require_module" in process.features))("gives every entry to require()", ({ skip }) => {
    skip(offline, "no network");
    for (const entry of ["calibrant", "calibrant/data", "calibrant/uq", "calibrant/rewards"]) {
      const code = `console.log(Object.keys(require(${JSON.stringify(entry)})).length > 0)`;
      const done = run(folder, process.execPath, "-e", code);
      expect(done.stdout, `${entry}: ${done.stderr}`).toBe("true\n");
    }
  });
});

describe("installed without its optional packages", () => {
  let folder: string;
  beforeAll(() => {
    folder = install("bare", "--omit=optional");
  }, 300_000);

  const calibrant = (...args: string[]): Finished => run(folder, "npx", "--no-install", "calibrant", ...args);

  it("replays the retail world, and says how to get what the proxy needs", ({ skip }) => {
    skip(offline, "no network");
    const replay = calibrant("inject", "--replay", "--tasks", "40", "--seeds", "1", "--json");
    expect(replay.status, replay.stderr).toBe(0);
    expect(JSON.parse(replay.stdout)).toMatchObject({ seed: 0 });
    const proxy = calibrant("inject", "--quiet", "--", "node", "server.js");
    expect([proxy.status, proxy.stdout]).toEqual([1, ""]);
    expect(proxy.stderr).toMatch(/^calibrant: .*npm install @modelcontextprotocol\/client@.*\n$/);
  });

  it("scores the benchmark's sample, and says how to get what asking a model needs", ({ skip }) => {
    skip(offline, "no network");
    const sample = "node_modules/calibrant/examples/toolfault-sample.jsonl";
    const baseline = calibrant("toolfault", "baseline", "heuristic", sample, "-o", "heuristic.jsonl");
    expect(baseline.status, baseline.stderr).toBe(0);
    const scored = calibrant("toolfault", "score", "heuristic.jsonl", "--items", sample);
    expect(scored.stdout).toContain("Fault and action right for 13 of 16 (81.2%).");
    const asking = ["--base-url", "http://localhost:9/v1", "--model", "m", "-o", "results.jsonl"];
    const asked = calibrant("toolfault", "run", sample, ...asking);
    expect(asked.status).toBe(1);
    expect(asked.stderr).toMatch(/^calibrant: .*npm install openai@\S+\n$/);
  });

  it("scores the sample of trajectories, and judges what needs no model", ({ skip }) => {
    skip(offline, "no network");
    const sample = "node_modules/calibrant/examples/trajectories.jsonl";
    const scored = calibrant("score", sample, "--trajectory", "--json");
    expect(scored.status, scored.stderr).toBe(0);
    const { rows, status, parts } = JSON.parse(scored.stdout) as {
      rows: number;
      status: object;
      parts: { reward: { mean: number } };
    };
    expect([rows, status, parts.reward.mean.toFixed(4)]).toEqual([8, { status: { ok: 8 } }, "4.6911"]);
    const judged = calibrant("judge", sample, "--limit", "1", "-o", "judgements.jsonl");
    expect(judged.status).toBe(2);
    expect(judged.stderr).toMatch(/^calibrant: .*--base-url.*\n$/);
  });

  it("still scores JSONL, to the same bytes", ({ skip }) => {
    skip(offline, "no network");
    const done = calibrant("score", EXAMPLE, "--reward", "trust", "-o", "scored.jsonl", "--quiet");
    expect(done.status, done.stderr).toBe(0);
    const full = readFileSync(join(work, "full/scored.jsonl"), "utf8");
    expect(readFileSync(join(folder, "scored.jsonl"), "utf8")).toBe(full);
  });

  it.for([
    ["reading", join("..", "full", "scored.parquet"), "out.jsonl"],
    ["writing", EXAMPLE, "out.parquet"],
  ] as const)("says on one line how to get what %s Parquet needs", ([, input, out], { skip }) => {
    skip(offline, "no network");
    const done = calibrant("score", input, "--reward", "trust", "-o", out, "--prefix", "new_", "--quiet");
    expect(done.status).toBe(1);
    expect(done.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(done.stderr).toMatch(/npm install .*(@duckdb\/node-api|parquet-wasm)/);
  });
});
