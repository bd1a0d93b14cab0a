/** How logits are stored; 16-bit numbers as their bit patterns. */
export type LogitType = "float32" | "float16" | "bfloat16";

/** Numbers that lie in the memory of a CUDA device, where `CudaBackend.upload` or the caller's own code put them. */
export interface DeviceArray {
  /** The address on the device. */
  readonly pointer: bigint;
  /** Numbers from there on. */
  readonly length: number;
}

/** Logits of some positions, row after row: `(rows, vocab)`. */
export interface LogitsBlock {
  readonly data: Float32Array | Uint16Array | DeviceArray;
  /** Default float32 for a `Float32Array`; must be given for anything else. */
  readonly type?: LogitType;
  readonly rows: number;
  readonly vocab: number;
  /** Numbers from the start of a row to that of the next. Default `vocab`. */
  readonly rowStride?: number;
  /** Where in `data` the first row starts. Default 0. */
  readonly offset?: number;
  /** Logits are divided by it. Default 1. */
  readonly temperature?: number;
}

/** Hidden states of some positions, row after row: `(rows, width)`. */
export interface HiddenBlock {
  readonly data: Float32Array | Uint16Array | DeviceArray;
  /** As in {@link LogitsBlock}. */
  readonly type?: LogitType;
  readonly rows: number;
  /** The model's hidden size d. */
  readonly width: number;
  /** As in {@link LogitsBlock}; default `width`. */
  readonly rowStride?: number;
  readonly offset?: number;
}

/** The output layer of a model: logit = scale · (hidden · weightsᵀ + bias) / temperature. */
export interface OutputHead {
  /** `(vocab, width)`, row after row, as PyTorch keeps `lm_head.weight`. */
  readonly weights: Float32Array | Uint16Array | DeviceArray;
  /** As in {@link LogitsBlock}. */
  readonly type?: LogitType;
  readonly vocab: number;
  readonly width: number;
  /** `(vocab)`; default none. */
  readonly bias?: Float32Array;
  /** The model's final scaling of the logits. Default 1. */
  readonly scale?: number;
  /** As in {@link LogitsBlock}. */
  readonly temperature?: number;
}

/** What is wanted beside the log-prob of the target. */
export interface Want {
  /** Entropy of the distribution, in nats. */
  readonly entropy?: boolean;
  /** Rank of the target among all tokens, 1 = the most probable. */
  readonly rank?: boolean;
  /** The most probable token. */
  readonly argmax?: boolean;
  /** So many of the most probable tokens with their log-probs, and the probability that they cover. Default 0. */
  readonly topK?: number;
}

/** What became of a row; a number in {@link LogProbColumns.status}. */
export const ROW_STATUS = { ok: 0, skipped: 1, notFinite: 2 } as const;

/** Numbers by row, `(rows)` each unless it says otherwise. What was not wanted is absent. */
export interface LogProbColumns {
  /**
   * Log-prob of the target in nats; −Infinity for a masked target. NaN for a row that was skipped, or whose logits are no
   * distribution.
   */
  readonly logprob: Float64Array;
  /**
   * One of {@link ROW_STATUS}. `skipped`: the target is −100, the padding convention. `notFinite`: a logit is NaN or +Infinity, or all
   * are −Infinity. Every other column of such rows is NaN, 0 (rank) or −1 (ids).
   */
  readonly status: Uint8Array;
  /** In nats. */
  readonly entropy?: Float64Array;
  /** 1 + the number of logits that are greater than the target's. */
  readonly rank?: Int32Array;
  /** The smallest id among those with the greatest logit. */
  readonly argmax?: Int32Array;
  /** `(rows, k)`: ids from the most probable on, equal logits by their ids; −1 where no tokens are left that are not masked. */
  readonly topIds?: Int32Array;
  /** `(rows, k)`: their log-probs; NaN beside −1. */
  readonly topLogprobs?: Float64Array;
  /** The probability of those tokens together. */
  readonly coveredMass?: Float64Array;
  readonly counts: { readonly scored: number; readonly skipped: number; readonly notFinite: number };
}

/** What a back end can tell about itself. */
export interface BackendInfo {
  /** Threads that compute; 0 = the device's own. */
  readonly threads: number;
  /** What computes: `relaxed SIMD`, `TensorFlow 2.9.1, GPU`, `NVIDIA H200, driver 13.0`. */
  readonly detail: string;
  /** The greatest error of a log-prob that the tests allow, in nats, against float64 on the same logits. */
  readonly tolerance: number;
}

/** Something that computes log-probs. All give the same numbers within {@link BackendInfo.tolerance}. */
export interface LogProbBackend {
  readonly name: "wasm" | "js" | "tfjs" | "cuda";
  readonly device: "cpu" | "gpu";
  readonly info: BackendInfo;
  /**
   * Log-probs of target tokens from logits.
   *
   * @param targets - `(rows)` token ids; −100 skips a row.
   * @param signal - stops the work between two pieces of it.
   * @throws CalibrantError `option` for a block that cannot be, `length-mismatch` for targets of another number, `data` for a target
   *   outside of the vocabulary, with row, id and vocabulary; the signal's reason.
   */
  score(logits: LogitsBlock, targets: Int32Array, want?: Want, signal?: AbortSignal): Promise<LogProbColumns>;
  /** The same from hidden states and the output layer. @throws as `score`. */
  scoreHidden(
    hidden: HiddenBlock,
    head: OutputHead,
    targets: Int32Array,
    want?: Want,
    signal?: AbortSignal,
  ): Promise<LogProbColumns>;
  /** Finds out whether `scoreHidden` works here, where it needs more than `score` does. @throws what `scoreHidden` would. */
  checkHidden?(): Promise<void>;
  /** Frees what it holds. A second call does nothing; any other call afterwards throws `option`. */
  dispose(): Promise<void>;
}
