// Times metric kernels beside numpy, scikit-learn, torchmetrics, DuckDB and polars, in one run on the same numbers.
//
//   node bench/metrics.mjs [--python PATH] [--rows 10000000] [--rounds 3] [--tasks ece,auroc64,…] [--no-python]
//
// Every (task, engine) is a process of its own: it loads the same raw arrays from bench/.data, warms up once, times the
// kernel three times and prints the median, its answer and the peak memory. Rounds are interleaved; medians of rounds are
// reported, as a ratio to each peer. Needs `npm run build`; engines whose Python package is missing are left out.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { machine, median } from "./measure.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** What is timed, who is asked, and the aim: our time over the named peer's, or seconds. */
const TASKS = {
  ece: { peers: ["numpy", "duckdb", "polars", "torchmetrics"], aim: { duckdb: 0.7, numpy: 0.7 } },
  auroc64: { peers: ["sklearn"], aim: { sklearn: 0.4 } },
  auroc32: { peers: ["sklearn", "torchmetrics"], aim: { sklearn: 0.25 } },
  f1: { peers: ["sklearn"], aim: { sklearn: 0.1 } },
  brier: { peers: ["sklearn"], aim: { sklearn: 0.1 } },
  nll: { peers: ["sklearn"], aim: { sklearn: 0.1 } },
  bootstrap: { peers: ["sklearn"], aim: { seconds: 0.5 } },
  iou: { peers: ["numpy"], aim: { seconds: 2 } },
};

const { values: options } = parseArgs({
  options: {
    python: { type: "string", default: "python3" },
    rows: { type: "string", default: "10000000" },
    rounds: { type: "string", default: "3" },
    tasks: { type: "string", default: Object.keys(TASKS).join(",") },
    "no-python": { type: "boolean", default: false },
  },
});
const rows = Number(options.rows);
mkdirSync(here(".data"), { recursive: true });
makeArrays(here(`.data/metrics-${rows}`), rows);

const results = [];
for (const task of options.tasks.split(",")) {
  const engines = ["calibrant", ...(options["no-python"] ? [] : TASKS[task].peers)];
  const runs = new Map(engines.map((engine) => [engine, []]));
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const engine of engines) {
      const run = timed(task, engine);
      if (run !== null) runs.get(engine).push(run);
    }
  }
  results.push(...summaries(task, runs));
}
print(results);
mkdirSync(here("results"), { recursive: true });
writeFileSync(
  here("results/metrics.json"),
  `${JSON.stringify({ machine: machine(), rows, results }, null, 2)}\n`,
);

/** Confidences, scores and labels as raw little-endian arrays, from a seed. */
function makeArrays(prefix, count) {
  if (existsSync(`${prefix}.labels.u8`)) return;
  process.stderr.write(`making ${count} rows\n`);
  let state = 20261130;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const scores = new Float64Array(count);
  const labels = new Uint8Array(count);
  const classes = new Uint8Array(count);
  const predicted = new Uint8Array(count);
  for (let row = 0; row < count; row += 1) {
    // Two uniforms make a double of more than 32 bits, as a softmax gives.
    const p = (uniform() + uniform() / 4294967296) ** 0.7;
    scores[row] = p;
    labels[row] = uniform() < p * p ? 1 : 0;
    classes[row] = Math.floor(uniform() * 4);
    predicted[row] = uniform() < 0.7 ? classes[row] : Math.floor(uniform() * 4);
  }
  writeFileSync(`${prefix}.scores.f64`, scores);
  writeFileSync(`${prefix}.scores.f32`, Float32Array.from(scores));
  writeFileSync(`${prefix}.classes.u8`, classes);
  writeFileSync(`${prefix}.predicted.u8`, predicted);
  writeFileSync(`${prefix}.labels.u8`, labels);
}

function timed(task, engine) {
  const script =
    engine === "calibrant" ? [here("metrics-kernels.mjs")] : ["-B", here("python/metrics.py"), engine];
  const command = engine === "calibrant" ? process.execPath : options.python;
  const { status, stdout, stderr } = spawnSync(command, [...script, task, here(`.data/metrics-${rows}`)], {
    encoding: "utf8",
  });
  if (status === 0) return JSON.parse(stdout);
  process.stderr.write(`${task}, ${engine}: left out (${stderr.trim().split("\n").at(-1)})\n`);
  return null;
}

function summaries(task, runs) {
  const rowsOf = [...runs].filter(([, list]) => list.length > 0);
  const seconds = (list) => median(list.map((run) => run.seconds));
  const ours = seconds(runs.get("calibrant"));
  return rowsOf.map(([engine, list]) => ({
    task,
    engine,
    seconds: seconds(list),
    ratio: engine === "calibrant" ? null : ours / seconds(list),
    aim: TASKS[task].aim[engine === "calibrant" ? "seconds" : engine] ?? null,
    peakMiB: median(list.map((run) => run.peakMiB)),
    answer: list[0].answer,
    note: list[0].note ?? "",
  }));
}

function print(list) {
  process.stdout.write(
    "| task | engine | ms | ours / theirs | aim | peak MiB | answer |\n|---|---|---:|---:|---:|---:|---:|\n",
  );
  for (const { task, engine, seconds, ratio, aim, peakMiB, answer, note } of list) {
    const cells = [
      task,
      `${engine}${note}`,
      (1000 * seconds).toFixed(0),
      ratio === null ? "" : ratio.toFixed(3),
      aim === null ? "" : `${aim}${engine === "calibrant" ? " s" : ""}`,
      peakMiB.toFixed(0),
      Number(answer).toPrecision(10),
    ];
    process.stdout.write(`| ${cells.join(" | ")} |\n`);
  }
}
