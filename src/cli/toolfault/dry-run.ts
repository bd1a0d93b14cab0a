import { type PromptMessage, toolFaultPrompt } from "../../metrics/toolfault/prompt.ts";
import type { ToolFaultItem } from "../../metrics/toolfault/tool-fault-item.ts";
import {
  createTokenEstimator,
  estimateWords,
  promptText,
  type TokenEstimate,
} from "../asking/token-estimate.ts";
import type { RunOptions } from "./run-options.ts";

/** What `--dry-run` prints with `--json`. */
export interface DryRun extends TokenEstimate {
  readonly items: number;
  readonly answeredBefore: number;
  readonly toAsk: number;
  /** The first prompt that would be sent; null when nothing is left to ask. */
  readonly first: { readonly id: string; readonly messages: readonly PromptMessage[] } | null;
}

/** What a run would ask. */
export function dryRun(
  pending: readonly ToolFaultItem[],
  answeredBefore: number,
  options: Pick<RunOptions, "maxTokens" | "priceIn" | "priceOut">,
): DryRun {
  const [first] = pending;
  const tokens = createTokenEstimator();
  for (const item of pending) tokens.add(toolFaultPrompt(item));
  return {
    items: pending.length + answeredBefore,
    answeredBefore,
    toAsk: pending.length,
    first: first === undefined ? null : { id: first.id, messages: toolFaultPrompt(first) },
    ...tokens.estimate(options),
  };
}

/** The same for people. */
export function renderDryRun(run: DryRun): string {
  const title =
    run.first === null ? "" : `Prompt of item ${run.first.id}:\n\n${promptText(run.first.messages)}`;
  return `${title}${count(run.toAsk)} of ${count(run.items)} items to ask (${count(run.answeredBefore)} answered before): ${estimateWords(run)}\n`;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
