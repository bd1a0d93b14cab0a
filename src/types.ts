/** The four decisions of TRUST Eq. 1, in letter order (A, B, C, D). */
export const ACTIONS = ["direct_answer", "tool_call", "request_for_info", "cannot_answer"] as const;

/** A canonical action name. */
export type Action = (typeof ACTIONS)[number];

/** Any array of numbers a kernel reads: typed arrays of every numeric width, or a plain array. */
export type NumericArray =
  | Float64Array
  | Float32Array
  | Int32Array
  | Int16Array
  | Int8Array
  | Uint32Array
  | Uint16Array
  | Uint8Array
  | readonly number[];

/** Labels of two classes: 1 or true, 0 or false. */
export type BinaryLabels = NumericArray | readonly boolean[];

/** A closed interval of plausible values. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** One tool call: a name, and arguments as an object, or as the raw text when it was not valid JSON. */
export interface ToolCall {
  readonly name: string;
  /** Parsed arguments; a string means broken JSON, which never equals a gold call. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
}

/** A gold action: a call, and optionally the argument names that count in a comparison. */
export interface GoldAction extends ToolCall {
  readonly compareArgs?: readonly string[];
}

/** One message of a conversation in OpenAI's chat format, with its tool calls already read. */
export interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly toolCalls: readonly ToolCall[];
  readonly toolCallId?: string;
  readonly name?: string;
}

/**
 * The nine kinds of tool failure of Bench2Robust, in the order of its Table 7. The first six are explicit: the call is not
 * executed and an error comes back. The last three are silent: the call is executed and its result is changed.
 */
export const FAULT_KINDS = [
  "timeout",
  "rate_limit",
  "server_error",
  "malformed_response",
  "auth_error",
  "schema_drift",
  "partial",
  "stale",
  "factual_error",
] as const;

/** A kind of tool failure. */
export type FaultKind = (typeof FAULT_KINDS)[number];

/** What a tool call can meet: a kind of failure, or a tool that is blocked for the whole episode. */
export type MetFault = FaultKind | "blocked";
