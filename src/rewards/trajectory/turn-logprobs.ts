import { listColumn, placeOf } from "../../data/batch-columns.ts";
import type { ListColumn, RolloutBatch } from "../../data/columns.ts";
import { CalibrantError } from "../../errors.ts";
import { maskLengthError, maskValueError } from "../trust-token-errors.ts";
import { type TurnEndsReader, turnEndsReader } from "./turn-ends.ts";

/** Gathers the log-probs of single turns of the trajectories of a batch, one list a decision. */
export interface TurnLogprobs {
  /** Adds the list of a turn; null where the row has no log-probs or does not say where the turn ends. */
  add(row: number, turn: number): void;
  /** The last token of a turn; null where it is not known. */
  endOf(row: number, turn: number): number | null;
  /**
   * @throws CalibrantError `length-mismatch` for more ends than turns (they count something else, messages perhaps), or an end
   *   behind the last token.
   */
  checkTurns(row: number, turns: number): void;
  /** Whether the mask says that the model did not generate a token. */
  isMasked(row: number, token: number): boolean;
  /** All lists so far. */
  finish(): ListColumn;
}

/**
 * The tokens of turn t are those behind the end of turn t − 1, up to and with its own end; tokens whose `logprob_mask` is 0
 * are left out.
 *
 * @throws CalibrantError while adding, `length-mismatch` or `data` for a mask or ends that do not fit them.
 */
export function gatherTurnLogprobs(batch: RolloutBatch): TurnLogprobs {
  const logprobs = listColumn(batch, "logprobs");
  const mask = listColumn(batch, "logprob_mask");
  const endsOf = rememberedEnds(turnEndsReader(batch));
  const values: number[] = [];
  const valid: number[] = [];
  const offsets: number[] = [0];
  const rowValid: number[] = [];
  const addTokens = (list: ListColumn, row: number, first: number, end: number): void => {
    const start = list.offsets[row] as number;
    checkLengths(batch, row, list, mask, end);
    const maskStart = mask === null || mask.rowValid?.[row] === 0 ? -1 : (mask.offsets[row] as number);
    for (let token = first; token <= end; token++) {
      if (maskStart >= 0 && !isGenerated(batch, row, mask as ListColumn, maskStart + token)) continue;
      values.push(list.values[start + token] as number);
      valid.push(list.valueValid?.[start + token] === 0 ? 0 : 1);
    }
  };
  return {
    add(row, turn) {
      const end = endsOf(row)?.[turn];
      const known = logprobs !== null && logprobs.rowValid?.[row] !== 0 && end !== undefined;
      if (known) addTokens(logprobs, row, turn === 0 ? 0 : (endsOf(row)?.[turn - 1] as number) + 1, end);
      offsets.push(values.length);
      rowValid.push(known ? 1 : 0);
    },
    endOf: (row, turn) => endsOf(row)?.[turn] ?? null,
    checkTurns(row, turns) {
      const all = endsOf(row) ?? [];
      const ends = all.length;
      if (logprobs !== null && logprobs.rowValid?.[row] !== 0 && ends > 0)
        checkLengths(batch, row, logprobs, mask, all[ends - 1] as number);
      if (ends <= turns) return;
      throw new CalibrantError(
        "length-mismatch",
        `${placeOf(batch, row)}: the ends of turns must number at most ${turns}, one a user turn; got ${ends}`,
        { row, turns, ends },
      );
    },
    isMasked(row, token) {
      const start = mask === null || mask.rowValid?.[row] === 0 ? -1 : (mask.offsets[row] as number);
      return start >= 0 && mask?.values[start + token] === 0;
    },
    finish: () => ({
      kind: "list",
      values: Float64Array.from(values),
      offsets: Int32Array.from(offsets),
      valueValid: Uint8Array.from(valid),
      rowValid: Uint8Array.from(rowValid),
    }),
  };
}

/** A row with several key turns is read once. */
function rememberedEnds(read: TurnEndsReader): TurnEndsReader {
  let known = -1;
  let ends: readonly number[] | null = null;
  return (row) => {
    if (row !== known) ends = read(row);
    known = row;
    return ends;
  };
}

function checkLengths(
  batch: RolloutBatch,
  row: number,
  list: ListColumn,
  mask: ListColumn | null,
  end: number,
): void {
  const length = lengthOf(list, row);
  if (end >= length) {
    throw new CalibrantError(
      "length-mismatch",
      `${placeOf(batch, row)}: a turn ends at token ${end}, but logprobs has ${length} tokens`,
      { row, end, length },
    );
  }
  if (mask === null || mask.rowValid?.[row] === 0 || lengthOf(mask, row) === length) return;
  throw maskLengthError(placeOf(batch, row), row, lengthOf(mask, row), length);
}

function isGenerated(batch: RolloutBatch, row: number, mask: ListColumn, at: number): boolean {
  const value = mask.valueValid?.[at] === 0 ? null : (mask.values[at] as number);
  if (value === 0 || value === 1) return value === 1;
  throw maskValueError(placeOf(batch, row), row, value);
}

function lengthOf(list: ListColumn, row: number): number {
  return (list.offsets[row + 1] as number) - (list.offsets[row] as number);
}
