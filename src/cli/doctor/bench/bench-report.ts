/** What is asked for: the log-prob alone, or with entropy, rank and argmax. */
export type BenchWant = "logprob" | "all";

/** How logits are stored. */
export type BenchType = "float32" | "bfloat16";

/** What `--bench` found. Times are wall time of one call, in seconds. */
export interface BenchReport {
  readonly rows: number;
  readonly vocab: number;
  /** Timed rounds; each times everything once, in turns. */
  readonly rounds: number;
  /** What reads memory for the floor: a WebAssembly loop with SIMD, else a loop over a typed array. */
  readonly floor: "wasm" | "typed-array";
  readonly results: readonly BenchResult[];
  /** What could not be timed. */
  readonly failures: readonly { readonly engine: string; readonly reason: string }[];
}

export interface BenchResult {
  /** `memory read`, or the name of a back end. */
  readonly engine: string;
  /** 0 = the back end's own. */
  readonly threads: number;
  readonly device: "cpu" | "gpu";
  readonly detail: string;
  readonly type: BenchType;
  /** Null for the floor, which only adds all bytes up. */
  readonly want: BenchWant | null;
  /** Median and least over the rounds. */
  readonly seconds: number;
  readonly leastSeconds: number;
  /** Bytes of logits a second. */
  readonly bytesPerSecond: number;
  /** Over the floor with as many threads (with most threads, for back ends that have their own). */
  readonly timesFloor: number | null;
}
