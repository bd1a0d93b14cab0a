import { readMessages } from "../../data/calls/messages.ts";
import type { ColumnRequest, RolloutBatch } from "../../data/columns.ts";
import { CalibrantError } from "../../errors.ts";
import { cellValue } from "../../metrics/toolfault/item-cells.ts";
import type { Message } from "../../types.ts";
import { openBatches } from "../input/read-batches.ts";
import type { JudgingOptions } from "./judging-options.ts";

/** The name of the ids that are row numbers. */
export const ROW_KEY = "row";
const DEFAULT_KEY = "rollout_id";

/** One row of the input. */
export interface Trajectory {
  /** Of the id column as text, or the number of the row over all inputs, from 0. */
  readonly id: string | number;
  /** The id under the second key, as text; null without one or where it is missing. */
  readonly secondId: string | null;
  /** For messages: `rollouts.jsonl:7`. */
  readonly place: string;
  /** Empty where the row has none. */
  readonly messages: readonly Message[];
  /** Null where the column is not there or not read. */
  readonly tools: unknown;
  readonly checklists: unknown;
  readonly annotations: unknown;
}

/** The trajectories of a command line. */
export interface Trajectories {
  /** The name of the id column, or {@link ROW_KEY}. */
  readonly key: string;
  /** Each id once, in the order of the input. */
  readonly rows: readonly Trajectory[];
  /** Rows left out because their id was there before. */
  readonly repeated: number;
  /** Whether an input has a column `annotations`. */
  readonly hasAnnotations: boolean;
}

/** How {@link readTrajectories} reads. */
export interface ReadTrajectoriesOptions
  extends Pick<JudgingOptions, "files" | "columns" | "from" | "id" | "limit"> {
  /** A further id column that is read, or {@link ROW_KEY}; null = none. */
  readonly secondKey: string | null;
  /** Whether rows whose id was there before are left out where the id column was named, rather than refused. */
  readonly firstOfEach: boolean;
  /** The columns that are read besides, where they are there: nothing is wrong with one that is not used. */
  readonly optional: readonly ("tools" | "checklists" | "annotations")[];
}

/**
 * Reads trajectories of any format, whole.
 *
 * @throws CalibrantError `io`, `schema` or `data` for inputs that cannot be read, values that are no messages, a missing id, and
 *   an id that occurs twice.
 */
export async function readTrajectories(options: ReadTrajectoriesOptions): Promise<Trajectories> {
  const { files, columns, from, secondKey, limit } = options;
  const input = await openBatches(files, columns, undefined, from);
  const has = (name: string): boolean[] => input.renamed.map((found) => found.some((c) => c.name === name));
  const key = options.id ?? (has(DEFAULT_KEY).every(Boolean) ? DEFAULT_KEY : ROW_KEY);
  const ids = new Set([key, ...(secondKey === null ? [] : [secondKey])]);
  ids.delete(ROW_KEY);
  const required = [
    [{ name: "messages", kind: "json" } as const],
    ...[...ids].map((name) => [{ name, kind: "key" } as const]),
  ];
  const optional = options.optional.map((name): ColumnRequest => ({ name, kind: "json" }));
  const keeper = createKeeper(key, options);
  let row = 0;
  for await (const { batch, file } of input.read({ required, optional })) {
    for (let at = 0; at < batch.rows && keeper.rows.length !== limit; at++, row++) {
      keeper.add(trajectory({ batch, at, row, key, secondKey, file }));
    }
    if (keeper.rows.length === limit) break;
  }
  return {
    key,
    rows: keeper.rows,
    repeated: keeper.repeated(),
    hasAnnotations: has("annotations").includes(true),
  };
}

interface Keeper {
  readonly rows: readonly Trajectory[];
  repeated(): number;
  add(trajectory: Trajectory): void;
}

function createKeeper(key: string, { id, firstOfEach }: ReadTrajectoriesOptions): Keeper {
  const rows: Trajectory[] = [];
  const places = new Map<string | number, string>();
  let repeated = 0;
  return {
    rows,
    repeated: () => repeated,
    add(trajectory) {
      const before = places.get(trajectory.id);
      if (before === undefined) {
        places.set(trajectory.id, trajectory.place);
        rows.push(trajectory);
      } else if (firstOfEach && id !== null) repeated++;
      else throw repeatedId(key, trajectory, before, firstOfEach);
    },
  };
}

function repeatedId(key: string, { id, place }: Trajectory, before: string, may: boolean): CalibrantError {
  const way = may ? `; with --id ${key} the first row of each counts` : "; name the rows apart with --id";
  return new CalibrantError("data", `${place}: the ${key} is that of ${before} as well: ${id}${way}`, { id });
}

interface Cell {
  readonly batch: RolloutBatch;
  /** Of the row in the batch. */
  readonly at: number;
  /** Of the row in all inputs. */
  readonly row: number;
  readonly key: string;
  readonly secondKey: string | null;
  readonly file: string;
}

function trajectory({ batch, at, row, key, secondKey, file }: Cell): Trajectory {
  const place = batch.place?.(at) ?? `${file}: row ${row}`;
  const value = (name: string): unknown => cellValue(batch.columns.get(name), at);
  const idOf = (name: string): string | number | null =>
    name === ROW_KEY ? row : (value(name) as string | null);
  const id = idOf(key);
  if (id === null) {
    throw new CalibrantError(
      "data",
      `${place}: there is no ${key}; name another column with --id, or --id row`,
    );
  }
  const second = secondKey === null ? null : idOf(secondKey);
  return {
    id,
    secondId: second === null ? null : String(second),
    place,
    messages: messagesOf(value("messages"), place),
    tools: value("tools"),
    checklists: value("checklists"),
    annotations: value("annotations"),
  };
}

function messagesOf(value: unknown, place: string): readonly Message[] {
  if (value === null) return [];
  const messages = readMessages(value);
  if (messages !== null) return messages;
  const shown = JSON.stringify(value, (_, part) => (typeof part === "bigint" ? String(part) : part)).slice(
    0,
    60,
  );
  throw new CalibrantError("data", `${place}: messages must be a list of messages with a role, got ${shown}`);
}
