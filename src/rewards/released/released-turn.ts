import { roundHalfEven } from "../../math/round-half-even.ts";
import type { Action } from "../../types.ts";
import type { ReleasedLetter } from "../action-letters.ts";
import { readPythonFloat } from "./python-number.ts";
import { pythonStrip } from "./python-text.ts";
import { type ReleasedResponse, readReleasedResponse } from "./read-released-response.ts";
import { createReleasedAligner, type ReleasedAligner } from "./released-alignment.ts";
import { releasedCertainty, releasedMargin } from "./released-certainty.ts";

/** What a released turn reward needs besides the perplexities. Anything but text is absent. */
export interface ReleasedTurn {
  readonly response: unknown;
  /** A letter A to D in any case; other text counts as an action that holds back, blank text as none. */
  readonly goldLabel: unknown;
  readonly chosenResponse: unknown;
  /** A list of tools, objects or the JSON text of one, with a top-level `name`; anything else restricts nothing. */
  readonly tools?: unknown;
}

/** The evidence and the settings; numbers, text that Python's `float()` reads, or anything else = absent. */
export interface ReleasedEvidence {
  readonly pplGt?: unknown;
  readonly pplNeg?: unknown;
  /** Absent, NaN or infinite: 0.1. */
  readonly tau?: unknown;
  /** Absent, NaN or infinite: 1. */
  readonly lambda?: unknown;
}

/** The terms of a released turn reward that need no perplexity, unrounded. */
export interface ReleasedTerms {
  /** No text at all: the score is 0 and nothing else is known. */
  readonly isEmpty: boolean;
  /** In [0, 2.15]. */
  readonly format: number;
  /** In [0, 1]; 0 when gated. */
  readonly alignment: number;
  /** Without an answer or a letter the alignment, and the certainty inside r_ans, are 0. */
  readonly gated: boolean;
  readonly class: 0 | 1 | 2;
  readonly letter: ReleasedLetter | null;
  readonly predAction: Action | null;
  readonly selfConsistent: boolean;
  readonly categoryMatch: boolean;
}

/** A released turn reward, rounded: the margin to 6 decimals, all else to 4. All but the score is null without a text. */
export interface ReleasedTurnReward {
  /** `rawScore / maxScore`, not clipped. */
  readonly score: number;
  readonly rawScore: number | null;
  readonly maxScore: number | null;
  readonly rFmt: number | null;
  readonly rAlign: number | null;
  readonly rAns: number | null;
  readonly rCls: number | null;
  readonly certainty: number | null;
  readonly margin: number | null;
  /** "" when no letter can be read. */
  readonly letter: ReleasedLetter | "" | null;
  /** "" when no letter can be read. */
  readonly predAction: Action | "" | null;
  readonly selfConsistent: boolean | null;
  readonly categoryMatch: boolean | null;
}

const DEFAULT_TAU = 0.1;
const DEFAULT_LAMBDA = 1;
const MAX_FORMAT = 2.15;
const MAX_CLASS = 2;

const NO_TERMS: ReleasedTerms = {
  isEmpty: true,
  format: 0,
  alignment: 0,
  gated: true,
  class: 0,
  letter: null,
  predAction: null,
  selfConsistent: false,
  categoryMatch: false,
};

const NO_REWARD: ReleasedTurnReward = {
  score: 0,
  rawScore: null,
  maxScore: null,
  rFmt: null,
  rAlign: null,
  rAns: null,
  rCls: null,
  certainty: null,
  margin: null,
  letter: null,
  predAction: null,
  selfConsistent: null,
  categoryMatch: null,
};

/**
 * The part of the released turn reward that needs no perplexity; {@link releasedScore} adds the rest. Linear in the texts.
 *
 * @param align made of the turn's `chosenResponse` and `tools`; turns that share them can share it
 */
export function releasedTerms(
  turn: ReleasedTurn,
  align: ReleasedAligner = createReleasedAligner(turn.chosenResponse, turn.tools),
): ReleasedTerms {
  if (typeof turn.response !== "string" || turn.response === "") return NO_TERMS;
  const read = readReleasedResponse(turn.response);
  const { answer, letter, predAction, selfConsistent, categoryMatch } = read;
  const gated = letter === null || pythonStrip(answer ?? "") === "";
  return {
    isEmpty: false,
    format: formatPoints(read),
    alignment: gated ? 0 : align(predAction, answer),
    gated,
    class: classPoints(letter, turn.goldLabel),
    letter,
    predAction,
    selfConsistent,
    categoryMatch,
  };
}

/**
 * The released turn reward: r_fmt + r_ans + certainty·r_cls over the largest possible score, where
 * r_ans = clamp(r_align + λ·certainty, 0, 2). Rounding (ties to even on the exact binary value) comes last.
 */
export function releasedScore(terms: ReleasedTerms, evidence: ReleasedEvidence): ReleasedTurnReward {
  if (terms.isEmpty) return NO_REWARD;
  const tau = finiteOr(evidence.tau, DEFAULT_TAU);
  const lambda = finiteOr(evidence.lambda, DEFAULT_LAMBDA);
  const margin = releasedMargin(readPythonFloat(evidence.pplGt), readPythonFloat(evidence.pplNeg));
  const certainty = releasedCertainty(margin, tau);
  const answer = Math.min(2, Math.max(0, terms.alignment + lambda * (terms.gated ? 0 : certainty)));
  const raw = terms.format + answer + certainty * terms.class;
  const max = MAX_FORMAT + (1 + lambda) + MAX_CLASS;
  return {
    score: roundHalfEven(raw / Math.max(1e-6, max), 4),
    rawScore: roundHalfEven(raw, 4),
    maxScore: roundHalfEven(max, 4),
    rFmt: roundHalfEven(terms.format, 4),
    rAlign: roundHalfEven(terms.alignment, 4),
    rAns: roundHalfEven(answer, 4),
    rCls: terms.class,
    certainty: roundHalfEven(certainty, 4),
    margin: roundHalfEven(margin, 6),
    letter: terms.letter ?? "",
    predAction: terms.predAction ?? "",
    selfConsistent: terms.selfConsistent,
    categoryMatch: terms.categoryMatch,
  };
}

/**
 * The reward of one turn as the authors' published code computes it (arXiv 2606.06976, released variant), to the digit.
 *
 * @example
 * ```ts
 * import { releasedTurnReward } from "calibrant/rewards";
 * const response = "<think>source=recall</think> direct_answer<A> <answer>Paris</answer>";
 * const turn = { response, goldLabel: "A", chosenResponse: "Paris", pplGt: 1.21, pplNeg: 1.38 };
 * console.log(releasedTurnReward(turn).score); // 0.9247
 * ```
 */
export function releasedTurnReward(turn: ReleasedTurn & ReleasedEvidence): ReleasedTurnReward {
  return releasedScore(releasedTerms(turn), turn);
}

function formatPoints(read: ReleasedResponse): number {
  let points = 0;
  if (read.reasoning !== null) points += 0.5;
  if (read.answer !== null) points += 0.5;
  if (read.letter !== null) points += 0.3;
  if (hasFourCharacters(read.source)) points += 0.3;
  if (read.categoryMatch) points += 0.15;
  if (read.selfConsistent) points += 0.4;
  return points;
}

/** Counted in code points, of which a UTF-16 text has at least half as many as units. */
function hasFourCharacters(text: string): boolean {
  return text.length >= 8 || (text.length >= 4 && [...text].length >= 4);
}

function classPoints(letter: ReleasedLetter | null, goldLabel: unknown): 0 | 1 | 2 {
  const gold = typeof goldLabel === "string" ? pythonStrip(goldLabel).toUpperCase() : "";
  if (letter === null || gold === "") return 0;
  if (letter === gold) return 2;
  const acts = letter === "A" || letter === "B";
  return acts === (gold === "A" || gold === "B") ? 1 : 0;
}

function finiteOr(value: unknown, otherwise: number): number {
  const number = readPythonFloat(value);
  return number !== null && Number.isFinite(number) ? number : otherwise;
}
