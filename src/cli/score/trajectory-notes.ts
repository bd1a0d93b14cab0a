import type { LogRecord } from "../../data/append-log.ts";
import type { KeyColumn, RolloutBatch } from "../../data/columns.ts";
import { CalibrantError } from "../../errors.ts";
import type { NotesReader, RowNotes } from "../../rewards/trajectory/trajectory-batch.ts";
import {
  type AnnotationFile,
  type NoteFile,
  readAnnotationFile,
  readJudgementFile,
} from "../judging/read-note-file.ts";
import type { TrajectoryScoreOptions } from "./score-options.ts";

/** Annotations and judgements of a run that are no columns. */
export interface RunNotes {
  readonly annotations: AnnotationFile | null;
  readonly judgements: NoteFile | null;
  /** Reads those of a batch; null when both are columns. */
  reader(batch: RolloutBatch, firstRow: number): NotesReader | null;
  /** @throws CalibrantError `data`, once all rows were read, for a file that knows none of them. */
  checkFound(): void;
}

/** A file and the rows that it knows. */
interface Joined<File> {
  readonly path: string;
  readonly file: File;
  rows: number;
  found: number;
  /** Lines that a row has taken. */
  readonly used: Set<unknown>;
}

/** @throws CalibrantError for a file that cannot be read, or that holds other things. */
export async function openRunNotes(options: TrajectoryScoreOptions): Promise<RunNotes> {
  const annotations = await joined(options.annotations, readAnnotationFile);
  const judgements = await joined(options.judgements, readJudgementFile);
  return {
    annotations: annotations?.file ?? null,
    judgements: judgements?.file ?? null,
    reader(batch, firstRow) {
      if (annotations === null && judgements === null) return null;
      return (row) => ({
        ...(annotations !== null && annotationsOf(annotations, batch, firstRow, row)),
        ...(judgements !== null && { judgements: judgementsOf(judgements, batch, firstRow, row) }),
      });
    },
    checkFound() {
      for (const notes of [annotations, judgements]) if (notes !== null) checkJoin(notes);
    },
  };
}

async function joined<File>(
  path: string | null,
  read: (path: string) => Promise<File>,
): Promise<Joined<File> | null> {
  return path === null ? null : { path, file: await read(path), rows: 0, found: 0, used: new Set() };
}

function annotationsOf(
  notes: Joined<AnnotationFile>,
  batch: RolloutBatch,
  firstRow: number,
  row: number,
): Omit<RowNotes, "judgements"> {
  const annotations = ofRow(notes, batch, firstRow, row);
  if (annotations === undefined) return { annotations: null, annotationGap: "not_annotated" };
  return { annotations, annotationGap: annotations === null ? "annotation_failed" : null };
}

/** An empty list when the file knows nothing of the row: it was not judged, though others were. */
function judgementsOf(
  notes: Joined<NoteFile>,
  batch: RolloutBatch,
  firstRow: number,
  row: number,
): readonly LogRecord[] {
  const lines = ofRow(notes, batch, firstRow, row) ?? [];
  if (lines.length > 0 && notes.used.has(lines)) {
    const { key, byId } = notes.file;
    const [id] = [...byId].find(([, of]) => of === lines) ?? [""];
    throw new CalibrantError(
      "data",
      `${notes.path}: a judgement is of one trajectory, but ${key} ${id} names several; judge them by another column, or by row`,
      { path: notes.path, key, id },
    );
  }
  notes.used.add(lines);
  return lines.map(({ record }) => record).filter(({ status }) => status !== "no_assistant");
}

function ofRow<T>(
  notes: Joined<{ readonly key: string; readonly byId: ReadonlyMap<string, T> }>,
  batch: RolloutBatch,
  firstRow: number,
  row: number,
): T | undefined {
  const { key, byId } = notes.file;
  const column = batch.columns.get(key) as KeyColumn | undefined;
  const id = key === "row" ? String(firstRow + row) : column?.keys[column.codes[row] as number];
  const found = id === undefined ? undefined : byId.get(id);
  notes.rows++;
  if (found !== undefined) notes.found++;
  return found;
}

function checkJoin({ path, file, rows, found }: Joined<NoteFile | AnnotationFile>): void {
  if (rows === 0 || found > 0) return;
  const [example] = file.byId.keys();
  throw new CalibrantError(
    "data",
    `${path}: none of its ${file.byId.size} ids is the ${file.key} of a trajectory, for example ${example}; was it made for another file?`,
    { path, key: file.key },
  );
}
