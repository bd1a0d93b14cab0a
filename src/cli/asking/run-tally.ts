import { type CalibrantError, errorMessage } from "../../errors.ts";
import type { ChatAnswer } from "../../inference/chat-answer.ts";
import { chatErrorDetails } from "../../inference/chat-error.ts";

/** Prices of a million tokens; null = unknown. */
export interface TokenPrices {
  readonly priceIn: number | null;
  readonly priceOut: number | null;
}

/** What a run did; nothing of earlier runs. */
export interface RunCounts {
  /** Items asked in this run that were answered or failed. */
  readonly asked: number;
  readonly answeredNow: number;
  /** Items without answer, by reason, the most frequent first. */
  readonly failed: Readonly<Record<string, number>>;
  /** Of the answers of this run; null when the server counts none. */
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** Answers of this run that came without counts of tokens: they are in no sum. */
  readonly withoutUsage: number;
  /** In the unit of the prices; null without prices or counts. */
  readonly cost: number | null;
}

/** Items that failed for one reason. */
export interface FailureGroup {
  readonly reason: string;
  readonly ids: readonly string[];
  /** What the first one's error says. */
  readonly message: string;
}

/** Counts while a run goes on. */
export interface RunTally {
  /** An answer came, which is paid for whatever becomes of it. */
  spent(answer: Pick<ChatAnswer, "promptTokens" | "completionTokens">): void;
  /** An item has its answer. */
  answered(): void;
  failed(id: string, error: CalibrantError): void;
  counts(): RunCounts;
  failures(): readonly FailureGroup[];
}

/** Creates a {@link RunTally}. */
export function createRunTally(prices: TokenPrices): RunTally {
  const sums = { items: 0, answers: 0, prompt: 0, completion: 0, uncounted: 0 };
  const groups = new Map<string, { reason: string; ids: string[]; message: string }>();
  return {
    answered() {
      sums.items++;
    },
    spent(answer) {
      sums.answers++;
      if (answer.promptTokens === null || answer.completionTokens === null) sums.uncounted++;
      sums.prompt += answer.promptTokens ?? 0;
      sums.completion += answer.completionTokens ?? 0;
    },
    failed(id, error) {
      const reason = chatErrorDetails(error)?.reason ?? "error";
      const group = groups.get(reason) ?? { reason, ids: [], message: errorMessage(error) };
      group.ids.push(id);
      groups.set(reason, group);
    },
    counts() {
      const failed = Object.fromEntries(sorted(groups).map(({ reason, ids }) => [reason, ids.length]));
      const failures = Object.values(failed).reduce((sum, n) => sum + n, 0);
      const counted = sums.answers === 0 || sums.uncounted < sums.answers;
      return {
        asked: sums.items + failures,
        answeredNow: sums.items,
        failed,
        promptTokens: counted ? sums.prompt : null,
        completionTokens: counted ? sums.completion : null,
        withoutUsage: sums.uncounted,
        cost: counted ? tokenCost(sums.prompt, sums.completion, prices) : null,
      };
    },
    failures: () => sorted(groups),
  };
}

/** The most frequent first. */
function sorted(groups: ReadonlyMap<string, FailureGroup>): FailureGroup[] {
  return [...groups.values()].sort((a, b) => b.ids.length - a.ids.length || (a.reason < b.reason ? -1 : 1));
}

/** What tokens cost; null without any price, and a price that is unknown counts 0. */
export function tokenCost(prompt: number, completion: number, prices: TokenPrices): number | null {
  const { priceIn, priceOut } = prices;
  if (priceIn === null && priceOut === null) return null;
  return (prompt * (priceIn ?? 0) + completion * (priceOut ?? 0)) / 1e6;
}
