import type { MetFault } from "../types.ts";

/** One change of a tool's result. */
export interface ResultChange {
  /** Where, as a JSON Pointer (RFC 6901); "" is the whole result. */
  readonly pointer: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What a call that is not executed answers. */
export interface FaultResponse {
  /** What the agent reads. */
  readonly text: string;
  /** The HTTP status that it speaks of; null when it names none. */
  readonly status: number | null;
}

/** An entry of the injection log: a call that met a fault or a block. Plain data, one JSON line. */
export interface InjectionRecord {
  /** The id of the episode. */
  readonly episode: string;
  /** The seed of the injector: with the episode it fixes all faults. */
  readonly seed: number;
  /** The number of the call in its episode, from 0, over all tools and clean calls too. */
  readonly call: number;
  readonly tool: string;
  readonly fault: MetFault;
  /** Whether the tool was called: true for the silent kinds only. */
  readonly executed: boolean;
  /** What the agent was told instead of a result; null when the call was executed. */
  readonly response: string | null;
  /** The HTTP status in the response, or null. */
  readonly status: number | null;
  /** What a silent fault changed; empty when the result held nothing that it may change, and for explicit faults. */
  readonly changes: readonly ResultChange[];
}
