import type { ColumnRenames } from "../../data/check-columns.ts";
import { jsonText } from "../../data/jsonl/json-text.ts";
import { CalibrantError } from "../../errors.ts";
import {
  type PromptMessage,
  TOOLFAULT_PROMPT_VERSION,
  toolFaultPrompt,
  toolFaultPromptHash,
} from "../../metrics/toolfault/prompt.ts";
import type { ToolFaultItem } from "../../metrics/toolfault/tool-fault-item.ts";
import { standardOutput } from "../standard-output.ts";
import { readItems } from "./read-items.ts";

/** What `calibrant toolfault prompt` is asked for. */
export interface PromptOptions {
  readonly files: readonly string[];
  readonly columns: ColumnRenames;
  /** The items to show, in this order; null = all, in the order of the files. */
  readonly ids: readonly string[] | null;
  /** A JSON line an item. */
  readonly json: boolean;
  /** Leaves out the line with version and hash. */
  readonly quiet: boolean;
}

/**
 * Prints the evaluation prompts of items on standard output.
 *
 * @throws CalibrantError `data` listing ids that no item has; as {@link readItems}.
 */
export async function promptCommand(options: PromptOptions): Promise<void> {
  const items = chosenItems(await readItems(options.files, options.columns), options.ids);
  const hash = await toolFaultPromptHash();
  const output = standardOutput();
  const write = (text: string): Promise<void> => output.write(Buffer.from(text));
  if (!options.json && !options.quiet)
    await write(`prompt version ${TOOLFAULT_PROMPT_VERSION}, sha256 ${hash}\n\n`);
  for (const item of items) {
    const messages = toolFaultPrompt(item);
    await write(options.json ? promptLine(item.id, messages, hash) : promptText(item.id, messages));
  }
}

function chosenItems(
  items: readonly ToolFaultItem[],
  ids: readonly string[] | null,
): readonly ToolFaultItem[] {
  if (ids === null) return items;
  const byId = new Map(items.map((item) => [item.id, item]));
  const unknown = ids.filter((id) => !byId.has(id));
  if (unknown.length > 0)
    throw new CalibrantError("data", `no item has the id ${unknown.join(", ")}`, { ids: unknown });
  return [...new Set(ids)].map((id) => byId.get(id) as ToolFaultItem);
}

function promptLine(id: string, messages: readonly PromptMessage[], hash: string): string {
  return `${jsonText({ id, messages, prompt_version: TOOLFAULT_PROMPT_VERSION, prompt_hash: hash })}\n`;
}

function promptText(id: string, messages: readonly PromptMessage[]): string {
  return messages.map(({ role, content }) => `--- ${id}, ${role}\n${content}\n\n`).join("");
}
