// Times the metrics of ToolFault-Bench over 10,000,116 predictions beside polars, DuckDB, scikit-learn and numpy.
//
//   node bench/benchmarks.mjs --python PATH [--samples 22676] [--rounds 3] [--engines polars,duckdb,…]
//
// All seven metrics, overall and by domain and difficulty. Every engine is a process of its own: it reads the same Arrow
// files from bench/.data (made once, by Python with numpy and pyarrow), warms up once, and times three runs in memory.
// Rounds are interleaved; medians of rounds are reported. All answers have to agree to 1e-12, and those that count missing
// answers on their number. Calibrant has one thread, polars and DuckDB have two. Needs `npm run build`.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { machine, median } from "./measure.mjs";

const ITEMS = 441;
const TOLERANCE = 1e-12;
const FROM_ARROW = "tables of Arrow";
const FROM_CODES = "prepared integers";

/** What the clock of an engine includes: from what it starts, and whether it finds double and missing answers. */
const ENGINES = {
  calibrant: { from: FROM_ARROW, checks: "yes" },
  polars: { from: FROM_ARROW, checks: "yes" },
  duckdb: { from: FROM_ARROW, checks: "yes" },
  "polars-unchecked": { from: FROM_ARROW, checks: "no" },
  "duckdb-unchecked": { from: FROM_ARROW, checks: "no" },
  sklearn: { from: FROM_CODES, checks: "no" },
  "polars-counts": { from: FROM_CODES, checks: "no" },
  "duckdb-counts": { from: FROM_CODES, checks: "no" },
  "numpy-counts": { from: FROM_CODES, checks: "no" },
};
const PEERS = Object.keys(ENGINES).filter((engine) => engine !== "calibrant");
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const { values: options } = parseArgs({
  options: {
    python: { type: "string", default: "python3" },
    samples: { type: "string", default: "22676" },
    rounds: { type: "string", default: "3" },
    engines: { type: "string", default: PEERS.join(",") },
  },
});
const folder = here(`.data/toolfault-${options.samples}`);
if (!existsSync(`${folder}/items.arrow`)) {
  process.stderr.write(`making ${ITEMS * Number(options.samples)} predictions\n`);
  execFileSync(options.python, ["-B", here("make-toolfault-predictions.py"), folder, options.samples]);
}

const runs = new Map(["calibrant", ...options.engines.split(",")].map((engine) => [engine, []]));
for (let round = 0; round < Number(options.rounds); round += 1) {
  for (const [engine, list] of runs) {
    const run = timed(engine);
    if (run !== null) list.push(run);
  }
}
const ours = runs.get("calibrant");
if (ours.length === 0) throw new Error("Calibrant has no time to compare");
const results = [...runs]
  .filter(([, list]) => list.length > 0)
  .map(([engine, list]) => summary(engine, list));
print(results);
mkdirSync(here("results"), { recursive: true });
writeFileSync(
  here("results/benchmarks.json"),
  `${JSON.stringify({ machine: machine(), rows: ITEMS * Number(options.samples), results, answer: ours[0].answer }, null, 2)}\n`,
);
process.exitCode = results.every(({ difference }) => difference <= TOLERANCE) ? 0 : 1;

function timed(engine) {
  const [command, ...args] =
    engine === "calibrant"
      ? [process.execPath, here("benchmarks-kernel.mjs"), folder]
      : [options.python, "-B", here("python/benchmarks.py"), engine, folder];
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status === 0) return JSON.parse(stdout);
  process.stderr.write(`${engine}: left out (${stderr.trim().split("\n").at(-1)})\n`);
  return null;
}

function summary(engine, list) {
  const seconds = (some) => median(some.map((run) => run.seconds));
  return {
    engine,
    ...ENGINES[engine],
    seconds: seconds(list),
    ratio: engine === "calibrant" ? null : seconds(ours) / seconds(list),
    peakMiB: median(list.map((run) => run.peakMiB)),
    rounds: list.map((run) => run.seconds),
    difference: Math.max(...list.map((run) => largestDifference(run, ours[0]))),
  };
}

/** Over all metrics and slices; infinite where one has a number that the other lacks, or another count of missing answers. */
function largestDifference(run, reference) {
  if (run.missing !== null && run.missing !== reference.missing) return Infinity;
  const slices = new Set([...Object.keys(run.answer), ...Object.keys(reference.answer)]);
  return Math.max(...[...slices].map((slice) => difference(run.answer[slice], reference.answer[slice])));
}

function difference(a = {}, b = {}) {
  let largest = 0;
  for (const metric of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [one, other] = [a[metric], b[metric]];
    if (one === null && other === null) continue;
    const both = typeof one === "number" && typeof other === "number";
    largest = Math.max(largest, both ? Math.abs(one - other) : Infinity);
  }
  return largest;
}

function print(list) {
  process.stdout.write(
    "| engine | from | double and missing answers found | ms | ours / theirs | peak MiB | largest difference |\n" +
      "|---|---|---|---:|---:|---:|---:|\n",
  );
  for (const { engine, from, checks, seconds, ratio, peakMiB, difference } of list) {
    const cells = [
      engine,
      from,
      checks,
      (1000 * seconds).toFixed(0),
      ratio === null ? "" : ratio.toFixed(3),
      peakMiB.toFixed(0),
      difference.toExponential(1),
    ];
    process.stdout.write(`| ${cells.join(" | ")} |\n`);
  }
}
