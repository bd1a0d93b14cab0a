import { ACTIONS, type Action } from "../../types.ts";

/** The names of the four answers of an item, in the published order: that of `ACTIONS`, with `direct` for `direct_answer`. */
export const WHEN2CALL_CHOICES = ["direct", "tool_call", "request_for_info", "cannot_answer"] as const;

/** The name of an answer of an item. */
export type When2CallChoice = (typeof WHEN2CALL_CHOICES)[number];

/** An item of When2Call, named as the dataset's columns are; columns that are not listed here are kept as they stand. */
export interface When2CallItem {
  /** The dataset's `uuid`, or its `id`; unique. */
  readonly id: string;
  readonly question?: string | null;
  /** The gold action, canonical: the dataset's `direct` is `direct_answer`. */
  readonly correct_answer: Action;
  /** The tools given with the question, parsed where they hold JSON text; empty = none given; null = not known. */
  readonly tools: readonly unknown[] | null;
  /** The text of each choice; null where there are none, which is enough to score labels. */
  readonly answers: Readonly<Record<When2CallChoice, string>> | null;
  readonly [column: string]: unknown;
}

/** A value by choice; what `direct` stands for may also be named `direct_answer`. */
export function valueOfChoice(values: Readonly<Record<string, unknown>>, choice: number): unknown {
  return values[WHEN2CALL_CHOICES[choice] as string] ?? values[ACTIONS[choice] as string];
}
