import { existsSync, readFileSync } from "node:fs";

/** Where a file of the shared TRUST vectors lies, beside the repository. */
function vectorPath(name: string): URL {
  return new URL(`../../../../shared/cases/trust/${name}.json`, import.meta.url);
}

/** Whether the shared vectors are there; tests of them are skipped without. */
export const HAS_VECTORS: boolean = existsSync(vectorPath("released_turn"));

/** The vectors of a file; empty where there are none. */
export function vectors<Input, Expected>(
  name: string,
): readonly { readonly name: string; readonly input: Input; readonly expected: Expected }[] {
  return HAS_VECTORS ? JSON.parse(readFileSync(vectorPath(name), "utf8")) : [];
}

/** A number as the vectors write it: those that JSON lacks are text. */
export function numberOf(value: number | string | null): number | null {
  return value === null ? null : Number(value);
}
