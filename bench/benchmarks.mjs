// Times the metrics of ToolFault-Bench over 10,000,116 predictions beside polars, DuckDB, scikit-learn and numpy.
//
//   node bench/benchmarks.mjs --python PATH [--samples 22676] [--rounds 3] [--engines polars,duckdb,sklearn,numpy]
//
// All seven metrics, overall and by domain and difficulty. Every engine is a process of its own: it reads the same Arrow
// files from bench/.data (made once, by Python with numpy and pyarrow), warms up once, and times three runs in memory.
// Calibrant gets the predictions and the items; the peers get that too, and once more the table that is joined already.
// Rounds are interleaved; medians of rounds are reported. All answers have to agree to 1e-12. Needs `npm run build`.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { machine, median } from "./measure.mjs";

const ITEMS = 441;
const TOLERANCE = 1e-12;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const { values: options } = parseArgs({
  options: {
    python: { type: "string", default: "python3" },
    samples: { type: "string", default: "22676" },
    rounds: { type: "string", default: "3" },
    engines: { type: "string", default: "polars,duckdb,sklearn,numpy" },
  },
});
const folder = here(`.data/toolfault-${options.samples}`);
if (!existsSync(`${folder}/items.arrow`)) {
  process.stderr.write(`making ${ITEMS * Number(options.samples)} predictions\n`);
  execFileSync(options.python, ["-B", here("make-toolfault-predictions.py"), folder, options.samples]);
}

const ours = { engine: "calibrant", shape: "predictions", runs: [] };
const peers = options.engines
  .split(",")
  .flatMap((engine) => ["predictions", "joined"].map((shape) => ({ engine, shape, runs: [] })));
for (let round = 0; round < Number(options.rounds); round += 1) {
  for (const { engine, shape, runs } of [ours, ...peers]) {
    const run = timed(engine, shape);
    if (run !== null) runs.push(run);
  }
}
if (ours.runs.length === 0) throw new Error("Calibrant has no time to compare");
const results = [ours, ...peers].filter(({ runs }) => runs.length > 0).map(summary);
print(results);
mkdirSync(here("results"), { recursive: true });
writeFileSync(
  here("results/benchmarks.json"),
  `${JSON.stringify({ machine: machine(), rows: ITEMS * Number(options.samples), results, answer: ours.runs[0].answer }, null, 2)}\n`,
);
process.exitCode = results.every(({ difference }) => difference <= TOLERANCE) ? 0 : 1;

function timed(engine, shape) {
  const [command, ...args] =
    engine === "calibrant"
      ? [process.execPath, here("benchmarks-kernel.mjs"), folder]
      : [options.python, "-B", here("python/benchmarks.py"), engine, shape, folder];
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status === 0) return JSON.parse(stdout);
  process.stderr.write(`${engine}, ${shape}: left out (${stderr.trim().split("\n").at(-1)})\n`);
  return null;
}

function summary({ engine, shape, runs }) {
  const seconds = (list) => median(list.map((run) => run.seconds));
  return {
    engine,
    shape,
    seconds: seconds(runs),
    ratio: engine === "calibrant" ? null : seconds(ours.runs) / seconds(runs),
    peakMiB: median(runs.map((run) => run.peakMiB)),
    difference: Math.max(...runs.map((run) => largestDifference(run.answer, ours.runs[0].answer))),
  };
}

/** Over all metrics and slices; infinite where one has a number that the other lacks. */
function largestDifference(answer, reference) {
  const slices = new Set([...Object.keys(answer), ...Object.keys(reference)]);
  let largest = 0;
  for (const slice of slices) {
    const metrics = new Set([...Object.keys(answer[slice] ?? {}), ...Object.keys(reference[slice] ?? {})]);
    for (const metric of metrics) {
      const [a, b] = [answer[slice]?.[metric], reference[slice]?.[metric]];
      if (a === null && b === null) continue;
      largest = Math.max(
        largest,
        typeof a === "number" && typeof b === "number" ? Math.abs(a - b) : Infinity,
      );
    }
  }
  return largest;
}

function print(list) {
  process.stdout.write(
    "| engine | shape | ms | ours / theirs | peak MiB | largest difference |\n|---|---|---:|---:|---:|---:|\n",
  );
  for (const { engine, shape, seconds, ratio, peakMiB, difference } of list) {
    const cells = [
      engine,
      shape,
      (1000 * seconds).toFixed(0),
      ratio === null ? "" : ratio.toFixed(3),
      peakMiB.toFixed(0),
      difference.toExponential(1),
    ];
    process.stdout.write(`| ${cells.join(" | ")} |\n`);
  }
}
