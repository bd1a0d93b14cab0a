import type { LogRecord } from "../../data/append-log.ts";
import type { RowNotes } from "../../rewards/trajectory/trajectory-batch.ts";
import type { AnnotationFile, NoteFile } from "../judging/read-note-file.ts";

/** What a file of annotations says of a trajectory. */
export function annotationsOf(file: AnnotationFile, id: string | null): Omit<RowNotes, "judgements"> {
  const annotations = id === null ? undefined : file.byId.get(id);
  if (annotations === undefined) return { annotations: null, annotationGap: "not_annotated" };
  return { annotations, annotationGap: annotations === null ? "annotation_failed" : null };
}

/** What a file of judgements says of a trajectory: its judged turns; an empty list when it knows nothing of it. */
export function judgementsOf(file: NoteFile, id: string | null): readonly LogRecord[] {
  const lines = (id === null ? undefined : file.byId.get(id)) ?? [];
  return lines.map(({ record }) => record).filter(({ status }) => status !== "no_assistant");
}
