import type { ByteSink } from "../../data/byte-sink.ts";
import type { ChatMessage } from "../../inference/chat-client.ts";
import {
  createTokenEstimator,
  estimateWords,
  promptText,
  type TokenEstimate,
} from "../asking/token-estimate.ts";
import { type AskItem, messagesToAsk } from "./ask-items.ts";
import type { JudgingOptions } from "./judging-options.ts";

/** What a dry run says besides the prompts. */
export interface DryRunCounts {
  /** What is counted: `trajectories`. */
  readonly what: string;
  readonly total: number;
  /** With an answer already, or with none to ask for. */
  readonly done: number;
  /** That used up their answers. */
  readonly failed: number;
}

/**
 * Writes every prompt that would be sent, as it stands now, and an estimate of tokens and cost for asking each once. With `--json`
 * one document: `prompts` (a list of `{id…, messages}`), the counts, and the estimate.
 */
export async function writeDryRun<T>(
  items: readonly AskItem<T>[],
  counts: DryRunCounts,
  options: Pick<JudgingOptions, "json" | "maxTokens" | "priceIn" | "priceOut">,
  sink: Pick<ByteSink, "write">,
): Promise<void> {
  const write = (text: string): Promise<void> => sink.write(Buffer.from(text));
  const { json } = options;
  const tokens = createTokenEstimator();
  if (json) await write('{\n  "prompts": [');
  for (const [index, item] of items.entries()) {
    const messages = await messagesToAsk(item);
    tokens.add(messages);
    await write(
      json ? promptJson(item.ids, messages, index) : `Prompt of ${item.name}:\n\n${promptText(messages)}`,
    );
  }
  const estimate = tokens.estimate(options);
  await write(json ? endJson(items.length, counts, estimate) : endText(items.length, counts, estimate));
}

/** Prompts of many trajectories are longer than any string may be: one is written at a time. */
function promptJson(
  ids: Readonly<Record<string, unknown>>,
  messages: readonly ChatMessage[],
  index: number,
): string {
  return `${index === 0 ? "" : ","}\n    ${JSON.stringify({ ...ids, messages })}`;
}

function endJson(
  toAsk: number,
  { what, total, done, failed }: DryRunCounts,
  estimate: TokenEstimate,
): string {
  const rest = JSON.stringify({ [what]: total, done, failed, toAsk, ...estimate }, null, 2);
  return `${toAsk > 0 ? "\n  " : ""}],${rest.slice(1)}\n`;
}

function endText(
  toAsk: number,
  { what, total, done, failed }: DryRunCounts,
  estimate: TokenEstimate,
): string {
  const left = failed === 0 ? "" : `, ${count(failed)} failed before`;
  return `${count(toAsk)} of ${count(total)} ${what} to ask (${count(done)} done before${left}): ${estimateWords(estimate)}\n`;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
