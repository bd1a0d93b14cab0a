import { CalibrantError } from "../errors.ts";

/** The error of a mask that is not as long as its log-probs. */
export function maskLengthError(place: string, row: number, found: number, expected: number): CalibrantError {
  return new CalibrantError(
    "length-mismatch",
    `${place}: column logprob_mask: must be as long as logprobs, ${expected}; got ${found}`,
    { row, found, expected },
  );
}

/** The error of an element of a mask that is neither 0 nor 1. */
export function maskValueError(place: string, row: number, value: number | null): CalibrantError {
  return new CalibrantError(
    "data",
    `${place}: column logprob_mask: must hold 0 and 1 (or false and true), got ${value}`,
    { row, value },
  );
}

/** Whether a segment can begin at token `start` after one that began at `last`, in a response of `tokens` tokens. */
export function isSegmentStart(start: number, last: number, tokens: number): boolean {
  return Number.isInteger(start) && start >= last && start <= tokens;
}

/** The error of a segment for which {@link isSegmentStart} is false. */
export function segmentError(place: string, row: number, start: number): CalibrantError {
  return new CalibrantError(
    "data",
    `${place}: column logprob_segments: must be ascending tokens of the row, got ${start}`,
    { row, start },
  );
}
