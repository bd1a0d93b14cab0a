import { existsSync } from "node:fs";
import { type LogRecord, readAppendLog } from "../../data/append-log.ts";
import { CalibrantError } from "../../errors.ts";
import { writeErrorLine } from "../error-line.ts";

/** What `calibrant annotate` or `calibrant judge` wrote, by trajectory. */
export interface NoteFile {
  /** The column that names the trajectories, or `row`: their number from 0. */
  readonly key: string;
  /** The lines of each trajectory, in order; an id as text. */
  readonly byId: ReadonlyMap<string, readonly NoteLine[]>;
}

/** A line of such a file. */
export interface NoteLine {
  readonly record: LogRecord;
  /** Its number, from 1. */
  readonly line: number;
}

/**
 * Reads a file of lines with `key` (default `rollout_id`), `id` and what is said of that trajectory. A last line that was not
 * written whole is passed over.
 *
 * @throws CalibrantError `io` when there is no such file; `data` when there is nothing in it, or naming the line that is none of
 *   these, or has another key than those before.
 */
async function readNoteFile(path: string): Promise<NoteFile> {
  const byId = new Map<string, NoteLine[]>();
  let key: string | null = null;
  if (!existsSync(path))
    throw new CalibrantError("io", `cannot read ${path}: there is no such file`, { path });
  const { cut } = await readAppendLog(path, (record, line) => {
    const { key: own = "rollout_id", id } = record;
    if (typeof own !== "string" || (typeof id !== "string" && typeof id !== "number")) {
      const shown = JSON.stringify(record).slice(0, 80);
      throw lineError(path, line, `expected the key and id of a trajectory, got ${shown}`);
    }
    key ??= own;
    if (own !== key) throw lineError(path, line, `the ids are of ${own}, those before of ${key}`);
    const lines = byId.get(String(id));
    if (lines === undefined) byId.set(String(id), [{ record, line }]);
    else lines.push({ record, line });
  });
  if (cut > 0) writeErrorLine(`${path}: passed over ${cut} bytes of a last line that was not written whole`);
  if (key === null) throw new CalibrantError("data", `${path}: there is nothing in it`, { path });
  return { key, byId };
}

/** Accepted annotations of each trajectory; null where the annotator gave no valid answer. */
export interface AnnotationFile {
  readonly key: string;
  readonly byId: ReadonlyMap<string, readonly unknown[] | null>;
}

/**
 * Reads the annotations of a file that `calibrant annotate` wrote.
 *
 * @throws CalibrantError as {@link readNoteFile}; `data` naming the line whose annotations are no list, or that annotates a
 *   trajectory again.
 */
export async function readAnnotationFile(path: string): Promise<AnnotationFile> {
  const { key, byId } = await readNoteFile(path);
  const annotations = new Map<string, readonly unknown[] | null>();
  for (const [id, lines] of byId) {
    const valid = lines.filter(({ record }) => record.status !== "rejected");
    const [first, second] = valid;
    const list = first?.record.annotations ?? null;
    if (first !== undefined && !Array.isArray(list))
      throw lineError(path, first.line, "the annotations must be a list, as calibrant annotate writes them");
    if (second !== undefined) throw lineError(path, second.line, `${key} ${id} was annotated before`);
    annotations.set(id, list as readonly unknown[] | null);
  }
  return { key, byId: annotations };
}

/**
 * Reads a file that `calibrant judge` wrote.
 *
 * @throws CalibrantError as {@link readNoteFile}; `data` naming the line that says nothing of a turn.
 */
export async function readJudgementFile(path: string): Promise<NoteFile> {
  const file = await readNoteFile(path);
  for (const lines of file.byId.values()) {
    for (const { record, line } of lines) {
      const { turn_idx: turn } = record;
      if (typeof turn !== "number" || !Number.isInteger(turn) || turn < 0)
        throw lineError(path, line, "it has no turn_idx, as the lines of calibrant judge do");
    }
  }
  return file;
}

function lineError(path: string, line: number, problem: string): CalibrantError {
  return new CalibrantError("data", `${path} line ${line}: ${problem}`, { path, line });
}
