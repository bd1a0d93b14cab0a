import { jsonText } from "../../../data/jsonl/json-text.ts";
import type { TextToScore } from "../../../uq/logprobs/server/sequence-ids.ts";
import { renderRows } from "../../asking/summary-rows.ts";
import type { Rollouts } from "../open-rollouts.ts";
import type { Fill } from "./fills.ts";
import { type NothingToAsk, rowTexts, textNeeds } from "./row-texts.ts";

/** English text has about four characters a token. */
const CHARACTERS_PER_TOKEN = 4;

interface DryRunOptions {
  readonly rawPrompt: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Says what a run would ask about: nothing is asked and nothing is written. */
export async function dryRun(
  rollouts: Rollouts,
  fills: readonly Fill[],
  options: DryRunOptions,
): Promise<void> {
  let rows = 0;
  let texts = 0;
  let tokens = 0;
  const nothing: Record<NothingToAsk, number> = { "no prompt": 0, "no response": 0, empty: 0 };
  for await (const { batch } of rollouts.read(textNeeds(fills, options.rawPrompt))) {
    const textsOf = rowTexts(batch, fills);
    for (let at = 0; at < batch.rows; at++) {
      for (const text of textsOf(at)) {
        if (typeof text === "string") nothing[text]++;
        else {
          texts++;
          tokens += roughTokens(text);
        }
      }
    }
    rows += batch.rows;
  }
  const estimate = Math.ceil(tokens);
  if (options.json) {
    process.stdout.write(`${jsonText({ rows, texts, nothingToAsk: nothing, estimatedTokens: estimate })}\n`);
    return;
  }
  const count = (value: number): string => value.toLocaleString("en-US");
  process.stdout.write(
    renderRows([
      ["rows", count(rows)],
      ["texts to ask about", count(texts)],
      ...Object.entries(nothing).map(([why, n]) => [`  ${why}`, count(n)] as const),
      ["tokens, about", `${count(estimate)} (characters / ${CHARACTERS_PER_TOKEN})`],
    ]),
  );
}

function roughTokens({ promptTokenIds, messages, prompt, responseTokenIds, response }: TextToScore): number {
  const before =
    promptTokenIds?.length ??
    (messages == null ? (prompt ?? "") : jsonText(messages)).length / CHARACTERS_PER_TOKEN;
  return before + (responseTokenIds?.length ?? (response ?? "").length / CHARACTERS_PER_TOKEN);
}
