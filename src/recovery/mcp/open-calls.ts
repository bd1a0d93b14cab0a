import { canonicalJson } from "../../data/calls/canonical-json.ts";
import type { ToolResult } from "./corrupt-tool-result.ts";
import type { OpenCall } from "./mcp-call.ts";
import { asRecord, type McpRequest } from "./mcp-message.ts";

/**
 * Calls whose first answer is not their result: the server made a task of them (2025-11-25), or asks for input and is then called
 * once more (2026-07-28). To the agent each of them is one call.
 */
export class OpenCalls {
  readonly #tasks: Map<unknown, OpenCall> = new Map();
  readonly #asking: Map<string, OpenCall> = new Map();

  /** Keeps a call whose answer is an intermediate one; false when the answer is the result. */
  keep(request: McpRequest, call: OpenCall, answer: ToolResult): boolean {
    const taskId = asRecord(answer.task)?.taskId;
    if (request.method === "tools/call" && taskId !== undefined && answer.content === undefined) {
      this.#tasks.set(taskId, call);
      return true;
    }
    if (answer.resultType === undefined || answer.resultType === "complete") return false;
    this.#asking.set(keyOf(request, answer.requestState), call);
    return true;
  }

  /** The call that became a task; null for an unknown task. */
  ofTask(taskId: unknown): OpenCall | null {
    return this.#tasks.get(taskId) ?? null;
  }

  /** The call that a request goes on with, which brings the input that the server asked for; null for a new call. */
  ofAnswer(request: McpRequest): OpenCall | null {
    const { inputResponses, requestState } = request.params ?? {};
    if (inputResponses === undefined && requestState === undefined) return null;
    const key = keyOf(request, requestState);
    const call = this.#asking.get(key) ?? null;
    this.#asking.delete(key);
    return call;
  }
}

function keyOf({ params }: McpRequest, requestState: unknown): string {
  if (typeof requestState === "string") return `state ${requestState}`;
  return `call ${canonicalJson([params?.name, params?.arguments ?? {}])}`;
}
