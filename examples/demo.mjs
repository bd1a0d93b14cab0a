// The demo of the README: scores the bundled sample with both rewards, prints the summary and writes the scored file.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url);
const path = (name) => fileURLToPath(new URL(name, root));
mkdirSync(path("demo-output"), { recursive: true });
const output = "demo-output/scored.jsonl";
const args = [
  "dist/cli/main.js",
  "score",
  "examples/rollouts.jsonl",
  "--reward",
  "trust",
  "--reward",
  "bench2robust",
  "-o",
  output,
];
process.stdout.write(`calibrant ${args.slice(1).join(" ")}\n\n`);
const { status } = spawnSync(process.execPath, args, { cwd: path("."), stdio: "inherit" });
if (status === 0) process.stdout.write(`\nScored rollouts: ${output}\n`);
process.exitCode = status ?? 1;
