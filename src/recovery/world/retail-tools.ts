import { CalibrantError } from "../../errors.ts";
import { READ_TOOLS } from "./read-tools.ts";
import type { RetailSession } from "./retail-session.ts";
import { type RetailArguments, type RetailTool, RetailToolError } from "./retail-tool.ts";
import { WRITE_TOOLS } from "./write-tools.ts";

const TOOLS: ReadonlyMap<string, RetailTool> = new Map(Object.entries({ ...READ_TOOLS, ...WRITE_TOOLS }));

/** The names of the world's tools: those that read, those that write, and the way to a person. */
export const RETAIL_TOOL_NAMES: readonly string[] = [...TOOLS.keys()];

/** The tool that hands a task over to a person. */
export const TRANSFER_TOOL = "transfer_to_human";

/**
 * Calls a tool of the world. It answers with JSON text; a call that it refuses answers `{"error": …}`, as an API would.
 *
 * @throws CalibrantError `usage` for a tool that does not exist.
 */
export async function callRetailTool(
  session: RetailSession,
  name: string,
  args: RetailArguments,
): Promise<string> {
  const tool = TOOLS.get(name);
  if (tool === undefined) throw new CalibrantError("usage", `the retail world has no tool ${name}`, { name });
  try {
    return JSON.stringify(tool(session, args));
  } catch (error) {
    if (error instanceof RetailToolError) return JSON.stringify({ error: error.message });
    throw error;
  }
}
