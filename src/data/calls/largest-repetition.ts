import type { ToolCall } from "../../types.ts";
import { callKey } from "./call-key.ts";

/** Which identical calls count as repeated: any in the episode (loops A, B, A, B count), or only runs of one call. */
export type RepetitionCounting = "total" | "consecutive";

/** The largest number of times one identical call occurs, anywhere or in one run; 0 without calls. */
export function largestRepetition(calls: readonly ToolCall[], mode: RepetitionCounting = "total"): number {
  const counts = new Map<string, number>();
  let most = 0;
  let previous = "";
  for (const call of calls) {
    const key = callKey(call);
    if (mode === "consecutive" && key !== previous) counts.clear();
    previous = key;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > most) most = count;
  }
  return most;
}
