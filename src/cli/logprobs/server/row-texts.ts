import { jsonReader, listColumn, textReader } from "../../../data/batch-columns.ts";
import type { ColumnNeeds, ColumnRequest, RolloutBatch } from "../../../data/columns.ts";
import type { TextToScore } from "../../../uq/logprobs/server/sequence-ids.ts";
import type { Fill } from "./fills.ts";

/** Why a row has nothing to ask about. */
export type NothingToAsk = "no prompt" | "no response" | "empty";

/** The texts of a row, one for each fill. */
export type RowTexts = readonly (TextToScore | NothingToAsk)[];

const PROMPT_IDS: ColumnRequest = { name: "prompt_token_ids", kind: "list" };
const MESSAGES: ColumnRequest = { name: "messages", kind: "json" };
const PROMPT: ColumnRequest = { name: "prompt", kind: "text" };
const TOOLS: ColumnRequest = { name: "tools", kind: "json" };

/** The columns that are read: a prompt, and a text or its token ids for each fill. */
export function textNeeds(fills: readonly Fill[], rawPrompt: boolean): ColumnNeeds {
  return {
    required: [
      rawPrompt ? [PROMPT_IDS, PROMPT] : [PROMPT_IDS, MESSAGES, PROMPT],
      ...fills.map(({ text }): ColumnRequest[] => [
        { name: text, kind: "text" },
        { name: `${text}_token_ids`, kind: "list" },
      ]),
    ],
    optional: rawPrompt ? [] : [TOOLS],
  };
}

/** Reads the texts of the rows of a batch that was read with {@link textNeeds}. */
export function rowTexts(batch: RolloutBatch, fills: readonly Fill[]): (row: number) => RowTexts {
  const promptIds = idsReader(batch, PROMPT_IDS.name);
  const messages = jsonReader(batch, MESSAGES.name);
  const tools = jsonReader(batch, TOOLS.name);
  const prompt = textReader(batch, PROMPT.name);
  const responses = fills.map(({ text }) => ({
    text: textReader(batch, text),
    ids: idsReader(batch, `${text}_token_ids`),
  }));
  return (row) => {
    const list = messages(row);
    const before = {
      promptTokenIds: promptIds(row),
      messages: Array.isArray(list) && list.length > 0 ? list : null,
      tools: tools(row),
      prompt: prompt(row),
    };
    const hasPrompt = before.promptTokenIds !== null || before.messages !== null || before.prompt !== null;
    return responses.map(({ text, ids }) => {
      const own = { responseTokenIds: ids(row), response: text(row) };
      if (own.responseTokenIds === null && own.response === null) return "no response";
      if (own.responseTokenIds?.length === 0 || (own.responseTokenIds === null && own.response === ""))
        return "empty";
      return hasPrompt ? { ...before, ...own } : "no prompt";
    });
  };
}

/** The ids of a row, NaN for a null among them; null where the row has no list. */
function idsReader(batch: RolloutBatch, name: string): (row: number) => Float64Array | null {
  const column = listColumn(batch, name);
  if (column === null) return () => null;
  const { values, offsets, rowValid, valueValid } = column;
  return (row) => {
    if (rowValid?.[row] === 0) return null;
    const start = offsets[row] as number;
    const ids = new Float64Array((offsets[row + 1] as number) - start);
    for (let at = 0; at < ids.length; at++)
      ids[at] = valueValid?.[start + at] === 0 ? Number.NaN : (values[start + at] as number);
    return ids;
  };
}
