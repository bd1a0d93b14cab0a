import type { ColumnRequest, RolloutBatch } from "../../data/columns.ts";
import { type ParsedChunk, parseJsonlChunk } from "../../data/jsonl/parse-jsonl-chunk.ts";
import { batchFromRows } from "../../data/jsonl/rows-columns.ts";
import { CalibrantError } from "../../errors.ts";
import type { InputTask } from "./input-task.ts";

/** The rows of a JSONL task, and the bare NaN and infinities met in them by column. */
export interface JsonlRows {
  readonly batch: RolloutBatch;
  readonly nonFinite: Readonly<Record<string, number>>;
}

/**
 * Reads a chunk of JSONL lines. Requests are under the file's names; those that no row of the chunk has are left out.
 *
 * @throws CalibrantError `data` for broken lines and values, `schema` for a row that already has an added column.
 */
export function readJsonlTask(
  task: Extract<InputTask, { kind: "jsonl" }>,
  requests: readonly ColumnRequest[],
): JsonlRows {
  const { name, added } = task.source;
  // Ids inside nested values must keep their digits to equal each other; flat columns do anyway.
  const exactIntegers = requests.some((request) => request.kind === "json");
  const chunk = parseJsonlChunk(task.bytes, name, task.firstLine, { exactIntegers });
  checkAdded(chunk, name, added);
  const present = requests.filter((request) =>
    chunk.rows.some((row) => (row[request.name] ?? null) !== null),
  );
  return { batch: batchFromRows(chunk.rows, present, name, chunk.lineNumbers), nonFinite: chunk.nonFinite };
}

function checkAdded({ rows, lineNumbers }: ParsedChunk, name: string, added: readonly string[]): void {
  for (let row = 0; row < rows.length; row += 1) {
    for (const column of added) {
      if (!Object.hasOwn(rows[row] as object, column)) continue;
      throw new CalibrantError(
        "schema",
        `${name}:${lineNumbers[row]}: already has ${column}: name the added columns apart with a prefix, for example --prefix new_`,
        { column },
      );
    }
  }
}
