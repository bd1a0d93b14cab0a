import { CalibrantError } from "../../errors.ts";
import type { Row } from "../jsonl/row-value.ts";
import { asFields, checkRecord, type RolloutRow, type RowAdapter, scalarFields } from "./row-adapter.ts";
import { conversationColumns, wireMessages } from "./wire-messages.ts";

/**
 * Reads OpenAI's formats, record by record:
 *
 * - chat rows `{messages, tools?, …}` as in fine-tuning files: one row; fields beside `messages` are kept as they are.
 * - chat completions `{id, choices, …}`: one row a choice, all with the completion's id as `group_id`; `logprobs` are
 *   those of the choice's content tokens. Request messages at `messages`, `request.messages`, `request.body.messages` or
 *   `body.messages` come before the choice's message.
 * - batch output lines `{custom_id, response: {body}}`: as completions, with `custom_id` as `group_id`. A line whose
 *   request failed is one row with `error` and no response.
 */
export async function fromOpenAi(): Promise<RowAdapter> {
  const { z } = await import("zod");
  const message = z.looseObject({ role: z.string() });
  const chat = z.looseObject({ messages: z.array(message).min(1) });
  const tokens = z.custom<readonly unknown[] | null | undefined>(
    isTokenList,
    "expected a list of {token, logprob}",
  );
  const completion = z.looseObject({
    choices: z.array(
      z.looseObject({ message: z.looseObject({}), logprobs: z.looseObject({ content: tokens }).nullish() }),
    ),
  });
  return (record, place) => {
    if ("custom_id" in record && "response" in record) {
      const response = asFields(record.response);
      const body = asFields(response?.body);
      if (body === null || !("choices" in body)) return [failedRow(record, response, body)];
      checkRecord(completion, body, `${place}: response.body`);
      return choiceRows(body, record, String(record.custom_id));
    }
    if ("choices" in record) {
      checkRecord(completion, record, place);
      return choiceRows(record, record, typeof record.id === "string" ? record.id : place);
    }
    if ("messages" in record) {
      checkRecord(chat, record, place);
      return [chatRow(record)];
    }
    throw new CalibrantError(
      "data",
      `${place}: expected messages, choices or response.body (OpenAI), found ${Object.keys(record).join(", ")}`,
      { place },
    );
  };
}

function isTokenList(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return Array.isArray(value) && value.every((token) => asFields(token) !== null);
}

function chatRow(record: Row): RolloutRow {
  const { reward, messages, ...rest } = record;
  const columns = conversationColumns(wireMessages(messages as unknown[]));
  // Columns of its own, such as response or tool_calls, say more than what the messages imply.
  return { ...columns, ...rest, ...scalarFields({ reward }) };
}

/** @param outer - the record around the completion: the completion itself, or its batch line. */
function choiceRows(completion: Row, outer: Row, group: string): RolloutRow[] {
  const request = requestOf(outer);
  const before = Array.isArray(request?.messages) ? wireMessages(request.messages) : [];
  const shared = {
    ...(request?.tools !== undefined && { tools: request.tools }),
    ...scalarFields({ seed: request?.seed }),
    ...scalarFields(outer, SKIPPED),
    ...scalarFields(completion, SKIPPED),
  };
  return (completion.choices as Row[]).map((choice, position) => {
    const index = typeof choice.index === "number" ? choice.index : position;
    const answer = wireMessages([{ role: "assistant", ...asFields(choice.message) }]);
    const tokens = asFields(choice.logprobs)?.content;
    return {
      rollout_id: `${group}:${index}`,
      group_id: group,
      ...shared,
      ...scalarFields(choice, ["index"]),
      ...conversationColumns(answer),
      messages: [...before, ...answer],
      ...(Array.isArray(tokens) && { logprobs: (tokens as Row[]).map((token) => token.logprob ?? null) }),
    };
  });
}

/** Fields that say what kind of record it is, or whose content is in `rollout_id`. */
const SKIPPED = ["object", "id", "method", "url"];

function requestOf(record: Row): Row | null {
  const request = asFields(record.request);
  const candidates = [record, request, asFields(request?.body), asFields(record.body)];
  return candidates.find((candidate) => Array.isArray(candidate?.messages)) ?? null;
}

function failedRow(record: Row, response: Row | null, body: Row | null): RolloutRow {
  const request = requestOf(record);
  const error = asFields(record.error) ?? asFields(body?.error);
  const status = typeof response?.status_code === "number" ? `status ${response.status_code}` : "no response";
  return {
    rollout_id: String(record.custom_id),
    group_id: String(record.custom_id),
    ...scalarFields(record, SKIPPED),
    ...(Array.isArray(request?.messages) && { messages: wireMessages(request.messages) }),
    error: typeof error?.message === "string" ? error.message : status,
  };
}
