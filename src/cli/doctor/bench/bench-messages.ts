import type { BenchType, BenchWant } from "./bench-report.ts";

/** `cuda` begins with logits in the host's memory, `cuda-resident` with logits on the GPU. */
export type BenchEngineName = "floor" | "js" | "wasm" | "tfjs" | "cuda" | "cuda-resident";

/** A back end, or the memory floor, with its threads. */
export interface BenchEngine {
  readonly name: BenchEngineName;
  /** 0: the back end's own. */
  readonly threads: number;
}

/** What the process that times is told. */
export type BenchOrder =
  /** Opens the engines; the answer is `opened`. */
  | {
      readonly type: "open";
      readonly engines: readonly BenchEngine[];
      readonly rows: number;
      readonly vocab: number;
    }
  /** Fills the buffers of all engines, in place of those of another type; the answer is `filled`. */
  | { readonly type: "fill"; readonly as: BenchType }
  /** Computes buffer `buffer` once; the answer is `ran`. */
  | {
      readonly type: "run";
      readonly engine: number;
      readonly buffer: number;
      readonly want: BenchWant;
    };

/** What it answers. Anything may instead be answered by `failed`. */
export type BenchAnswer =
  | { readonly type: "opened"; readonly engines: readonly BenchOpened[] }
  | { readonly type: "filled" }
  | { readonly type: "ran"; readonly seconds: number }
  | { readonly type: "failed"; readonly reason: string };

/** How an engine was opened. */
export interface BenchOpened {
  readonly device: "cpu" | "gpu";
  readonly detail: string;
  /** Null for one that can be timed. */
  readonly failure: string | null;
}

/** Buffers that runs take in turns, so that no cache holds the input of the next run. */
export const BENCH_BUFFERS = 3;
