import { grown } from "../math/growable.ts";
import { certainty } from "../uq/certainty.ts";
import {
  MARGIN_STATUSES,
  type MarginEvidence,
  type MarginSide,
  type PerplexityPair,
  resolveMargin,
} from "../uq/margin.ts";
import { meanOfScaled, PPL_SCALE } from "../uq/mean-ppl.ts";
import type { FinishedRows, GroupState, RowParts } from "./reward-job.ts";
import type { TrustSettings } from "./trust-settings.ts";
import { TRUST_BIT } from "./trust-status.ts";

/** Names of the kept parts of a row, in order; `bits` is the status of the row without its group's. */
export const TRUST_KEPT = ["ppl", "nll", "r_fmt", "r_ans", "r_cls", "bits"] as const;

type Kept = readonly [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
type Passing = readonly [Float64Array, Float64Array, Float64Array, Float64Array];

/** R_cls of a rollout with the gold action; any other number is a wrong one, NaN is neither. */
const RIGHT = 3;

const SIDE = { right: 0, wrong: 1 } as const;
const PAIR = { reference: 0, counterfactual: 1 } as const;

/**
 * Sums of each group, in row order: two sides (right, wrong) and two reference perplexities a group, side by side.
 * Passing parts: ref_ppl, ref_nll, neg_ppl, neg_nll; the first that is there counts for the group.
 */
export class TrustGroups implements GroupState {
  readonly #settings: TrustSettings;
  /** Per group and side: rollouts, those with a perplexity, their scaled sum of PPL, their sum of nll. */
  #rollouts: Int32Array;
  #scored: Int32Array;
  #pplSum: Float64Array;
  #nllSum: Float64Array;
  /** Per group and reference; NaN = none so far. */
  #pairPpl: Float64Array;
  #pairNll: Float64Array;
  /** Per group, once `known`. */
  #margin: Float64Array;
  #certainty: Float64Array;
  #status: Int32Array;
  #known: Uint8Array;

  constructor(settings: TrustSettings) {
    this.#settings = settings;
    this.#rollouts = new Int32Array(0);
    this.#scored = new Int32Array(0);
    this.#pplSum = new Float64Array(0);
    this.#nllSum = new Float64Array(0);
    this.#pairPpl = new Float64Array(0);
    this.#pairNll = new Float64Array(0);
    this.#margin = new Float64Array(0);
    this.#certainty = new Float64Array(0);
    this.#status = new Int32Array(0);
    this.#known = new Uint8Array(0);
  }

  add(parts: RowParts, groups: Int32Array): void {
    this.#reserve(groups);
    this.#addSides(parts.kept as unknown as Kept, groups);
    const [refPpl, refNll, negPpl, negNll] = parts.passing as unknown as Passing;
    this.#addPairs(PAIR.reference, refPpl, refNll, groups);
    this.#addPairs(PAIR.counterfactual, negPpl, negNll, groups);
  }

  finish(kept: readonly Float64Array[], groups: Int32Array): FinishedRows {
    const [ppl, nll, format, answer, ofClass, bits] = kept as unknown as Kept;
    const { weights } = this.#settings;
    const rows = groups.length;
    const margin = new Float64Array(rows).fill(Number.NaN);
    const certain = new Float64Array(rows).fill(Number.NaN);
    const reward = new Float64Array(rows).fill(Number.NaN);
    const status = new Uint32Array(rows);
    for (let row = 0; row < rows; row++) {
      const group = groups[row] as number;
      if (group < 0) {
        status[row] = (bits[row] as number) | TRUST_BIT.noGroup;
        continue;
      }
      if (this.#known[group] === 0) this.#resolve(group);
      const c = this.#certainty[group] as number;
      margin[row] = this.#margin[group] as number;
      certain[row] = c;
      reward[row] = trustReward(
        weights,
        format[row] as number,
        answer[row] as number,
        c,
        ofClass[row] as number,
      );
      status[row] = (bits[row] as number) | (1 << (this.#status[group] as number));
    }
    const columns = {
      ppl,
      nll,
      margin,
      certainty: certain,
      r_fmt: format,
      r_ans: answer,
      r_cls: ofClass,
      reward,
    };
    return { columns: Object.entries(columns).map(([name, values]) => ({ name, values })), status };
  }

  #reserve(groups: Int32Array): void {
    let size = 0;
    for (let i = 0; i < groups.length; i++) size = Math.max(size, (groups[i] as number) + 1);
    this.#rollouts = grown(this.#rollouts, 2 * size);
    this.#scored = grown(this.#scored, 2 * size);
    this.#pplSum = grown(this.#pplSum, 2 * size);
    this.#nllSum = grown(this.#nllSum, 2 * size);
    this.#pairPpl = grown(this.#pairPpl, 2 * size, Number.NaN);
    this.#pairNll = grown(this.#pairNll, 2 * size, Number.NaN);
    this.#margin = grown(this.#margin, size);
    this.#certainty = grown(this.#certainty, size);
    this.#status = grown(this.#status, size);
    this.#known = grown(this.#known, size);
  }

  #addSides([ppl, nll, , , ofClass]: Kept, groups: Int32Array): void {
    for (let row = 0; row < groups.length; row++) {
      const group = groups[row] as number;
      const reward = ofClass[row] as number;
      if (group < 0 || Number.isNaN(reward)) continue;
      const at = 2 * group + (reward === RIGHT ? SIDE.right : SIDE.wrong);
      this.#known[group] = 0;
      this.#rollouts[at] = (this.#rollouts[at] as number) + 1;
      if (Number.isNaN(ppl[row])) continue;
      this.#scored[at] = (this.#scored[at] as number) + 1;
      this.#pplSum[at] = (this.#pplSum[at] as number) + (ppl[row] as number) * PPL_SCALE;
      this.#nllSum[at] = (this.#nllSum[at] as number) + (nll[row] as number);
    }
  }

  #addPairs(pair: number, ppl: Float64Array, nll: Float64Array, groups: Int32Array): void {
    for (let row = 0; row < groups.length; row++) {
      const group = groups[row] as number;
      if (group < 0 || Number.isNaN(ppl[row])) continue;
      const at = 2 * group + pair;
      if (!Number.isNaN(this.#pairPpl[at])) continue;
      this.#known[group] = 0;
      this.#pairPpl[at] = ppl[row] as number;
      this.#pairNll[at] = nll[row] as number;
    }
  }

  #resolve(group: number): void {
    const evidence: MarginEvidence = {
      right: this.#side(2 * group + SIDE.right),
      wrong: this.#side(2 * group + SIDE.wrong),
      reference: this.#pair(2 * group + PAIR.reference),
      counterfactual: this.#pair(2 * group + PAIR.counterfactual),
    };
    const { margin, status } = resolveMargin(evidence, this.#settings.rules);
    this.#margin[group] = margin;
    this.#certainty[group] = certainty(margin, { tau: this.#settings.tau });
    this.#status[group] = MARGIN_STATUSES.indexOf(status);
    this.#known[group] = 1;
  }

  #side(at: number): MarginSide {
    const n = this.#scored[at] as number;
    return {
      rollouts: this.#rollouts[at] as number,
      ppl: meanOfScaled(this.#pplSum[at] as number, n),
      nll: n === 0 ? Number.NaN : (this.#nllSum[at] as number) / n,
    };
  }

  #pair(at: number): PerplexityPair {
    return { ppl: this.#pairPpl[at] as number, nll: this.#pairNll[at] as number };
  }
}

/** R_UQ = R_fmt + R_ans + c·R_cls (Eq. 7), each with its weight; an R_fmt or R_ans that is null (NaN) adds nothing. */
export function trustReward(
  weights: TrustSettings["weights"],
  format: number,
  answer: number,
  certain: number,
  ofClass: number,
): number {
  return (
    weighted(weights.format, format) + weighted(weights.answer, answer) + certain * weights.class * ofClass
  );
}

function weighted(weight: number, term: number): number {
  return Number.isNaN(term) ? 0 : weight * term;
}
