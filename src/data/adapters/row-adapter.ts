import type { ZodType } from "zod";
import { CalibrantError } from "../../errors.ts";
import type { Row } from "../jsonl/row-value.ts";

/** A rollout under its wire column names; a column that the source does not have is left out. */
export type RolloutRow = Record<string, unknown>;

/**
 * Turns one record of a trainer's or benchmark's dump into rollouts.
 *
 * @param place - where the record stands, for errors: `FILE:LINE` or `FILE: element N`.
 * @throws CalibrantError `data` when the record does not have the source's shape, naming place, path and problem.
 */
export type RowAdapter = (record: Row, place: string) => RolloutRow[];

/**
 * Checks the outer shape of a record, as far as the adapter relies on it.
 *
 * @throws CalibrantError `data`: place, path and problem of the first mismatch, and how many more there are.
 */
export function checkRecord(schema: ZodType, record: unknown, place: string): void {
  const result = schema.safeParse(record);
  if (result.success) return;
  const [first] = result.error.issues;
  const more = result.error.issues.length - 1;
  const path = (first?.path ?? [])
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("");
  const problem = `${first?.message ?? "not valid"}${more > 0 ? ` (and ${more} more)` : ""}`;
  throw new CalibrantError("data", `${place}: ${path.replace(/^\./, "") || "record"}: ${problem}`, {
    place,
    path,
  });
}

/**
 * The text, number and boolean fields of a record, which reports can slice by; nulls and nested fields are left out.
 * The source's own `reward` is called `env_reward`, because scoring adds a column `reward`.
 */
export function scalarFields(record: Row, except: readonly string[] = []): RolloutRow {
  const entries = Object.entries(record).filter(([key, value]) => isScalar(value) && !except.includes(key));
  return Object.fromEntries(entries.map(([key, value]) => [key === "reward" ? "env_reward" : key, value]));
}

function isScalar(value: unknown): boolean {
  return ["string", "number", "bigint", "boolean"].includes(typeof value);
}

/** The object that a value is; null when it is none. */
export function asFields(value: unknown): Row | null {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Row) : null;
}

/** Whether a benchmark's reward means that the task was done: 1, within 1e-6; null when there is no reward. */
export function isCompleted(reward: unknown): boolean | null {
  return typeof reward === "number" ? Math.abs(reward - 1) <= 1e-6 : null;
}
