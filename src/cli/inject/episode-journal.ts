import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type AppendLog, openAppendLog, readAppendLog } from "../../data/append-log.ts";
import { lockFile } from "../../data/file-lock.ts";
import { CalibrantError } from "../../errors.ts";
import type { InjectionRecord } from "../../recovery/injection-record.ts";
import {
  type EpisodeEnd,
  type EpisodeHeader,
  type EpisodeRow,
  episodeRow,
  type RecordedCall,
} from "./episode-row.ts";

/** A line of a journal. */
type JournalEntry =
  | { readonly header: EpisodeHeader }
  | { readonly call: RecordedCall }
  | { readonly injection: InjectionRecord }
  | { readonly ended: EpisodeEnd }
  /** The row is about to be written, at this size of the file of episodes. */
  | { readonly writing: number };

/** An episode whose process is gone. */
export interface AbandonedEpisode {
  /** Null when the process was killed before the first line. */
  readonly row: EpisodeRow | null;
  /** The size of the file of episodes just before the row was to be written; null when it did not come to that. */
  readonly writing: number | null;
  /** Removes the journal. */
  remove(): void;
}

/** The file beside the episodes in which a running episode writes down what happens, so that a kill loses nothing. */
export interface EpisodeJournal {
  /** Writes a line; a later line about the same call replaces the earlier one. */
  write(entry: JournalEntry): void;
  /** Closes and removes it. */
  remove(): void;
}

const ENDING = ".journal";
const NOTE = "written from its journal: the proxy was killed before it could write the episode";

/**
 * Begins the journal of an episode. Only while the lock of the file of episodes is held.
 *
 * @throws CalibrantError `io` when another process is writing the episode of this id.
 */
export async function openJournal(episodes: string, header: EpisodeHeader): Promise<EpisodeJournal> {
  const path = journalPath(episodes, header.episode_id);
  const log: AppendLog = await openAppendLog(path).catch((error: unknown) => {
    if (!isInUse(error)) throw error;
    const message = `the episode ${header.episode_id} of ${episodes} is being recorded by another run: give another --episode`;
    throw new CalibrantError("io", message, { path }, { cause: error });
  });
  log.append({ header });
  return {
    write: (entry) => log.append(entry),
    remove() {
      log.close();
      rmSync(path, { force: true });
    },
  };
}

/** Whether an episode of this id is being recorded, or waits to be taken over. */
export function hasJournal(episodes: string, id: string): boolean {
  return existsSync(journalPath(episodes, id));
}

/** The episodes whose process is gone. Only while the lock of the file of episodes is held. */
export async function abandonedEpisodes(episodes: string): Promise<AbandonedEpisode[]> {
  const found: AbandonedEpisode[] = [];
  const prefix = `${basename(episodes)}.`;
  for (const name of readdirSync(dirname(episodes)).sort()) {
    if (!name.startsWith(prefix) || !name.endsWith(ENDING)) continue;
    const path = join(dirname(episodes), name);
    if (!isRunning(path)) found.push(await readJournal(path));
  }
  return found;
}

/** Whether an error says that another process holds a file's lock. */
export function isInUse(error: unknown): boolean {
  return error instanceof CalibrantError && error.details.lock !== undefined;
}

function journalPath(episodes: string, id: string): string {
  return `${episodes}.${encodeURIComponent(id)}${ENDING}`;
}

function isRunning(path: string): boolean {
  try {
    lockFile(path).release();
    return false;
  } catch (error) {
    if (isInUse(error)) return true;
    throw error;
  }
}

async function readJournal(path: string): Promise<AbandonedEpisode> {
  let header: EpisodeHeader | null = null;
  let ended: EpisodeEnd = "killed";
  let writing: number | null = null;
  const calls = new Map<number, RecordedCall>();
  const injections = new Map<number, InjectionRecord>();
  await readAppendLog(path, (line) => {
    const entry = line as unknown as JournalEntry;
    if ("header" in entry) header = entry.header;
    else if ("call" in entry) calls.set(entry.call.index, entry.call);
    else if ("injection" in entry) injections.set(entry.injection.call, entry.injection);
    else if ("ended" in entry) ended = entry.ended;
    else writing = entry.writing;
  });
  const outcome = { ended, completed: null, note: NOTE };
  const row =
    header === null ? null : episodeRow(header, [...calls.values()], [...injections.values()], outcome);
  return { row, writing, remove: () => rmSync(path, { force: true }) };
}
