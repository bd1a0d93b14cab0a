import { type PromptMessage, toolFaultPrompt } from "../../metrics/toolfault/prompt.ts";
import type { ToolFaultItem } from "../../metrics/toolfault/tool-fault-item.ts";
import type { RunOptions } from "./run-options.ts";
import { tokenCost } from "./run-tally.ts";

/** English text and JSON have about four characters a token. */
const CHARACTERS_PER_TOKEN = 4;

/** What `--dry-run` prints with `--json`. */
export interface DryRun {
  readonly items: number;
  readonly answeredBefore: number;
  readonly toAsk: number;
  /** The first prompt that would be sent; null when nothing is left to ask. */
  readonly first: { readonly id: string; readonly messages: readonly PromptMessage[] } | null;
  /** Estimated from the characters. */
  readonly promptTokens: number;
  /** If every answer were as long as it may be. */
  readonly maxCompletionTokens: number;
  /** Of those tokens; null without prices. */
  readonly maxCost: number | null;
}

/** What a run would ask. */
export function dryRun(
  pending: readonly ToolFaultItem[],
  answeredBefore: number,
  options: Pick<RunOptions, "maxTokens" | "priceIn" | "priceOut">,
): DryRun {
  const [first] = pending;
  let characters = 0;
  for (const item of pending) for (const { content } of toolFaultPrompt(item)) characters += content.length;
  const promptTokens = Math.ceil(characters / CHARACTERS_PER_TOKEN);
  const maxCompletionTokens = pending.length * options.maxTokens;
  return {
    items: pending.length + answeredBefore,
    answeredBefore,
    toAsk: pending.length,
    first: first === undefined ? null : { id: first.id, messages: toolFaultPrompt(first) },
    promptTokens,
    maxCompletionTokens,
    maxCost: tokenCost(promptTokens, maxCompletionTokens, options),
  };
}

/** The same for people. */
export function renderDryRun(run: DryRun): string {
  const messages = run.first?.messages.map(({ role, content }) => `[${role}]\n${content}\n\n`) ?? [];
  const title = run.first === null ? "" : `Prompt of item ${run.first.id}:\n\n`;
  const cost = run.maxCost === null ? "" : `; cost at most about ${run.maxCost.toFixed(4)}`;
  return `${title}${messages.join("")}${count(run.toAsk)} of ${count(run.items)} items to ask (${count(run.answeredBefore)} answered before): about ${count(run.promptTokens)} prompt tokens (characters / ${CHARACTERS_PER_TOKEN}), at most ${count(run.maxCompletionTokens)} completion tokens${cost}
`;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
