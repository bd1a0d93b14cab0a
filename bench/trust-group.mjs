// Times trustGroup, one call a group, beside scoreTrust on the same rollouts and a plain numpy program.
//
//   node bench/trust-group.mjs [--python PATH] [--group 16] [--tokens 200] [--rounds 7] [--no-python]
//
// Every (kind of group, engine) is a process of its own, which warms up and times 200 chunks of 20 calls. Rounds are
// interleaved. Reported are the median over rounds of the median chunk, and the fastest chunk of all, which other work on
// the machine slows down least; ratios are of both.
// Needs `npm run build`.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { machine, median } from "./measure.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values: options } = parseArgs({
  options: {
    python: { type: "string", default: "python3" },
    group: { type: "string", default: "16" },
    tokens: { type: "string", default: "200" },
    rounds: { type: "string", default: "7" },
    "no-python": { type: "boolean", default: false },
  },
});
const { group: size, tokens, rounds } = options;

/** What is timed, and who is asked besides: `rows` is the library's own entry over many groups. */
const TASKS = {
  "given, Float32Array": ["rows", "numpy"],
  "given, Float64Array": ["rows", "numpy"],
  "given, plain array": ["rows", "numpy"],
  "from text, Float32Array": ["rows"],
  "released, Float32Array": ["rows"],
};
/** Tokens of the long responses. */
const MANY = "100000";

mkdirSync(here(".data"), { recursive: true });
const numbersFile = here(".data/trust-group.json");
writeFileSync(numbersFile, run(process.execPath, kernel("numbers", "", tokens)));

const results = Object.entries(TASKS).map(([task, peers]) => {
  const engines = ["trustGroup", ...peers.filter((peer) => peer !== "numpy" || !options["no-python"])];
  return { task, runs: Object.fromEntries(engines.map((engine) => [engine, []])) };
});
for (let round = 0; round < Number(rounds); round += 1) {
  for (const { task, runs } of results) {
    for (const engine of Object.keys(runs)) runs[engine].push(timed(task, engine));
  }
}
results.forEach(checkAnswers);
const long = Object.fromEntries(
  ["from text, Float32Array", "released, Float32Array"].map((task) => {
    const { microseconds } = JSON.parse(run(process.execPath, kernel(task, "long", MANY)));
    return [task, (microseconds * 1000) / (Number(MANY) * Number(size))];
  }),
);
report();

function kernel(task, engine, length) {
  return [here("trust-group-kernel.mjs"), task, engine, size, length];
}

function timed(task, engine) {
  if (engine !== "numpy") return JSON.parse(run(process.execPath, kernel(task, engine, tokens)));
  return JSON.parse(run(options.python, ["-B", here("python/trust_group.py"), numbersFile]));
}

function run(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 1e9 });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr.trim().split("\n").at(-1)}`);
  return stdout;
}

/** A time of other numbers would say nothing. */
function checkAnswers({ task, runs }) {
  const [own] = runs.trustGroup;
  for (const [engine, [first]] of Object.entries(runs)) {
    const differs = first.reward.some((value, i) => Math.abs(value - own.reward[i]) > 1e-9);
    if (differs) throw new Error(`${task}: ${engine} and trustGroup differ`);
  }
}

function report() {
  const rows = results.map(({ task, runs }) => {
    const times = Object.entries(runs).map(([engine, list]) => [
      engine,
      {
        median: median(list.map(({ microseconds }) => microseconds)),
        fastest: Math.min(...list.map(({ fastest }) => fastest)),
      },
    ]);
    return { task, ...Object.fromEntries(times) };
  });
  process.stdout.write(`${size} rollouts of ${tokens} log-probs; µs a call: median (fastest)\n\n`);
  process.stdout.write(
    "| decision, log-probs | trustGroup | scoreTrust | ours / theirs | numpy | ours / theirs |\n",
  );
  process.stdout.write("|---|---:|---:|---:|---:|---:|\n");
  const shown = (time) => (time ? `${time.median.toFixed(0)} (${time.fastest.toFixed(0)})` : "–");
  const ratio = (ours, theirs) => {
    if (!theirs) return "–";
    return `${(ours.median / theirs.median).toFixed(2)} (${(ours.fastest / theirs.fastest).toFixed(2)})`;
  };
  for (const { task, trustGroup: ours, rows: peer, numpy } of rows) {
    const cells = [task, shown(ours), shown(peer), ratio(ours, peer), shown(numpy), ratio(ours, numpy)];
    process.stdout.write(`| ${cells.join(" | ")} |\n`);
  }
  process.stdout.write("\n");
  for (const [task, nanoseconds] of Object.entries(long))
    process.stdout.write(`${task}, ${MANY} tokens a response: ${nanoseconds.toFixed(1)} ns a token\n`);
  mkdirSync(here("results"), { recursive: true });
  const found = {
    machine: machine(),
    group: Number(size),
    tokens: Number(tokens),
    rows,
    nanosecondsPerToken: long,
  };
  writeFileSync(here("results/trust-group.json"), `${JSON.stringify(found, null, 2)}\n`);
}
