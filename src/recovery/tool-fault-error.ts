import type { MetFault } from "../types.ts";

/**
 * What a tool under injection throws where faults are thrown. Its message is what the agent would read. It is no failure of this package, and so
 * no CalibrantError.
 */
export class ToolFaultError extends Error {
  readonly fault: MetFault;
  readonly tool: string;
  /** The HTTP status that the message speaks of, or null. */
  readonly status: number | null;

  constructor(message: string, fault: MetFault, tool: string, status: number | null) {
    super(message);
    this.name = "ToolFaultError";
    this.fault = fault;
    this.tool = tool;
    this.status = status;
  }
}
