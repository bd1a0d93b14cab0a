import { type FloatStorage, TENSOR_TYPE_BYTES } from "../../data/tensors/tensor.ts";
import type { LogProbEngine } from "../../uq/logprobs/create-log-prob-engine.ts";
import type { LogProbBackend, OutputHead, Want } from "../../uq/logprobs/log-prob-backend.ts";
import type { FileFlags } from "./file-options.ts";
import type { FilePlan } from "./file-plan.ts";
import type { OpenTensors } from "./open-tensors.ts";
import { notFloat, readHead } from "./read-head.ts";
import type { NumbersBlock, SequenceJob } from "./score-sequences.ts";
import type { CheckedShapes } from "./sequence-layout.ts";
import type { TensorSeries } from "./tensor-series.ts";

const MIB = 1 << 20;

/** What a {@link sequenceJob} is made of. */
export interface SequenceJobParts {
  readonly options: FileFlags;
  readonly plan: FilePlan;
  readonly tensors: OpenTensors;
  readonly shapes: CheckedShapes;
  /** Computes from logits. */
  readonly engine: LogProbEngine;
  /** Computes from hidden states. */
  readonly worker: LogProbBackend;
  readonly isDone: (sequence: number) => boolean;
}

/**
 * What is to be scored, with the output layer in memory where there is one.
 *
 * @throws CalibrantError `data` for numbers that are integers; as `readHead`.
 */
export async function sequenceJob({
  options,
  plan,
  tensors,
  shapes,
  engine,
  worker,
  isDone,
}: SequenceJobParts): Promise<SequenceJob> {
  const { layout, width } = shapes;
  const { numbers, tokens } = tensors;
  const { storage } = numbers;
  if (storage === null) throw notFloat(`--${plan.source}`, numbers);
  const bytes = (options.chunk ?? 64) * MIB;
  // Two chunks are in memory: one is computed while the next is read.
  const most = Math.floor(bytes / 2 / (width * TENSOR_TYPE_BYTES[storage]));
  const shared = {
    numbers: { ...numbers, storage },
    width,
    tokens,
    layout,
    shift: options.shift ?? false,
    capacity: Math.max(1, Math.min(most, layout.positions)),
    isDone,
  };
  const { temperature = 1 } = options;
  if (plan.source === "logits")
    return { ...shared, ...logitsScorer(engine, storage, width, temperature, plan.want) };
  const { bias } = tensors;
  const head = await readHead(tensors.head as TensorSeries, bias, width);
  return {
    ...shared,
    ...hiddenScorer(worker, storage, { ...head, scale: options.scale ?? 1, temperature }, plan.want),
  };
}

type Scorer = Pick<SequenceJob, "vocab" | "allocate" | "score">;

/** Logits are read straight to where the back end computes. */
function logitsScorer(
  engine: LogProbEngine,
  type: FloatStorage,
  vocab: number,
  temperature: number,
  want: Want,
): Scorer {
  return {
    vocab,
    allocate(rows) {
      const { data, free } = engine.allocLogits(rows, vocab, type);
      return { data, free };
    },
    score: ({ data }: NumbersBlock, targets) =>
      engine.score({ data, type, rows: targets.length, vocab, temperature }, targets, want),
  };
}

function hiddenScorer(worker: LogProbBackend, type: FloatStorage, head: OutputHead, want: Want): Scorer {
  const { width, vocab } = head;
  return {
    vocab,
    allocate(rows) {
      const data = type === "float32" ? new Float32Array(rows * width) : new Uint16Array(rows * width);
      return { data, free: () => undefined };
    },
    score: ({ data }: NumbersBlock, targets) =>
      worker.scoreHidden({ data, type, rows: targets.length, width }, head, targets, want),
  };
}
