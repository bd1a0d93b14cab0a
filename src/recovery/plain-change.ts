import type { ResultChange } from "./injection-record.ts";

/**
 * A change as the injection log has it: plain JSON. Integers beyond 2^53, which are BigInt in a result that was read from text, become
 * their digits as text. The change itself is returned where it holds none.
 */
export function plainChange(change: ResultChange): ResultChange {
  const { pointer, before, after } = change;
  if (!holdsBigInt(before) && !holdsBigInt(after)) return change;
  return { pointer, before: withDigits(before), after: withDigits(after) };
}

function holdsBigInt(root: unknown): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "bigint") return true;
    if (value !== null && typeof value === "object")
      for (const inner of Object.values(value)) open.push(inner);
  }
  return false;
}

function withDigits(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "bigint" ? inner.toString() : inner,
  );
  return JSON.parse(text);
}
