import type { Column } from "../../data/columns.ts";
import { CalibrantError } from "../../errors.ts";

/** The value of a column in one row; null = missing. Keys are text, booleans 1 and 0. */
export function cellValue(column: Column | undefined, row: number): unknown {
  switch (column?.kind) {
    case "key":
      return column.keys[column.codes[row] as number] ?? null;
    case "text":
    case "json":
      return column.get(row) ?? null;
    case "number": {
      const value = column.values[row] as number;
      return Number.isNaN(value) ? null : value;
    }
    default:
      return null;
  }
}

/** Finds ids that come more than once. */
export interface IdCheck {
  add(id: string, place: string): void;
  /** @throws CalibrantError `data` listing the ids that came more than once, and where. */
  finish(): void;
}

/** Creates an {@link IdCheck}. */
export function createIdCheck(): IdCheck {
  const seen = new Set<string>();
  const repeated = new Map<string, string>();
  return {
    add(id, place) {
      if (seen.has(id)) repeated.set(id, place);
      seen.add(id);
    },
    finish() {
      if (repeated.size > 0) throw repeatedIds(repeated);
    },
  };
}

/** An error lists this many ids; its details have all. */
const LISTED = 10;

function repeatedIds(repeated: ReadonlyMap<string, string>): CalibrantError {
  const listed = [...repeated].slice(0, LISTED).map(([id, place]) => `${id} (again at ${place})`);
  const more = repeated.size > LISTED ? `, and ${repeated.size - LISTED} more` : "";
  return new CalibrantError(
    "data",
    `every item needs an id of its own, but these occur more than once: ${listed.join(", ")}${more}`,
    { ids: [...repeated.keys()] },
  );
}
