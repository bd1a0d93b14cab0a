// How long the command takes to start, against an empty Node: node bench/cold-start.mjs [--runs 15]
// Needs `npm run build`. Every command runs as a whole process, in interleaved rounds; medians are reported.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { generateRollouts } from "./generate.mjs";
import { machine, measure, median } from "./measure.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const CLI = here("../dist/cli/main.js");
const { values: options } = parseArgs({ options: { runs: { type: "string", default: "15" } } });

if (!existsSync(CLI)) throw new Error("dist/ is missing: npm run build");
const formats = ["jsonl", "arrow"];
const scoring = [];
for (const format of formats) {
  const input = here(`.data/ten.${format}`);
  await generateRollouts(input, 10, 1);
  const args = [
    CLI,
    "score",
    input,
    "--reward",
    "trust",
    "-o",
    here(`.data/ten-scored.${format}`),
    "--quiet",
  ];
  scoring.push([`calibrant score, 10 rows of ${format}`, args, 5]);
}
// Name, arguments, and the most times an empty Node that it may take.
const commands = [
  ["node -e 0", ["-e", "0"], null],
  ["calibrant --version", [CLI, "--version"], 2.5],
  ...scoring,
];

const seconds = new Map(commands.map(([name]) => [name, []]));
for (let run = 0; run < Number(options.runs); run += 1) {
  for (const [name, args] of commands) {
    seconds.get(name).push((await measure(process.execPath, args, { memory: false })).seconds);
  }
}
for (const format of formats) rmSync(here(`.data/ten-scored.${format}`), { force: true });

const empty = median(seconds.get("node -e 0"));
const results = commands.map(([name, , target]) => {
  const wall = median(seconds.get(name));
  return { command: name, milliseconds: wall * 1000, ratio: wall / empty, target };
});
mkdirSync(here("results"), { recursive: true });
const record = { machine: machine(), runs: Number(options.runs), results };
writeFileSync(here("results/cold-start.json"), `${JSON.stringify(record, null, 2)}\n`);

const rows = results.map(
  ({ command, milliseconds, ratio, target }) =>
    `| ${command} | ${milliseconds.toFixed(0)} | ${ratio.toFixed(2)}x | ${target === null ? "–" : `${target}x`} |`,
);
process.stdout.write(
  `${["| command | ms | over empty Node | at most |", "|---|---:|---:|---:|", ...rows].join("\n")}\n`,
);
