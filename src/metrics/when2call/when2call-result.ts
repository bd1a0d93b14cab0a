import type { Action } from "../../types.ts";
import type { Rate } from "../rate.ts";
import type { When2CallStatus } from "./choice-outcome.ts";
import type { When2CallSettings } from "./when2call-options.ts";

/** Scores of one gold class. */
export interface When2CallClass {
  readonly action: Action;
  /** Right among the predictions of the class. */
  readonly precision: Rate;
  /** Right among the gold items of the class. */
  readonly recall: Rate;
  /** 2·TP / (2·TP + FP + FN); null for a class that is neither gold nor predicted. */
  readonly f1: number | null;
  /** Gold items of the class. */
  readonly support: number;
  /** Predictions of the class. */
  readonly predicted: number;
}

/** Counts of items by gold and predicted action, both in the order of `ACTIONS`. */
export interface When2CallConfusion {
  /** `counts[gold][predicted]`. */
  readonly counts: readonly (readonly number[])[];
  /** Items of each gold action whose prediction could not be read. */
  readonly unparsed: readonly number[];
  /** Items of each gold action without a prediction. */
  readonly missing: readonly number[];
}

/**
 * The metrics of some items. A rate without rows is null, with its reason: `empty`, `no-logprobs`, or `few-tokens` and
 * `no-choice-text` where these left nothing to score.
 */
export interface When2CallMetrics {
  /** Number of items. */
  readonly items: number;
  /** Items that F1, hallucinations and confusion rest on: those left out have too few tokens, or no text to divide by. */
  readonly scored: number;
  /** Share of items answered right: by the label, or by the largest summed log-prob. */
  readonly acc: Rate;
  /** The same by the largest summed log-prob a character; null (`no-logprobs`) where all predictions are labels. */
  readonly accNorm: Rate;
  /** Mean F1 over `macroF1Classes`, with a bootstrap interval over items. */
  readonly macroF1: Rate;
  /** The classes that the macro-F1 averages over. */
  readonly macroF1Classes: readonly Action[];
  /** All four classes, in the order of `ACTIONS`. */
  readonly perClass: readonly When2CallClass[];
  /** Predicted `tool_call` among gold `cannot_answer` without tools; with `compat` 0 of 0 is 0. */
  readonly toolHallucination: Rate;
  /** False direct answer rate: predicted `direct_answer` among all items, or among gold `tool_call`. */
  readonly fdar: Rate;
  /** Extension: predicted `direct_answer` among gold `cannot_answer`. */
  readonly answerHallucination: Rate;
  /** Extension: predicted `tool_call` among gold `request_for_info`. */
  readonly paramHallucination: Rate;
  readonly confusion: When2CallConfusion;
  /** Predictions that could not be read: labels that name no category, log-probs that are none. Wrong everywhere. */
  readonly unparsed: number;
  /** Items without a prediction. Wrong everywhere. */
  readonly missing: number;
  /** Items whose log-probs cover too few tokens: left out everywhere. */
  readonly fewTokens: number;
  /** Items with log-probs and without text to divide by: left out of acc_norm and of what it decides. */
  readonly noChoiceText: number;
  /** Number of items by how their prediction was read. */
  readonly statuses: Readonly<Record<When2CallStatus, number>>;
}

/** The metrics of the items that share the values of the slicing columns. */
export interface When2CallSlice extends When2CallMetrics {
  /** Value of each slicing column; null = missing. */
  readonly values: Readonly<Record<string, string | null>>;
}

/** What {@link when2callMetrics} returns: plain data. */
export interface When2CallResult {
  readonly overall: When2CallMetrics;
  /** By the values of the slicing columns, ascending, missing ones last; empty without slicing columns. */
  readonly slices: readonly When2CallSlice[];
  /** Whether predictions have log-probs or are labels only. */
  readonly input: "logprobs" | "labels";
  /** What needs attention, a sentence each. */
  readonly warnings: readonly string[];
  /** The conventions, defaults filled in. */
  readonly options: When2CallSettings;
}
