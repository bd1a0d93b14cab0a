// What TypeScript and the kernel agree on; src/uq/logprobs/wasm/layout.ts is the other side.

/**
 * A table of constants, each repeated over 16 bytes. V8 12 and later rebuild a splat of a constant in each round of a loop, and keep what
 * was loaded before it in a register.
 */
export const CONSTANTS: usize = 1024;

/** How many numbers a block has: between blocks the sums go to float64, and the reference may change. */
export const BLOCK: i32 = 1024;
/** How many numbers a round of the inner loop takes; a row's last numbers, fewer than these, are filled up with masks. */
export const ROUND: i32 = 32;

export const FLOAT32: i32 = 0;
export const FLOAT16: i32 = 1;

export const SCORED: i32 = 0;
export const NOT_FINITE: i32 = 2;

/** What there is to do; threads draw the numbers of its units. */
@unmanaged
export class Job {
  /** The next unit that nobody has drawn. */
  next: i32;
  /** Other than 0: draw no more. */
  stop: i32;
  units: i32;
  /** 0 = rows of logits, 1 = products that make logits. */
  kind: i32;
  /** FLOAT32, FLOAT16 or 2 = bfloat16: of the logits, or of the weights. */
  type: i32;
  /** Numbers in a row of logits, or rows of the weights. */
  columns: i32;
  /** Rows: whether entropy, rank and argmax are wanted. */
  all: i32;
  topK: i32;
  scale: f64;
  /** Rows: an `Entry` a unit. Products: the weights. */
  input: usize;
  /** Rows: a `Result` a unit. Products: the logits. */
  output: usize;
  /** Rows: `topK` values a unit. Products: the hidden states as float32, a multiple of four rows of `padded` numbers. */
  second: usize;
  /** Rows: `topK` ids a unit. Products: the bias of the weights, or 0. */
  third: usize;
  /** Products: numbers of a hidden state. */
  width: i32;
  /** Products: the same, up to the next multiple of 8. */
  padded: i32;
  /** Products: hidden states. */
  rows: i32;
  /** Products: numbers from a row of the logits to the next. */
  outputStride: i32;
  /** Bytes of each thread, one thread after the other: a block and a row of the weights as float32. */
  scratch: usize;
  scratchBytes: usize;
}

/** A row of logits. */
@unmanaged
export class Entry {
  row: usize;
  target: i32;
}

/** What is found of it. */
@unmanaged
export class Result {
  /** Sum of exp(scale · (x − reference)). */
  sum: f64;
  /** Sum of exp(scale · (x − reference)) · (x − reference). */
  moment: f64;
  reference: f32;
  /** The target's logit. */
  target: f32;
  /** Logits greater than it. */
  greater: i32;
  argmax: i32;
  /** SCORED or NOT_FINITE. */
  status: i32;
  /** Tokens among the topK. */
  found: i32;
}
