import type { EvaluationSlice } from "../evaluation.ts";

/** A slice with its place in the report: 0 is the whole, slice i of the list is i + 1. */
export interface NumberedSlice {
  readonly index: number;
  readonly slice: EvaluationSlice;
}
