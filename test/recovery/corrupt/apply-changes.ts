import type { ResultChange } from "../../../src/recovery/injection-record.ts";

/** The value at a JSON Pointer. */
export function at(value: unknown, pointer: string): unknown {
  return parts(pointer).reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value);
}

/** A copy of JSON data in which every change is made, after a look that `before` stands there. */
export function applied(value: unknown, changes: readonly ResultChange[]): unknown {
  const root = { "": structuredClone(value) };
  for (const { pointer, after } of changes) {
    const keys = ["", ...parts(pointer)];
    const last = keys.pop() as string;
    const container = keys.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], root);
    (container as Record<string, unknown>)[last] = after;
  }
  return root[""];
}

function parts(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}
