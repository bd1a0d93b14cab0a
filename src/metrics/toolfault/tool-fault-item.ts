import type { FaultType, NextAction } from "./labels.ts";

/** What scoring needs of an item of ToolFault-Bench, named as the dataset's columns are. */
export interface ToolFaultGold {
  /** Unique in the dataset. */
  readonly id: string;
  readonly fault_type: FaultType;
  /** The one preferred action; it need not be known for scoring. */
  readonly next_action?: NextAction;
  /** Actions that count as right; not empty. */
  readonly acceptable_next_actions: readonly NextAction[];
  /** Actions that do harm; empty where none does. Disjoint from the acceptable ones. */
  readonly critical_next_actions: readonly NextAction[];
  /** Whether the item belongs to the hard negatives; by default where the fault type is `none`. */
  readonly is_hard_negative?: boolean;
}

/** An item of ToolFault-Bench, whole, named as the dataset's columns are; `tools`, `messages` and `meta` are parsed. */
export interface ToolFaultItem extends ToolFaultGold {
  readonly next_action: NextAction;
  readonly is_hard_negative: boolean;
  readonly domain: string | null;
  readonly subtype: string | null;
  readonly difficulty: string | null;
  /** ISO 8601. */
  readonly current_time: string | null;
  readonly user_request: string | null;
  /** Function schemas in OpenAI's format. */
  readonly tools: readonly unknown[];
  /** The conversation in OpenAI's format; the last message is the tool result to judge. */
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly num_tool_calls: number | null;
  readonly last_tool_name: string | null;
  readonly last_tool_result: string | null;
  readonly gold_recovery: string | null;
  readonly rationale: string | null;
  readonly meta: unknown;
}

/** An answer to an item: the two labels, or null where the model gave none that can be read. */
export interface ToolFaultAnswer {
  readonly fault_type: FaultType;
  readonly next_action: NextAction;
}

/** A prediction, as a file of them has it: labels, or the raw text of the model in `output`. */
export interface ToolFaultPrediction {
  readonly id: string;
  readonly fault_type?: string | null;
  readonly next_action?: string | null;
  /** The model's text: read where there are no labels. */
  readonly output?: string | null;
}

/** Predictions by column, arrays of one length; further columns where options name them. */
export type ToolFaultPredictionColumns = Readonly<Record<string, ArrayLike<unknown> | undefined>> & {
  readonly id: ArrayLike<unknown>;
};
