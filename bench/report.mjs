// Times `calibrant report` as a whole process over a large scored file: three checkpoints, prompts of eight rollouts.
//
//   node bench/report.mjs [--rows 10000000] [--format arrow] [--python PATH] [--rounds 1]
//
// The file (ppl, correct, reward, margin, certainty as float64 or bool, group_id and checkpoint as text) is made once in
// bench/.data; `--format parquet` needs Python with pyarrow to make it. Needs `npm run build`.
import { execFileSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Field, Float64, makeData, RecordBatch, Schema, Struct, Uint8, Utf8 } from "apache-arrow";
import { createArrowWriter } from "../dist/data/index.js";
import { measure, median } from "./measure.mjs";

const BATCH_ROWS = 65_536;
const CHECKPOINTS = [
  { name: "base", accuracy: 0.58, d: 1.3256 },
  { name: "grpo", accuracy: 0.72, d: 0.446 },
  { name: "trust", accuracy: 0.81, d: 1.2913 },
];
const NUMBERS = ["ppl", "reward", "margin", "certainty"];
const SCHEMA = new Schema([
  ...NUMBERS.map((name) => new Field(name, new Float64(), true)),
  new Field("correct", new Uint8(), true),
  new Field("group_id", new Utf8(), true),
  new Field("checkpoint", new Utf8(), true),
]);

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values: options } = parseArgs({
  options: {
    rows: { type: "string", default: "10000000" },
    format: { type: "string", default: "arrow" },
    python: { type: "string", default: "python3" },
    rounds: { type: "string", default: "1" },
  },
});
const rows = Number(options.rows);
const path = await dataFile(options.format);
const output = here(".data/report.html");
const args = [
  here("../dist/cli/main.js"),
  ...["report", path, "--by", "checkpoint", "--compare", "baseline=base", "-o", output, "--quiet"],
];
const runs = [];
for (let round = 0; round < Number(options.rounds); round += 1)
  runs.push(await measure(process.execPath, args));
const seconds = median(runs.map((run) => run.seconds));
const peakMiB = median(runs.map((run) => run.peakMiB));
process.stdout.write(
  `${rows.toLocaleString("en-US")} rows of ${options.format}: ${seconds.toFixed(1)} s, ${peakMiB.toFixed(0)} MiB, page of ${(statSync(output).size / 1e6).toFixed(2)} MB\n`,
);

async function dataFile(format) {
  const file = here(`.data/scored-rows-${rows}.${format}`);
  if (existsSync(file)) return file;
  mkdirSync(here(".data"), { recursive: true });
  if (format === "parquet") {
    execFileSync(options.python, ["-B", here("python/to_parquet.py"), await dataFile("arrow"), file]);
    return file;
  }
  process.stderr.write(`making ${rows} rows\n`);
  const handle = openSync(`${file}.partial`, "w");
  const sink = {
    position: 0,
    async write(bytes) {
      for (let done = 0; done < bytes.length; ) done += writeSync(handle, bytes, done);
      sink.position += bytes.length;
    },
  };
  const writer = createArrowWriter(sink, SCHEMA, "file");
  const uniform = uniforms(1);
  for (let start = 0; start < rows; start += BATCH_ROWS) {
    await writer.write(recordBatch(start, Math.min(BATCH_ROWS, rows - start), uniform));
  }
  await writer.close();
  closeSync(handle);
  renameSync(`${file}.partial`, file);
  return file;
}

function recordBatch(start, count, uniform) {
  const columns = Object.fromEntries(NUMBERS.map((name) => [name, new Float64Array(count)]));
  const correct = new Uint8Array(count);
  const groups = [];
  const checkpoints = [];
  for (let i = 0; i < count; i += 1) {
    const group = Math.floor((start + i) / 24);
    const { name, accuracy, d } = CHECKPOINTS[Math.floor((start + i) / 8) % 3];
    correct[i] = uniform() < accuracy ? 1 : 0;
    const z = Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
    columns.ppl[i] = Math.exp(Math.max(0, 1.2 + 0.25 * (z + (correct[i] ? 0 : d))));
    columns.margin[i] = 0.25 * d * (0.5 + uniform());
    columns.certainty[i] = 1 / (1 + Math.exp(-columns.margin[i] / 0.1));
    columns.reward[i] = correct[i] ? 1 + 3 * columns.certainty[i] : 1;
    groups.push(`prompt-${group}`);
    checkpoints.push(name);
  }
  const children = [
    ...NUMBERS.map((name) => makeData({ type: new Float64(), data: columns[name], length: count })),
    makeData({ type: new Uint8(), data: correct, length: count }),
    text(groups),
    text(checkpoints),
  ];
  return new RecordBatch(
    SCHEMA,
    makeData({ type: new Struct(SCHEMA.fields), length: count, nullCount: 0, children }),
  );
}

function text(words) {
  const valueOffsets = new Int32Array(words.length + 1);
  words.forEach((word, i) => {
    valueOffsets[i + 1] = valueOffsets[i] + word.length;
  });
  return makeData({
    type: new Utf8(),
    length: words.length,
    valueOffsets,
    data: Buffer.from(words.join("")),
  });
}

function uniforms(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
