import type { ByteSink } from "../../data/byte-sink.ts";
import type { ChatMessage } from "../../inference/chat-client.ts";
import {
  createTokenEstimator,
  estimateWords,
  promptText,
  type TokenEstimate,
} from "../asking/token-estimate.ts";
import { type AskItem, answersAllowed, messagesToAsk } from "./ask-items.ts";
import type { JudgingOptions } from "./judging-options.ts";

/** What a dry run says besides the prompts. */
export interface DryRunCounts {
  /** What is counted: `trajectories`. */
  readonly what: string;
  readonly total: number;
  /** That the file has what they need of. */
  readonly done: number;
  /** That no model is asked about; null where it always is. */
  readonly withoutModel: number | null;
  /** That used up their answers. */
  readonly usedUp: number;
}

type DryRunOptions = Pick<
  JudgingOptions,
  "json" | "quiet" | "maxTokens" | "maxAttempts" | "retryFailed" | "priceIn" | "priceOut"
>;

/** Tokens and cost for one answer each, and for all answers that the questions may have. */
interface Estimates {
  readonly once: TokenEstimate;
  readonly most: TokenEstimate;
}

/**
 * Writes every prompt that would be sent, as it stands now, and an estimate of tokens and cost: for one answer each, and for as many as
 * they may have. With `--json` one document: `prompts` (a list of `{id…, messages}`), the counts, and the estimates.
 *
 * @param note - is given the estimate as well where the sink is nothing that people look at.
 */
export async function writeDryRun<T>(
  items: readonly AskItem<T>[],
  counts: DryRunCounts,
  options: DryRunOptions,
  sink: Pick<ByteSink, "write">,
  note: (text: string) => void,
): Promise<void> {
  const write = (text: string): Promise<void> => sink.write(Buffer.from(text));
  const { json } = options;
  const tokens = createTokenEstimator();
  if (json) await write('{\n  "prompts": [');
  for (const [index, item] of items.entries()) {
    const messages = await messagesToAsk(item);
    const { length } = item.earlier;
    tokens.add(messages, answersAllowed(length, options) - length);
    await write(
      json ? promptJson(item.ids, messages, index) : `Prompt of ${item.name}:\n\n${promptText(messages)}`,
    );
  }
  const estimates = { once: tokens.estimate(options), most: tokens.bound(options) };
  if (json) return await write(endJson(items.length, counts, estimates));
  const text = endText(items.length, counts, estimates, options.maxAttempts);
  await write(text);
  if (!options.quiet) note(text);
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
  { what, total, done, withoutModel, usedUp }: DryRunCounts,
  { once, most }: Estimates,
): string {
  const counts = {
    [what]: total,
    done,
    ...(withoutModel !== null && { withoutModel }),
    usedUpAnswers: usedUp,
    toAsk,
  };
  const rest = JSON.stringify({ ...counts, ...once, withAllAttempts: most }, null, 2);
  return `${toAsk > 0 ? "\n  " : ""}],${rest.slice(1)}\n`;
}

function endText(
  toAsk: number,
  { what, total, done, withoutModel, usedUp }: DryRunCounts,
  { once, most }: Estimates,
  maxAttempts: number,
): string {
  const others = [
    `${count(done)} done before`,
    ...(withoutModel === null ? [] : [`${count(withoutModel)} read without a model`]),
    ...(usedUp === 0 ? [] : [`${count(usedUp)} used up their answers`]),
  ];
  const bound =
    toAsk === 0 || maxAttempts === 1
      ? ""
      : `\nif all take --max-attempts ${maxAttempts} answers: at most ${estimateWords(most)}`;
  return `${count(toAsk)} of ${count(total)} ${what} to ask (${others.join(", ")}); for one answer each: ${estimateWords(once)}${bound}\n`;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
