// Writes made-up rollouts: node bench/generate.mjs --rows 1000000 --out FILE.arrow|FILE.jsonl [--seed 1]
import { closeSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Field, Float32, Int64, List, makeData, RecordBatch, Schema, Struct, Utf8 } from "apache-arrow";
import { createArrowWriter } from "../dist/data/index.js";
import { GROUP_SIZE, rolloutRows } from "./rollouts.mjs";

const BATCH_ROWS = 16_384;

const SCHEMA = new Schema([
  new Field("rollout_id", new Int64(), true),
  new Field("group_id", new Utf8(), true),
  new Field("response", new Utf8(), true),
  new Field("gt_action", new Utf8(), true),
  new Field("gt_answer", new Utf8(), true),
  new Field("logprobs", new List(new Field("item", new Float32(), true)), true),
]);

/** Writes `rows` rollouts to `path`, in the format of its ending; the file appears when it is complete. */
export async function generateRollouts(path, rows, seed) {
  mkdirSync(dirname(path), { recursive: true });
  const partial = `${path}.partial`;
  const file = openSync(partial, "w");
  try {
    if (path.endsWith(".jsonl")) writeJsonl(file, rows, seed);
    else await writeArrow(file, rows, seed);
  } finally {
    closeSync(file);
  }
  renameSync(partial, path);
}

/** Batches of rows: arrays of at most BATCH_ROWS rollouts. */
function* rowBatches(rows, seed) {
  for (let start = 0; start < rows; start += BATCH_ROWS) {
    const count = Math.min(BATCH_ROWS, rows - start);
    const groups = Math.ceil(count / GROUP_SIZE);
    yield Array.from(rolloutRows(seed, start / GROUP_SIZE, groups)).slice(0, count);
  }
}

function writeJsonl(file, rows, seed) {
  for (const batch of rowBatches(rows, seed)) {
    const lines = batch.map((row) => {
      const { rolloutId, groupId, response, gtAction, gtAnswer, logprobs } = row;
      const texts = { group_id: groupId, response, gt_action: gtAction, gt_answer: gtAnswer };
      const rest = JSON.stringify({ ...texts, logprobs: Array.from(logprobs) }).slice(1);
      return `{"rollout_id":${rolloutId},${rest}\n`;
    });
    for (let at = 0; at < lines.length; at += 4096) writeSync(file, lines.slice(at, at + 4096).join(""));
  }
}

async function writeArrow(file, rows, seed) {
  const sink = {
    position: 0,
    async write(bytes) {
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
      this.position += bytes.length;
    },
  };
  const writer = createArrowWriter(sink, SCHEMA, "file");
  for (const batch of rowBatches(rows, seed)) await writer.write(recordBatch(batch));
  await writer.close();
}

function recordBatch(rows) {
  const length = rows.length;
  const children = [
    makeData({
      type: new Int64(),
      length,
      nullCount: 0,
      data: BigInt64Array.from(rows, (row) => row.rolloutId),
    }),
    textData(rows.map((row) => row.groupId)),
    textData(rows.map((row) => row.response)),
    textData(rows.map((row) => row.gtAction)),
    textData(rows.map((row) => row.gtAnswer)),
    listData(rows.map((row) => row.logprobs)),
  ];
  const data = makeData({ type: new Struct(SCHEMA.fields), length, nullCount: 0, children });
  return new RecordBatch(SCHEMA, data);
}

function textData(texts) {
  const offsets = offsetsOf(texts);
  const bytes = Buffer.alloc(offsets[texts.length]);
  for (const [index, text] of texts.entries()) bytes.latin1Write(text, offsets[index]);
  const data = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  return makeData({ type: new Utf8(), length: texts.length, nullCount: 0, valueOffsets: offsets, data });
}

function listData(lists) {
  const offsets = offsetsOf(lists);
  const values = new Float32Array(offsets[lists.length]);
  for (const [index, list] of lists.entries()) values.set(list, offsets[index]);
  const child = makeData({ type: new Float32(), length: values.length, nullCount: 0, data: values });
  return makeData({
    type: SCHEMA.fields[5].type,
    length: lists.length,
    nullCount: 0,
    valueOffsets: offsets,
    child,
  });
}

function offsetsOf(items) {
  const offsets = new Int32Array(items.length + 1);
  for (const [index, item] of items.entries()) offsets[index + 1] = offsets[index] + item.length;
  return offsets;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { values } = parseArgs({
    options: { rows: { type: "string" }, out: { type: "string" }, seed: { type: "string" } },
  });
  if (values.out === undefined)
    throw new Error("usage: node bench/generate.mjs --rows N --out FILE.arrow|FILE.jsonl");
  await generateRollouts(values.out, Number(values.rows ?? 1_000_000), Number(values.seed ?? 1));
}
