import type { CallInjection } from "../fault-injector.ts";
import type { InjectionRecord } from "../injection-record.ts";

/** What decides about the calls: a `FaultInjector`, or anything that answers alike. */
export interface CallDecider {
  /** Decides about the next call, to `tool`, at once. */
  begin(tool: string): CallInjection;
}

/** How a call came back to the client. */
export interface McpCallResult {
  /** The result as text, as the client got it. */
  readonly text: string;
  /** Whether the server, or the fault, called it an error. */
  readonly isError: boolean;
}

/** A call of a tool that went through a proxy. */
export interface McpCall {
  /** The number of the call in its episode, from 0, in the order in which the client asked. */
  readonly index: number;
  readonly tool: string;
  /** The arguments, as the client sent them. */
  readonly arguments: unknown;
  /** The entry of the injection log; null for a clean call. */
  readonly injection: InjectionRecord | null;
  /** Whether the client took the request back. */
  readonly cancelled: boolean;
  /** Null while the call runs, and for good when no answer came. */
  readonly result: McpCallResult | null;
}

/** A call while it runs. */
export interface OpenCall extends McpCall {
  readonly decision: CallInjection;
  cancelled: boolean;
  result: McpCallResult | null;
}
