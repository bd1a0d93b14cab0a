import type { RetailSession } from "./retail-session.ts";

/** Arguments of a call as the agent wrote them. */
export type RetailArguments = Readonly<Record<string, unknown>>;

/** What a tool does in a session. */
export type RetailTool = (session: RetailSession, args: RetailArguments) => object;

/** A call that a tool refuses; its message is what the agent is told. */
export class RetailToolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RetailToolError";
  }
}
