import { checkOptionNames } from "../data/check-option-names.ts";
import { CalibrantError } from "../errors.ts";
import { checkTau } from "../uq/certainty.ts";
import { checkMarginRules, type MarginRules } from "../uq/margin.ts";
import { DEFAULT_SENTINELS } from "../uq/perplexity.ts";
import { AGREEMENT_METHODS, type AgreementMethod } from "./answer-agreement.ts";

/** Weights of the three terms of the reward; the paper gives no magnitudes. */
export interface TrustWeights {
  /** Of R_fmt. Default 1. */
  readonly format?: number;
  /** Of R_ans. Default 1. */
  readonly answer?: number;
  /** Of c·R_cls. Default 1. */
  readonly class?: number;
}

/** Options of the TRUST reward. The defaults are the paper's (arXiv 2606.06976, Eq. 3–7). */
export interface TrustOptions extends MarginRules {
  /** Temperature of the certainty, in perplexity units. Default 0.1. */
  readonly tau?: number;
  readonly weights?: TrustWeights;
  /** `"off"` makes R_fmt 0, as the paper does in trajectory-level training. Default `"on"`. */
  readonly format?: "on" | "off";
  /** How R_ans compares answers, see `answerAgreement`; `"off"` makes it 0. Default `"auto"`. */
  readonly answer?: AgreementMethod | "off";
  /** Log-probabilities that stand for probability 0. Default: those of `perplexity`. */
  readonly sentinels?: readonly number[];
  /**
   * `"segment"` averages log-probabilities inside each segment of a response first, see `perplexity`; the column
   * `logprob_segments` then lists, for each row, the tokens (from 0) at which segments begin. Default `"token"`.
   */
  readonly level?: "token" | "segment";
}

/** {@link TrustOptions} with every default filled in. */
export interface TrustSettings {
  readonly tau: number;
  readonly rules: MarginRules;
  readonly weights: Required<TrustWeights>;
  readonly format: boolean;
  readonly answer: AgreementMethod | "off";
  readonly sentinels: readonly number[];
  readonly level: "token" | "segment";
}

/** @throws CalibrantError `option` for a value that an option cannot have. */
export function trustSettings(options: TrustOptions = {}): TrustSettings {
  const {
    tau = 0.1,
    positive = "rollouts",
    emptyGroup = "paper",
    weights = {},
    format = "on",
    answer = "auto",
    sentinels = DEFAULT_SENTINELS,
    level = "token",
  } = options;
  const rules = { positive, emptyGroup };
  checkTau(tau);
  checkMarginRules(rules);
  checkWord("format", format, ["on", "off"]);
  if (typeof answer !== "function") checkWord("answer", answer, [...AGREEMENT_METHODS, "off"]);
  checkWord("level", level, ["token", "segment"]);
  checkSentinels(sentinels);
  return { tau, rules, weights: readWeights(weights), format: format === "on", answer, sentinels, level };
}

/** @throws CalibrantError `option` for anything but a list of numbers. */
export function checkSentinels(sentinels: unknown): void {
  if (Array.isArray(sentinels) && sentinels.every((value) => typeof value === "number")) return;
  throw new CalibrantError("option", `sentinels must be a list of numbers, got ${String(sentinels)}`);
}

function readWeights(given: TrustWeights): Required<TrustWeights> {
  checkOptionNames(given, ["format", "answer", "class"], "weights");
  const { format = 1, answer = 1, class: ofClass = 1 } = given;
  const weights = { format, answer, class: ofClass };
  for (const [name, value] of Object.entries(weights)) {
    if (!Number.isFinite(value)) {
      throw new CalibrantError("option", `weights.${name} must be a finite number, got ${value}`, {
        [name]: value,
      });
    }
  }
  return weights;
}

function checkWord(name: string, value: string, words: readonly string[]): void {
  if (words.includes(value)) return;
  throw new CalibrantError("option", `${name} must be ${words.join(", ")}, got ${String(value)}`, {
    [name]: value,
  });
}
