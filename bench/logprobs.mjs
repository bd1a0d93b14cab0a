// Times log-probs of given tokens: the back ends js, wasm (1 and 2 threads, both SIMD variants) and tfjs, reading the same memory,
// and PyTorch.
//
//   node bench/logprobs.mjs [--python PATH] [--rounds 9] [--shapes 256x32000,64x151936] [--threads 1,2] [--no-slow]
//
// Everything runs in one go: each round times everything once, in turns, on the next of four inputs, and medians over rounds are
// reported. PyTorch runs in a process of its own, told what to compute round by round; it is left out without --python. Errors are
// against float64 on the same logits. Needs `npm run build`; Python needs torch and numpy.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { machine, median } from "./measure.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const dist = (path) => import(new URL(`../dist/${path}`, import.meta.url).href);

const BUFFERS = 4;
/** After a call of PyTorch its threads spin for a while. */
const PAUSE_MS = 5;
const DATA = ".data";
const ALL = { entropy: true, rank: true, argmax: true };
const LOGPROB = "log-prob";
const FLOOR = "memory read";
const EVERYTHING = "log-prob, entropy, rank, argmax";

const { values: options } = parseArgs({
  options: {
    python: { type: "string" },
    rounds: { type: "string", default: "9" },
    shapes: { type: "string", default: "256x32000,64x151936" },
    threads: { type: "string", default: "1,2" },
    "no-slow": { type: "boolean", default: false },
  },
});
const rounds = Number(options.rounds);
const threadCounts = options.threads.split(",").map(Number);

if (!existsSync(here("../dist/cli/main.js"))) throw new Error("dist/ is missing: npm run build");
const { createJsBackend } = await dist("uq/logprobs/js-backend.js");
const { createWasmBackend, wasmSimd } = await dist("uq/logprobs/wasm-backend.js");
const { createTfjsBackend } = await dist("uq/logprobs/tfjs-backend.js");
const { createMemoryFloor } = await dist("cli/doctor/bench/memory-floor.js");
const { madeUpLogits, madeUpTargets } = await dist("cli/doctor/bench/made-up-logits.js");

mkdirSync(here(DATA), { recursive: true });
const skipped = [];
const torch = options.python === undefined ? null : startPython(options.python);
if (torch === null) skipped.push("PyTorch: no Python given (--python PATH)");
const engines = await openEngines();
const shapes = [];
for (const shape of options.shapes.split(",")) shapes.push(await timeShape(shape));
for (const { dispose } of engines) await dispose();
torch?.close();
report();

/** Our back ends, which stay open over all shapes. */
async function openEngines() {
  const opened = [await engine("js", 1, "float64", createJsBackend)];
  for (const simd of ["relaxed", "baseline"]) {
    if (simd === "relaxed" && wasmSimd() !== "relaxed") {
      skipped.push(`wasm, relaxed SIMD: not in Node ${process.version}`);
      continue;
    }
    for (const threads of threadCounts)
      opened.push(await engine("wasm", threads, simd, () => createWasmBackend({ threads, simd })));
  }
  return opened;
}

async function engine(name, threads, variant, open) {
  const before = process.memoryUsage.rss();
  const backend = await open();
  return {
    name,
    threads,
    variant,
    backend,
    openedMiB: (process.memoryUsage.rss() - before) / 2 ** 20,
    dispose: () => backend.dispose(),
  };
}

/** Everything at one shape. */
async function timeShape(shape) {
  const [rows, vocab] = shape.split("x").map(Number);
  process.stderr.write(`${shape}: making logits\n`);
  const targets = madeUpTargets(rows, vocab);
  const seeds = Array.from({ length: BUFFERS }, (_, i) => i + 1);
  const inputs = {
    float32: seeds.map((seed) => madeUpLogits(rows * vocab, "float32", seed)),
    bfloat16: seeds.map((seed) => madeUpLogits(rows * vocab, "bfloat16", seed)),
  };
  const versions = await giveToPython(shape, rows, vocab, inputs.float32, targets);
  const reference = {
    float32: exact(inputs.float32[0], rows, vocab, targets),
    bfloat16: exact(widened(inputs.bfloat16[0]), rows, vocab, targets),
  };
  const { tasks, free } = await tasksOf(rows, vocab, inputs, targets);
  // Round 0 warms up, and its answers are compared.
  for (let round = 0; round <= rounds; round += 1) {
    for (const task of tasks) {
      if (task.rounds !== undefined && round > task.rounds) continue;
      const { seconds, values } = await task.run(round % BUFFERS, round === 0);
      if (round > 0) task.seconds.push(seconds);
      else if (values !== undefined) task.errors = errorsOf(values, reference[task.type]);
      if (task.pause) await pause(PAUSE_MS);
    }
    process.stderr.write(`${shape}: round ${round} of ${rounds}\n`);
  }
  const resident = process.memoryUsage.rss() / 2 ** 20;
  const inputMiB = (BUFFERS * rows * vocab * 6) / 2 ** 20;
  await free();
  return { shape, rows, vocab, inputMiB, resident, versions, results: tasks.map(resultOf(rows, vocab)) };
}

function resultOf(rows, vocab) {
  return ({ name, threads, variant, type, want, seconds, errors }) => {
    const bytes = rows * vocab * (type === "float32" ? 4 : 2);
    const middle = median(seconds);
    return {
      name,
      threads,
      variant,
      type,
      want,
      seconds: middle,
      leastSeconds: Math.min(...seconds),
      rounds: seconds.length,
      gigabytesPerSecond: bytes / middle / 1e9,
      errors: errors ?? null,
    };
  };
}

/** What is timed at a shape; `free` gives back what was taken for it. */
async function tasksOf(rows, vocab, inputs, targets) {
  const frees = [];
  const tasks = [];
  for (const [type, buffers] of Object.entries(inputs)) {
    const floor = await createMemoryFloor(buffers[0].byteLength, BUFFERS, Math.max(...threadCounts));
    frees.push(() => floor.dispose());
    for (const threads of threadCounts) tasks.push(floorTask(floor, threads, type));
    for (const { name, threads, variant, backend } of engines) {
      const blocks = buffers.map((data) => own(backend, data, type, rows, vocab));
      frees.push(() => {
        for (const block of blocks) block.free?.();
      });
      const task = (want, more) =>
        backendTask({ name, threads, variant, type, want }, backend, more ?? blocks, targets);
      tasks.push(task(LOGPROB), task(EVERYTHING));
      if (name !== "wasm") continue;
      const copied = buffers.map((data) => ({ data, type, rows, vocab }));
      tasks.push({ ...task(LOGPROB, copied), variant: `${variant}, copied in` });
    }
  }
  if (!options["no-slow"] && rows === 256) tasks.push(await tfjsTask(rows, vocab, inputs, targets, frees));
  if (torch !== null) tasks.push(...threadCounts.flatMap(torchTasks));
  return {
    tasks,
    free: async () => {
      for (const free of frees) await free();
    },
  };
}

/** Logits where the back end computes: in the kernel's memory, else as they are. */
function own(backend, data, type, rows, vocab) {
  if (backend.allocLogits === undefined) return { data, type, rows, vocab };
  const block = backend.allocLogits(rows, vocab, type);
  block.data.set(data);
  return block;
}

function backendTask(names, backend, blocks, targets) {
  const want = names.want === EVERYTHING ? ALL : {};
  return {
    ...names,
    seconds: [],
    async run(buffer, isFirst) {
      const { free: _free, ...block } = blocks[buffer];
      const started = performance.now();
      const values = await backend.score(block, targets, want);
      const seconds = (performance.now() - started) / 1000;
      return isFirst ? { seconds, values } : { seconds };
    },
  };
}

function floorTask(floor, threads, type) {
  return {
    name: FLOOR,
    threads,
    variant: floor.how,
    type,
    want: null,
    seconds: [],
    async run(buffer) {
      const started = performance.now();
      floor.read(buffer, threads);
      return { seconds: (performance.now() - started) / 1000 };
    },
  };
}

/** TensorFlow.js on its own JavaScript back end: so slow that it runs twice only. */
async function tfjsTask(rows, vocab, inputs, targets, frees) {
  const tf = await import("@tensorflow/tfjs-core");
  await import("@tensorflow/tfjs-backend-cpu");
  await tf.setBackend("cpu");
  const backend = await createTfjsBackend({ tf });
  frees.push(() => backend.dispose());
  const names = { name: "tfjs", threads: 1, variant: "tfjs-backend-cpu", type: "float32", want: LOGPROB };
  const blocks = inputs.float32.map((data) => ({ data, type: "float32", rows, vocab }));
  return { ...backendTask(names, backend, blocks, targets), rounds: 1 };
}

function torchTasks(threads) {
  const task = (call, type, want) => ({
    name: "torch",
    threads,
    variant: call,
    type,
    want,
    seconds: [],
    pause: true,
    run: (buffer, values) => torch.ask({ run: `${call} ${type}`, threads, buffer, values }),
  });
  return [
    task("cross_entropy", "float32", LOGPROB),
    task("log_softmax, gather", "float32", LOGPROB),
    task("cross_entropy of .float()", "bfloat16", LOGPROB),
    task(EVERYTHING, "float32", EVERYTHING),
    task(EVERYTHING, "bfloat16", EVERYTHING),
  ];
}

/** A Python process that answers line by line. */
function startPython(command) {
  const child = spawn(command, ["-B", here("python/logprobs.py"), here(DATA)], {
    stdio: ["pipe", "pipe", "inherit"],
    // Else glibc gives the memory of every result back to the system, which makes some of PyTorch's calls several times slower.
    env: { ...process.env, MALLOC_MMAP_MAX_: "0", MALLOC_TRIM_THRESHOLD_: "4294967296" },
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let peakMiB = 0;
  const failed = new Promise((_, reject) => {
    child.on("error", reject);
    child.on("close", (status) => reject(new Error(`${command} ended with status ${status}`)));
  });
  failed.catch(() => undefined);
  return {
    async ask(order) {
      child.stdin.write(`${JSON.stringify(order)}\n`);
      const { value } = await Promise.race([answers.next(), failed]);
      if (value === undefined) return failed;
      const answer = JSON.parse(value);
      peakMiB = answer.peakMiB;
      return answer;
    },
    close: () => child.stdin.end(),
    peakMiB: () => peakMiB,
  };
}

/** Writes the float32 inputs where Python reads them; its versions, or null without it. */
async function giveToPython(shape, rows, vocab, buffers, targets) {
  if (torch === null) return null;
  const names = buffers.map((data, i) => {
    const name = `logprobs-${shape}-${i}.f32`;
    writeFileSync(here(`${DATA}/${name}`), data);
    return name;
  });
  const { peakMiB: _peak, ...versions } = await torch.ask({
    open: { rows, vocab, buffers: names, targets: Array.from(targets) },
  });
  return versions;
}

function widened(halves) {
  const words = new Uint32Array(halves.length);
  for (let i = 0; i < halves.length; i += 1) words[i] = halves[i] << 16;
  return new Float32Array(words.buffer);
}

/** Log-prob, entropy, rank and argmax in float64. */
function exact(logits, rows, vocab, targets) {
  const found = { logprob: [], entropy: [], rank: [], argmax: [] };
  for (let row = 0; row < rows; row += 1) {
    const x = logits.subarray(row * vocab, (row + 1) * vocab);
    const own = x[targets[row]];
    let argmax = 0;
    let rank = 1;
    for (let i = 0; i < vocab; i += 1) {
      if (x[i] > x[argmax]) argmax = i;
      if (x[i] > own) rank += 1;
    }
    let sum = 0;
    let weighted = 0;
    for (let i = 0; i < vocab; i += 1) {
      const d = x[i] - x[argmax];
      const e = Math.exp(d);
      sum += e;
      weighted += e * d;
    }
    found.logprob.push(own - x[argmax] - Math.log(sum));
    found.entropy.push(Math.log(sum) - weighted / sum);
    found.rank.push(rank);
    found.argmax.push(argmax);
  }
  return found;
}

function errorsOf(values, reference) {
  const greatest = (name) =>
    values[name] === undefined
      ? null
      : reference[name].reduce((most, right, row) => Math.max(most, Math.abs(values[name][row] - right)), 0);
  const others = (name) =>
    values[name] === undefined
      ? null
      : reference[name].filter((right, row) => values[name][row] !== right).length;
  return {
    logprob: greatest("logprob"),
    entropy: greatest("entropy"),
    rank: others("rank"),
    argmax: others("argmax"),
  };
}

/** What was to be reached, and what was: one line a shape, threads and aim. */
function aimsOf({ shape, results }) {
  const time = (name, threads, type, want, variant) =>
    results.find(
      (result) =>
        result.name === name &&
        result.threads === threads &&
        result.type === type &&
        result.want === want &&
        (variant === undefined || result.variant === variant),
    )?.seconds;
  const aims = [
    ["float32 log-prob", "float32", LOGPROB, "torch", LOGPROB, "cross_entropy", 1.8],
    ["float32 all", "float32", EVERYTHING, "torch", EVERYTHING, EVERYTHING, 5],
    ["bfloat16 log-prob", "bfloat16", LOGPROB, "torch", LOGPROB, "cross_entropy of .float()", 2],
    ["float32 log-prob", "float32", LOGPROB, FLOOR, null, undefined, 1 / 3],
  ];
  return threadCounts.flatMap((threads) =>
    aims.map(([what, type, want, peer, peerWant, call, aim]) => {
      // What createWasmBackend takes by itself.
      const ours = time("wasm", threads, type, want, wasmSimd());
      const theirs = time(peer, threads, type, peerWant, call);
      const ratio = ours === undefined || theirs === undefined ? null : theirs / ours;
      const against = call === undefined ? peer : `${peer} ${call}`;
      return { shape, threads, what, against, ratio, aim, met: ratio === null ? null : ratio >= aim };
    }),
  );
}

function report() {
  const aims = shapes.flatMap(aimsOf);
  for (const shape of shapes) printShape(shape);
  printAims(aims);
  for (const line of skipped) process.stdout.write(`left out: ${line}\n`);
  const opened = engines.map(({ name, threads, variant, openedMiB }) => ({
    name,
    threads,
    variant,
    openedMiB,
  }));
  const peak = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(`\nresident memory, MiB: Node's peak ${peak.toFixed(0)}`);
  process.stdout.write(torch === null ? "\n" : `, Python's peak ${torch.peakMiB().toFixed(0)}\n`);
  for (const { shape, resident, inputMiB } of shapes)
    process.stdout.write(
      `  ${shape}: ${resident.toFixed(0)} after the last round; one set of the inputs is ${inputMiB.toFixed(0)}, and each wasm engine, js and the reading hold one\n`,
    );
  for (const { name, threads, variant, openedMiB } of opened)
    process.stdout.write(`  opening ${name}, ${threads} threads, ${variant}: ${openedMiB.toFixed(1)}\n`);
  mkdirSync(here("results"), { recursive: true });
  const memory = { nodePeakMiB: peak, pythonPeakMiB: torch?.peakMiB() ?? null, opened };
  const record = { machine: machine(), rounds, skipped, shapes, aims, memory };
  writeFileSync(here("results/logprobs.json"), `${JSON.stringify(record, null, 2)}\n`);
}

function printShape({ shape, results }) {
  const peer = (result, name, variant) =>
    results.find(
      (other) =>
        other.name === name &&
        other.threads === result.threads &&
        other.type === result.type &&
        (variant === undefined || (other.want === result.want && other.variant === variant)),
    );
  const ratio = (over, under) =>
    over === undefined || under === undefined ? "" : (over.seconds / under.seconds).toFixed(2);
  const call = ({ type, want }) =>
    want === EVERYTHING ? EVERYTHING : type === "float32" ? "cross_entropy" : "cross_entropy of .float()";
  process.stdout.write(`\n${shape}\n\n`);
  process.stdout.write(
    "| engine | threads | logits | computed | ms | least | GB/s | it / memory read | torch / it | error log-prob | entropy | other rank, argmax |\n",
  );
  process.stdout.write("|---|---:|---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  for (const result of results) {
    const { name, threads, variant, type, want, seconds, leastSeconds, gigabytesPerSecond, errors } = result;
    const cells = [
      variant === want ? name : `${name}, ${variant}`,
      threads,
      type,
      want ?? "",
      (seconds * 1000).toFixed(2),
      (leastSeconds * 1000).toFixed(2),
      gigabytesPerSecond.toFixed(2),
      ratio(result, peer(result, FLOOR)),
      want === null ? "" : ratio(peer(result, "torch", call(result)), result),
      errors === null ? "" : errors.logprob.toExponential(1),
      errors === null || errors.entropy === null ? "" : errors.entropy.toExponential(1),
      errors === null || errors.rank === null ? "" : `${errors.rank}, ${errors.argmax}`,
    ];
    process.stdout.write(`| ${cells.join(" | ")} |\n`);
  }
}

function printAims(aims) {
  const shown = (ratio, against) =>
    against === FLOOR ? `${(1 / ratio).toFixed(2)}x its time` : `${ratio.toFixed(2)}x as fast`;
  process.stdout.write(
    "\n| shape | threads | wasm computes | against | found | aim | |\n|---|---:|---|---|---:|---:|---|\n",
  );
  for (const { shape, threads, what, against, ratio, aim, met } of aims) {
    const cells = [
      shape,
      threads,
      what,
      against,
      ratio === null ? "–" : shown(ratio, against),
      against === FLOOR ? `≤ ${1 / aim}x its time` : `≥ ${aim}x as fast`,
      met === null ? "not run" : met ? "met" : "missed",
    ];
    process.stdout.write(`| ${cells.join(" | ")} |\n`);
  }
  process.stdout.write("\n");
}
