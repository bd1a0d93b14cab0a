import { hadEffect } from "../../recovery/had-effect.ts";
import type { InjectionRecord } from "../../recovery/injection-record.ts";
import type { Scenario } from "../../recovery/scenario/scenario.ts";

/** What ended an episode: the client went, the server went, the proxy was told to stop, or it was killed. */
export type EpisodeEnd = "client" | "server" | "signal" | "killed";

/** The columns of an episode that are known when it begins. */
export interface EpisodeHeader {
  readonly episode_id: string;
  readonly task_id: string | null;
  readonly model: string | null;
  readonly condition: "clean" | "injected";
  readonly scenario: Scenario | null;
  readonly seed: number;
  readonly p_clean: number | null;
  readonly budget: number | null;
  readonly k_max: number | null;
  readonly blocked: readonly string[];
  readonly gold_actions: unknown;
}

/** A call as it is recorded. */
export interface RecordedCall {
  readonly index: number;
  readonly tool: string;
  /** JSON. */
  readonly arguments: string;
  /** What the client got; null when no answer came. */
  readonly content: string | null;
}

/** How an episode came out. */
export interface EpisodeOutcome {
  readonly ended: EpisodeEnd;
  /** 1 or 0; null = nobody checked. */
  readonly completed: 0 | 1 | null;
  /** What there is to say about it. */
  readonly note: string | null;
}

/** A row of the file of episodes. */
export type EpisodeRow = Readonly<Record<string, unknown>>;

/** The row of an episode, in the columns that `calibrant score --reward bench2robust` reads. */
export function episodeRow(
  header: EpisodeHeader,
  calls: readonly RecordedCall[],
  injections: readonly InjectionRecord[],
  { ended, completed, note }: EpisodeOutcome,
): EpisodeRow {
  const { gold_actions, ...known } = header;
  return {
    ...known,
    messages: calls.flatMap(messagesOf),
    num_turns: calls.length,
    completed,
    gold_actions,
    injections,
    fault_types: [...new Set(injections.filter(hadEffect).map(({ fault }) => fault))],
    ended,
    note,
  };
}

function messagesOf({ index, tool, arguments: args, content }: RecordedCall): object[] {
  const id = `call_${index}`;
  const call = { id, type: "function", function: { name: tool, arguments: args } };
  const asked = { role: "assistant", content: null, tool_calls: [call] };
  return content === null ? [asked] : [asked, { role: "tool", tool_call_id: id, name: tool, content }];
}

/** A text of at most `maxBytes` bytes of UTF-8; what is cut off leaves a mark that says how long it was. */
export function cutText(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const kept = bytes.toString("utf8", 0, maxBytes).replace(/\uFFFD$/, "");
  return `${kept}[… cut: ${bytes.length} bytes in all]`;
}
