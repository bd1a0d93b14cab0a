import type {
  Column,
  ColumnKind,
  ColumnNeeds,
  ColumnRequest,
  FoundColumn,
  RolloutBatch,
} from "../../data/columns.ts";
import { itemIndex } from "./item-index.ts";
import { readItem } from "./read-item.ts";
import type { When2CallItem } from "./when2call-item.ts";

/** Options of {@link createWhen2CallReader}. */
export interface When2CallReaderOptions {
  /** Columns to keep besides those that scoring needs, as those to slice by. Default: those of the published files. */
  readonly columns?: readonly string[];
  /** The columns of each input, where they are known: they say as what the kept ones are read. */
  readonly found?: readonly (readonly FoundColumn[])[];
}

/** Reads items batch by batch. */
export interface When2CallReader {
  /** What to read. */
  readonly needs: ColumnNeeds;
  /** @throws CalibrantError `data` naming row and field for a value that the field cannot have. */
  add(batch: RolloutBatch): void;
  /**
   * The items, in the order of their rows.
   *
   * @throws CalibrantError `data` listing the ids that occur twice.
   */
  finish(): When2CallItem[];
}

const IDS: readonly ColumnRequest[] = [
  { name: "uuid", kind: "key" },
  { name: "id", kind: "key" },
];
const GOLD: ColumnRequest = { name: "correct_answer", kind: "key" };
const NESTED: readonly ColumnRequest[] = [
  { name: "tools", kind: "json" },
  { name: "answers", kind: "json" },
];
const PUBLISHED = [
  "question",
  "orig_question",
  "source",
  "source_id",
  "target_tool",
  "orig_tools",
  "held_out_param",
];

/**
 * Reads the items of When2Call from batches of columns, as `when2callItems` does from rows.
 *
 * @example
 * ```ts
 * import { createWhen2CallReader } from "calibrant/metrics";
 * const reader = createWhen2CallReader({ columns: ["source"] });
 * console.log(reader.needs.optional.map((request) => request.name).join(" ")); // tools answers source
 * ```
 */
export function createWhen2CallReader(options: When2CallReaderOptions = {}): When2CallReader {
  const { columns = PUBLISHED, found = [] } = options;
  const known = new Set([...IDS, GOLD, ...NESTED].map((request) => request.name));
  const kept = columns.filter((name) => !known.has(name)).flatMap((name) => keptRequest(name, found));
  const flags = new Set(found.flat().flatMap(({ name, type }) => (type === "bool" ? [name] : [])));
  const items: When2CallItem[] = [];
  return {
    needs: { required: [IDS, [GOLD]], optional: [...NESTED, ...kept] },
    add(batch) {
      const readers = [...batch.columns].map(
        ([name, column]) => [name, cellReader(column, flags.has(name))] as const,
      );
      for (let row = 0; row < batch.rows; row++) {
        const fields: Record<string, unknown> = {};
        for (const [name, read] of readers) {
          const value = read(row);
          if (value !== null) fields[name] = value;
        }
        items.push(readItem(fields, () => batch.place?.(row) ?? `row ${row}`));
      }
    },
    finish() {
      itemIndex(items);
      return items;
    },
  };
}

const PREFERRED: readonly ColumnKind[] = ["key", "text", "number", "json"];

/** A column is read as the first kind that every input which has it allows; one of binary data, say, is left out. */
function keptRequest(name: string, found: readonly (readonly FoundColumn[])[]): readonly ColumnRequest[] {
  const there = found.flat().filter((column) => column.name === name);
  const kind = PREFERRED.find((one) => there.every((column) => column.kinds.includes(one)));
  return kind === undefined ? [] : [{ name, kind }];
}

function cellReader(column: Column, isFlag: boolean): (row: number) => unknown {
  if (column.kind === "key") {
    const { codes, keys } = column;
    return (row) => keys[codes[row] as number] ?? null;
  }
  if (column.kind === "number") {
    const { values } = column;
    return (row) => {
      const value = values[row] as number;
      if (Number.isNaN(value)) return null;
      return isFlag ? value === 1 : value;
    };
  }
  return column.kind === "list" ? () => null : column.get;
}
