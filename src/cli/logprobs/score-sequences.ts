import type { FloatStorage } from "../../data/tensors/tensor.ts";
import { CalibrantError } from "../../errors.ts";
import { SKIPPED_TARGET } from "../../uq/logprobs/check-log-prob-input.ts";
import { type LogProbColumns, ROW_STATUS } from "../../uq/logprobs/log-prob-backend.ts";
import { ahead } from "./ahead.ts";
import type { SequenceLayout } from "./sequence-layout.ts";
import type { TensorSeries } from "./tensor-series.ts";

/** Memory for numbers of some positions: `(rows, width)`. */
export interface NumbersBlock {
  readonly data: Float32Array | Uint16Array;
  readonly free: () => void;
}

/** What is to be scored, and how. */
export interface SequenceJob {
  /** Logits or hidden states of every position. */
  readonly numbers: TensorSeries & { readonly storage: FloatStorage };
  readonly width: number;
  readonly tokens: TensorSeries;
  readonly layout: SequenceLayout;
  readonly vocab: number;
  /** The numbers of a position are those of the next token. */
  readonly shift: boolean;
  /** Positions that are scored at a time. */
  readonly capacity: number;
  readonly allocate: (rows: number) => NumbersBlock;
  readonly score: (block: NumbersBlock, targets: Int32Array) => Promise<LogProbColumns>;
  /** Whether an earlier run has scored a sequence. */
  readonly isDone: (sequence: number) => boolean;
}

/** The scored tokens of a sequence: skipped ones are left out, and what cannot be scored is NaN, or -1 of integers. */
export interface ScoredSequence {
  readonly sequence: number;
  readonly logprob: Float64Array;
  readonly entropy: Float64Array;
  readonly rank: Int32Array;
  readonly argmax: Int32Array;
  /** Tokens with target -100. */
  readonly skipped: number;
  /** Tokens whose logits are not finite. */
  notFinite: number;
}

/** A sequence of which a part is scored. */
interface OpenSequence extends ScoredSequence {
  filled: number;
}

/** Positions that are scored together. */
interface Chunk {
  readonly block: NumbersBlock;
  rows: number;
  readonly positions: Float64Array;
  readonly targets: Int32Array;
  /** How many of the rows, in order, are of which sequence. */
  parts: { readonly of: OpenSequence; rows: number }[];
}

/**
 * Scores sequences, piece by piece: while one piece is computed the next is read, into the memory in which it will be computed. Only
 * positions with a target are read.
 *
 * @throws CalibrantError `data` for a token outside of the vocabulary, naming its place; as the files and the back end.
 */
export async function* scoreSequences(job: SequenceJob): AsyncGenerator<ScoredSequence> {
  const chunks = [createChunk(job), createChunk(job)] as const;
  try {
    for await (const chunk of ahead(filledChunks(job, chunks))) {
      if (chunk.rows > 0)
        takeResults(chunk, await job.score(chunk.block, chunk.targets.subarray(0, chunk.rows)));
      for (const { of } of chunk.parts) if (of.filled === of.logprob.length) yield of;
    }
  } finally {
    for (const { block } of chunks) block.free();
  }
}

function createChunk({ allocate, capacity }: SequenceJob): Chunk {
  return {
    block: allocate(capacity),
    rows: 0,
    positions: new Float64Array(capacity),
    targets: new Int32Array(capacity),
    parts: [],
  };
}

/** A chunk may be used again as soon as the one after the next is asked for. */
async function* filledChunks(job: SequenceJob, chunks: readonly [Chunk, Chunk]): AsyncGenerator<Chunk> {
  const { layout, capacity } = job;
  let turn = 0;
  let chunk = emptied(chunks[0]);
  for (let sequence = 0; sequence < layout.sequences; sequence += 1) {
    if (job.isDone(sequence)) continue;
    const { targets, first, open } = await openSequence(job, sequence);
    chunk.parts.push({ of: open, rows: 0 });
    for (let at = 0; at < targets.length; at += 1) {
      const target = targets[at] as number;
      if (target === SKIPPED_TARGET) continue;
      if (chunk.rows === capacity) {
        yield await filled(job, chunk);
        turn += 1;
        chunk = emptied(chunks[turn % 2] as Chunk);
        chunk.parts.push({ of: open, rows: 0 });
      }
      chunk.positions[chunk.rows] = first + at;
      chunk.targets[chunk.rows] = target;
      chunk.rows += 1;
      (chunk.parts.at(-1) as Chunk["parts"][number]).rows += 1;
    }
  }
  if (chunk.parts.length > 0) yield await filled(job, chunk);
}

function emptied(chunk: Chunk): Chunk {
  chunk.rows = 0;
  chunk.parts = [];
  return chunk;
}

interface Targets {
  /** Of the position `first` and those after it. */
  readonly targets: Int32Array;
  readonly first: number;
  readonly open: OpenSequence;
}

async function openSequence(
  { tokens, layout, vocab, shift }: SequenceJob,
  sequence: number,
): Promise<Targets> {
  const first = layout.start(sequence);
  const ids = new Int32Array(layout.end(sequence) - first);
  await tokens.readIntegers(first, ids);
  const offset = shift ? 1 : 0;
  const targets = ids.subarray(Math.min(offset, ids.length));
  let skipped = 0;
  for (let at = 0; at < targets.length; at += 1) {
    const id = targets[at] as number;
    if (id === SKIPPED_TARGET) skipped += 1;
    else if (id < 0 || id >= vocab)
      throw new CalibrantError(
        "data",
        `${tokens.label}: token ${at + offset} of sequence ${sequence} must be an id below ${vocab}, the vocabulary, or ${SKIPPED_TARGET} to be left out, got ${id}`,
        { sequence, token: at + offset, id, vocab },
      );
  }
  const length = targets.length - skipped;
  const open: OpenSequence = {
    sequence,
    logprob: new Float64Array(length),
    entropy: new Float64Array(length),
    rank: new Int32Array(length),
    argmax: new Int32Array(length),
    skipped,
    notFinite: 0,
    filled: 0,
  };
  return { targets, first, open };
}

/** Reads the numbers of a chunk's positions, those that lie together at once. */
async function filled({ numbers, width }: SequenceJob, chunk: Chunk): Promise<Chunk> {
  const { positions, rows, block } = chunk;
  for (let from = 0; from < rows; ) {
    let to = from + 1;
    while (to < rows && positions[to] === (positions[to - 1] as number) + 1) to += 1;
    const start = (positions[from] as number) * width;
    await numbers.readFloats(start, block.data.subarray(from * width, to * width));
    from = to;
  }
  return chunk;
}

function takeResults(chunk: Chunk, { logprob, status, entropy, rank, argmax }: LogProbColumns): void {
  let row = 0;
  for (const { of, rows } of chunk.parts) {
    for (const end = row + rows; row < end; row += 1) {
      const isScored = status[row] === ROW_STATUS.ok;
      const at = of.filled;
      of.logprob[at] = logprob[row] as number;
      of.entropy[at] = entropy?.[row] ?? Number.NaN;
      of.rank[at] = isScored ? (rank?.[row] ?? -1) : -1;
      of.argmax[at] = isScored ? (argmax?.[row] ?? -1) : -1;
      if (!isScored) of.notFinite += 1;
      of.filled = at + 1;
    }
  }
}
