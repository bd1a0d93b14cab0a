import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../src/math/seeded-random.ts";
import { corruptResult } from "../../../src/recovery/corrupt/corrupt-result.ts";
import { looksLikeId } from "../../../src/recovery/corrupt/looks-like-id.ts";
import { SILENT_FAULTS, type SilentFault } from "../../../src/recovery/fault-kinds.ts";
import { applied } from "./apply-changes.ts";

const RETAIL = new URL("../../../../shared/data/tau2_bench/retail/db.json", import.meta.url);
const AIRLINE = new URL("../../../../shared/data/tau_bench/gpt-4o-airline-40.json", import.meta.url);
const ID_NAME = /^(?:id|.*_ids?|zip|.*_number|last_four)$/;

/** Corrupts each with each fault; how many were changed, by fault. */
function corrupted(texts: readonly string[]): Record<SilentFault, number> {
  const random = seededRandom(11);
  const counts = { partial: 0, stale: 0, factual_error: 0 };
  for (const text of texts) {
    for (const fault of SILENT_FAULTS) {
      const { value, changes } = corruptResult(text, fault, random);
      if (changes.length > 0) counts[fault] += 1;
      if (!/^[{[]/.test(text)) continue;
      const [before, after] = [JSON.parse(text), JSON.parse(value as string)];
      expect(JSON.stringify(after)).toBe(JSON.stringify(applied(before, changes)));
      expect(ids(after).join()).toBe(ids(before).join());
    }
  }
  return counts;
}

/** By name, by look, and as keys. */
function ids(value: unknown, isId = false): unknown[] {
  if (Array.isArray(value)) return value.flatMap((inner) => ids(inner, isId));
  if (value !== null && typeof value === "object")
    return Object.entries(value).flatMap(([key, inner]) => [
      ...(looksLikeId(key) ? [key] : []),
      ...ids(inner, ID_NAME.test(key)),
    ]);
  return isId || (typeof value === "string" && looksLikeId(value)) ? [value] : [];
}

describe.skipIf(!existsSync(RETAIL))("the retail database of tau2-bench", () => {
  it("keeps its ids under every fault, and changes what can change", () => {
    const { orders, users, products } = JSON.parse(readFileSync(RETAIL, "utf8"));
    const texts = [orders, users, products].map((table) =>
      Object.values(table).map((row) => JSON.stringify(row)),
    );
    const pending = (Object.values(orders) as { status: string }[]).filter(
      ({ status }) => status === "pending",
    ).length;
    expect(corrupted(texts[0] as string[])).toEqual({
      partial: 1000,
      stale: 1000 - pending,
      factual_error: 1000,
    });
    expect(corrupted(texts[1] as string[])).toMatchObject({ partial: 500, stale: 0 });
    expect(corrupted(texts[2] as string[])).toEqual({ partial: 50, stale: 0, factual_error: 50 });
  });
});

describe.skipIf(!existsSync(AIRLINE))("the tool results of airline episodes", () => {
  it("keep their ids under every fault", () => {
    const episodes = JSON.parse(readFileSync(AIRLINE, "utf8")) as {
      traj: { role: string; content: string }[];
    }[];
    const texts = episodes.flatMap(({ traj }) =>
      traj.filter(({ role }) => role === "tool").map(({ content }) => content),
    );
    const { partial, stale, factual_error } = corrupted(texts);
    expect(partial).toBeGreaterThan(texts.length * 0.8);
    expect(factual_error).toBeGreaterThan(texts.length * 0.7);
    expect(stale).toBe(texts.filter((text) => text.includes('"status": "cancelled"')).length);
  });
});
