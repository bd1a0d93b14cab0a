import { floatColumns } from "../math/float-columns.ts";
import { grown } from "../math/growable.ts";
import { ACTION_LETTERS } from "./action-letters.ts";
import { releasedPair } from "./released/released-group.ts";
import { type ReleasedTerms, type ReleasedTurnReward, releasedScore } from "./released/released-turn.ts";
import { ROW_FLAG } from "./released-rows.ts";
import type { TrustReleasedSettings } from "./released-settings.ts";
import type { FinishedRows, GroupState, RowParts } from "./reward-job.ts";
import { TRUST_BIT, TRUST_STATUSES } from "./trust-status.ts";

/** Names of the kept parts of a row, in order; `bits` is the status of the row without its group's. */
export const RELEASED_KEPT = [
  "ppl",
  "nll",
  "r_fmt",
  "r_align",
  "r_cls",
  "letter",
  "gold",
  "flags",
  "bits",
] as const;

/** The result columns, in order. */
export const RELEASED_RESULTS = [
  "ppl",
  "nll",
  "ppl_gt",
  "ppl_neg",
  "margin",
  "certainty",
  "r_fmt",
  "r_align",
  "r_ans",
  "r_cls",
  "raw_score",
  "reward",
] as const;

type Kept = { readonly [Name in (typeof RELEASED_KEPT)[number]]: Float64Array };
type Results = { readonly [Name in (typeof RELEASED_RESULTS)[number]]: Float64Array };

const RIGHT = 0;
const WRONG = 1;

/** Sums of each group, in row order: right and wrong samples side by side. */
export class ReleasedGroups implements GroupState {
  readonly #settings: TrustReleasedSettings;
  /** Rows of a group with a gold action, unparsed ones included. */
  #samples: Int32Array;
  /** Per group and side: samples, those with a perplexity, their plain sum of PPL. */
  #rollouts: Int32Array;
  #scored: Int32Array;
  #pplSum: Float64Array;

  constructor(settings: TrustReleasedSettings) {
    this.#settings = settings;
    this.#samples = new Int32Array(0);
    this.#rollouts = new Int32Array(0);
    this.#scored = new Int32Array(0);
    this.#pplSum = new Float64Array(0);
  }

  add(parts: RowParts, groups: Int32Array): void {
    const { ppl, letter, gold } = keptOf(parts.kept);
    this.#reserve(groups);
    for (let row = 0; row < groups.length; row++) {
      const group = groups[row] as number;
      if (group < 0 || (gold[row] as number) < 0) continue;
      this.#samples[group] = (this.#samples[group] as number) + 1;
      if ((letter[row] as number) < 0) continue;
      const at = 2 * group + (letter[row] === gold[row] ? RIGHT : WRONG);
      this.#rollouts[at] = (this.#rollouts[at] as number) + 1;
      if (Number.isNaN(ppl[row])) continue;
      this.#scored[at] = (this.#scored[at] as number) + 1;
      this.#pplSum[at] = (this.#pplSum[at] as number) + (ppl[row] as number);
    }
  }

  finish(kept: readonly Float64Array[], groups: Int32Array): FinishedRows {
    const rows = keptOf(kept);
    const results = emptyResults(rows, groups.length);
    const status = new Uint32Array(groups.length);
    for (let row = 0; row < groups.length; row++) {
      const group = groups[row] as number;
      const bits = rows.bits[row] as number;
      if (group < 0) {
        status[row] = bits | TRUST_BIT.noGroup;
        putTerms(results, row, rows);
        continue;
      }
      status[row] = bits | (1 << this.#marginStatus(group));
      if ((rows.gold[row] as number) < 0) putTerms(results, row, rows);
      else this.#score(results, row, rows, group);
    }
    return { columns: RELEASED_RESULTS.map((name) => ({ name, values: results[name] })), status };
  }

  #score(results: Results, row: number, rows: Kept, group: number): void {
    const letter = rows.letter[row] as number;
    const ppl = rows.ppl[row] as number;
    const { pplGt, pplNeg } = releasedPair({
      isRight: letter < 0 ? null : letter === rows.gold[row],
      ppl: Number.isNaN(ppl) ? null : ppl,
      meanRight: this.#mean(2 * group + RIGHT),
      meanWrong: this.#mean(2 * group + WRONG),
      samples: this.#samples[group] as number,
    });
    const { tau, lambda } = this.#settings;
    putScore(results, row, releasedScore(termsOf(rows, row), { pplGt, pplNeg, tau, lambda }), pplGt, pplNeg);
  }

  #mean(at: number): number | null {
    const n = this.#scored[at] as number;
    return n === 0 ? null : (this.#pplSum[at] as number) / n;
  }

  /** The bit of one of MARGIN_STATUSES. */
  #marginStatus(group: number): number {
    const scored = (side: number): boolean => (this.#scored[2 * group + side] as number) > 0;
    const there = (side: number): boolean => (this.#rollouts[2 * group + side] as number) > 0;
    if (scored(RIGHT) && scored(WRONG)) return BIT.separated;
    if (!scored(RIGHT) && !scored(WRONG)) return BIT.noPerplexity;
    if (!there(RIGHT)) return BIT.noPositive;
    return there(WRONG) ? BIT.noPerplexity : BIT.noNegative;
  }

  #reserve(groups: Int32Array): void {
    let size = 0;
    for (let i = 0; i < groups.length; i++) size = Math.max(size, (groups[i] as number) + 1);
    this.#samples = grown(this.#samples, size);
    this.#rollouts = grown(this.#rollouts, 2 * size);
    this.#scored = grown(this.#scored, 2 * size);
    this.#pplSum = grown(this.#pplSum, 2 * size);
  }
}

const BIT = {
  separated: TRUST_STATUSES.indexOf("separated"),
  noPositive: TRUST_STATUSES.indexOf("no_positive"),
  noNegative: TRUST_STATUSES.indexOf("no_negative"),
  noPerplexity: TRUST_STATUSES.indexOf("no_perplexity"),
} as const;

function keptOf(kept: readonly Float64Array[]): Kept {
  const [ppl, nll, r_fmt, r_align, r_cls, letter, gold, flags, bits] = kept as unknown as Nine;
  return { ppl, nll, r_fmt, r_align, r_cls, letter, gold, flags, bits };
}

type Column = Float64Array;
type Nine = readonly [Column, Column, Column, Column, Column, Column, Column, Column, Column];

function emptyResults({ ppl, nll }: Kept, rows: number): Results {
  const [ppl_gt, ppl_neg, margin, certainty, r_fmt, r_align, r_ans, r_cls, raw_score, reward] = floatColumns(
    10,
    rows,
    Number.NaN,
  ) as unknown as Ten;
  return { ppl, nll, ppl_gt, ppl_neg, margin, certainty, r_fmt, r_align, r_ans, r_cls, raw_score, reward };
}

type Ten = readonly [...Nine, Column];

/** What a row without a reward has all the same. */
function putTerms(results: Results, row: number, rows: Kept): void {
  if (((rows.flags[row] as number) & ROW_FLAG.empty) !== 0) return;
  const { rFmt, rAlign, rCls } = releasedScore(termsOf(rows, row), NO_PAIR);
  results.r_fmt[row] = rFmt ?? Number.NaN;
  results.r_align[row] = rAlign ?? Number.NaN;
  results.r_cls[row] = (rows.gold[row] as number) < 0 ? Number.NaN : (rCls ?? Number.NaN);
}

const NO_PAIR = { pplGt: null, pplNeg: null, tau: 0.1, lambda: 1 } as const;

function termsOf(rows: Kept, row: number): ReleasedTerms {
  const flags = rows.flags[row] as number;
  return {
    isEmpty: (flags & ROW_FLAG.empty) !== 0,
    gated: (flags & ROW_FLAG.gated) !== 0,
    format: rows.r_fmt[row] as number,
    alignment: rows.r_align[row] as number,
    class: rows.r_cls[row] as 0 | 1 | 2,
    letter: ACTION_LETTERS[rows.letter[row] as number] ?? null,
    predAction: null,
    selfConsistent: false,
    categoryMatch: false,
  };
}

function putScore(
  results: Results,
  row: number,
  score: ReleasedTurnReward,
  pplGt: number | null,
  pplNeg: number | null,
): void {
  results.reward[row] = score.score;
  if (score.rawScore === null) return;
  results.ppl_gt[row] = pplGt ?? Number.NaN;
  results.ppl_neg[row] = pplNeg ?? Number.NaN;
  results.margin[row] = score.margin ?? Number.NaN;
  results.certainty[row] = score.certainty ?? Number.NaN;
  results.r_fmt[row] = score.rFmt ?? Number.NaN;
  results.r_align[row] = score.rAlign ?? Number.NaN;
  results.r_ans[row] = score.rAns ?? Number.NaN;
  results.r_cls[row] = score.rCls ?? Number.NaN;
  results.raw_score[row] = score.rawScore;
}
