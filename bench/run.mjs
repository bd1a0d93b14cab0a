// Scores a generated file with TRUST, with Calibrant and with two Python programs that compute the same numbers.
//
//   node bench/run.mjs [--python PATH] [--rows 1000000] [--formats arrow,parquet,jsonl] [--rounds 3] [--jobs 2]
//                      [--no-python]
//
// Every engine runs as a whole process, from file to file, in interleaved rounds; medians are reported. The program
// that goes row by row runs on the first 100,000 rows and on 8, and its time for all rows is extrapolated from the
// two. JSONL has a tenth of the rows. Needs `npm run build`; Python needs pyarrow and numpy. Data and outputs go to
// bench/.data.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { generateRollouts } from "./generate.mjs";
import { machine, measure, median } from "./measure.mjs";

const SEED = 1;
const SAMPLE_ROWS = 100_000;
const TOLERANCE = 1e-9;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const CLI = here("../dist/cli/main.js");

const { values: options } = parseArgs({
  options: {
    python: { type: "string", default: "python3" },
    rows: { type: "string", default: "1000000" },
    formats: { type: "string", default: "arrow,parquet,jsonl" },
    rounds: { type: "string", default: "3" },
    jobs: { type: "string", default: "2" },
    "no-python": { type: "boolean", default: false },
  },
});
const rows = Number(options.rows);
const rounds = Number(options.rounds);
const jobs = Number(options.jobs);
const python = options["no-python"] ? null : options.python;

/** The file of `count` rows in a format, made when it is not there yet. */
async function dataFile(format, count) {
  const path = here(`.data/rollouts-${count}.${format}`);
  if (existsSync(path)) return path;
  process.stderr.write(`making ${count} rows of ${format}\n`);
  if (format !== "parquet") await generateRollouts(path, count, SEED);
  else runPython("to_parquet.py", await dataFile("arrow", count), path);
  return path;
}

function runPython(script, ...args) {
  if (python === null) throw new Error("this format needs Python with pyarrow");
  return execFileSync(python, ["-B", here(`python/${script}`), ...args], { encoding: "utf8" });
}

/** The engines of a format: name, and one or (for a sample and the start alone) two commands with their rows. */
function enginesOf(format, full, sample, start) {
  const out = (name) => here(`.data/scored-${name}.${format}`);
  const ours = (name, threads) => {
    const args = [
      CLI,
      "score",
      full.path,
      "--reward",
      "trust",
      "-o",
      out(name),
      "--jobs",
      String(threads),
      "--quiet",
    ];
    return { name, out: out(name), runs: [{ rows: full.rows, command: process.execPath, args }] };
  };
  const theirs = (name, script, ...inputs) => {
    const runs = inputs.map((data) => {
      const args = ["-B", here(`python/${script}`), data.path, out(name)];
      return { rows: data.rows, command: python, args };
    });
    return { name, out: out(name), runs };
  };
  const engines = [ours("calibrant-1", 1), ours(`calibrant-${jobs}`, jobs)];
  if (python === null) return engines;
  // The sample runs last, so that its output is there to compare.
  return [
    ...engines,
    theirs("numpy", "score_numpy.py", full),
    theirs("per-row", "score_per_row.py", start, sample),
  ];
}

/** Medians of interleaved rounds for `count` rows: name -> { rows, seconds, rowsPerSecond, peakMiB, allSeconds }. */
async function timeEngines(engines, count) {
  const seen = new Map(engines.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, runs } of engines) {
      const measured = [];
      for (const { command, args } of runs) measured.push(await measure(command, args));
      const result = forAllRows(runs, measured, count);
      seen.get(name).push(result);
      process.stderr.write(`round ${round + 1} ${name}: ${result.seconds.toFixed(2)} s\n`);
    }
  }
  return Object.fromEntries(engines.map(({ name, runs }) => [name, summary(seen.get(name), runs, count)]));
}

/** Time and memory of one engine for all rows: extrapolated when it ran on the start alone and on a sample. */
function forAllRows(runs, measured, count) {
  const last = measured.at(-1);
  if (runs.length === 1) return last;
  const perRow = (last.seconds - measured[0].seconds) / (runs[1].rows - runs[0].rows);
  return { seconds: last.seconds + perRow * (count - runs[1].rows), peakMiB: last.peakMiB };
}

function summary(results, runs, count) {
  const seconds = median(results.map((result) => result.seconds));
  const peaks = results.map((result) => result.peakMiB).filter((peak) => peak !== null);
  return {
    rows: count,
    rowsRun: runs.at(-1).rows,
    seconds,
    rowsPerSecond: count / seconds,
    peakMiB: peaks.length > 0 ? Math.max(...peaks) : null,
    allSeconds: results.map((result) => result.seconds),
  };
}

/** Largest difference of any added column between the outputs of two engines; fails above the tolerance. */
function compareOutputs(engines) {
  const first = engines[0];
  const differences = {};
  for (const other of engines.slice(1)) {
    const columns = JSON.parse(runPython("compare.py", first.out, other.out));
    differences[other.name] = Math.max(...Object.values(columns));
    const wrong = Object.entries(columns).filter(([, difference]) => !(difference <= TOLERANCE));
    if (wrong.length > 0)
      throw new Error(`${other.name} disagrees with ${first.name}: ${JSON.stringify(wrong)}`);
  }
  return differences;
}

function ratiosOf(engines) {
  const best = Math.max(engines["calibrant-1"].rowsPerSecond, engines[`calibrant-${jobs}`].rowsPerSecond);
  const against = (name) => (engines[name] === undefined ? null : best / engines[name].rowsPerSecond);
  return {
    scaling: engines["calibrant-1"].seconds / engines[`calibrant-${jobs}`].seconds,
    overNumpy: against("numpy"),
    overPerRow: against("per-row"),
  };
}

async function benchFormat(format) {
  const count = format === "jsonl" ? Math.ceil(rows / 10) : rows;
  const full = { rows: count, path: await dataFile(format, count) };
  const sampled = async (part) => ({
    rows: part,
    path: python === null ? null : await dataFile(format, part),
  });
  const engines = enginesOf(format, full, await sampled(Math.min(count, SAMPLE_ROWS)), await sampled(8));
  const timings = await timeEngines(engines, count);
  // The rows of a sample are the first rows of the full file, and no group is cut.
  const largestDifference = python === null ? null : compareOutputs(engines);
  for (const { out } of engines) rmSync(out, { force: true });
  const result = { format, rows: count, bytes: statSync(full.path).size, engines: timings };
  return { ...result, ratios: ratiosOf(timings), largestDifference };
}

function table(results) {
  const cell = (number, digits = 0) => (number === null ? "–" : number.toFixed(digits));
  const count = (number) => Math.round(number).toLocaleString("en-US");
  const lines = [
    "| format | engine | rows | wall s | rows/s | peak MiB |",
    "|---|---|---:|---:|---:|---:|",
    ...results.flatMap(({ format, engines }) =>
      Object.entries(engines).map(([name, { rows: all, rowsRun, seconds, rowsPerSecond, peakMiB }]) => {
        const ran = rowsRun < all ? `${count(all)} (from ${count(rowsRun)})` : count(all);
        return `| ${format} | ${name} | ${ran} | ${cell(seconds, 2)} | ${count(rowsPerSecond)} | ${cell(peakMiB)} |`;
      }),
    ),
    "",
    `| format | 1 -> ${jobs} jobs | over numpy | over per-row Python | largest difference |`,
    "|---|---:|---:|---:|---:|",
    ...results.map(({ format, ratios, largestDifference }) => {
      const times = (ratio) => (ratio === null ? "–" : `${ratio.toFixed(2)}x`);
      const difference =
        largestDifference === null ? "–" : Math.max(...Object.values(largestDifference)).toExponential(1);
      return `| ${format} | ${times(ratios.scaling)} | ${times(ratios.overNumpy)} | ${times(ratios.overPerRow)} | ${difference} |`;
    }),
  ];
  return `${lines.join("\n")}\n`;
}

if (!existsSync(CLI)) throw new Error("dist/ is missing: npm run build");
mkdirSync(here("results"), { recursive: true });
const results = [];
for (const format of options.formats.split(",")) results.push(await benchFormat(format));
const versions = python === null ? {} : JSON.parse(runPython("versions.py"));
const version = JSON.parse(readFileSync(here("../package.json"), "utf8")).version;
const record = { calibrant: version, machine: { ...machine(), ...versions }, rounds, results };
writeFileSync(here("results/score.json"), `${JSON.stringify(record, null, 2)}\n`);
process.stdout.write(table(results));
