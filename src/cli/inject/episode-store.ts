import { statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type AppendLog, openAppendLog } from "../../data/append-log.ts";
import {
  abandonedEpisodes,
  type EpisodeJournal,
  hasJournal,
  isInUse,
  openJournal,
} from "./episode-journal.ts";
import type { EpisodeHeader, EpisodeRow } from "./episode-row.ts";

/** How long to wait for another run to let go of the file, and between two tries, in milliseconds. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 20;

/**
 * The file of episodes. It only grows; several proxies may write to it at the same time, for each takes its lock for as long as a row
 * takes. What a killed proxy left in its journal is added whenever an episode begins or ends.
 */
export class EpisodeStore {
  readonly #path: string;
  #turn: Promise<unknown> = Promise.resolve();
  /** How far the file was read, and the highest n of the episodes called `episode-n` up to there. */
  #known = 0;
  #highest = 0;

  /** @param path - the file; made when it is not there. */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Begins an episode: takes its id and opens its journal.
   *
   * @param id - null = the first `episode-n` that is free.
   * @param header - makes the columns once the id is known.
   * @throws CalibrantError `io` when the file cannot be written, `data` when it holds anything but JSON lines.
   */
  async begin(
    id: string | null,
    header: (id: string) => EpisodeHeader,
  ): Promise<{ readonly header: EpisodeHeader; readonly journal: EpisodeJournal }> {
    return this.#locked(async () => {
      let n = this.#highest + 1;
      while (id === null && hasJournal(this.#path, `episode-${n}`)) n++;
      const made = header(id ?? `episode-${n}`);
      return { header: made, journal: await openJournal(this.#path, made) };
    });
  }

  /** Adds a row and removes its journal. @throws CalibrantError `io` when the file cannot be written. */
  async finish(row: EpisodeRow, journal: EpisodeJournal): Promise<void> {
    await this.#locked(async (log) => {
      journal.write({ writing: statSync(this.#path).size });
      log.append(row);
      this.#highest = Math.max(this.#highest, numberOf(row));
      journal.remove();
    });
  }

  /** One at a time here, and one process at a time; abandoned episodes are added first. */
  async #locked<T>(work: (log: AppendLog) => Promise<T>): Promise<T> {
    const before = this.#turn;
    const turn = (async () => {
      await before;
      const log = await this.#open();
      try {
        this.#highest = Math.max(this.#highest, await addAbandoned(this.#path, log));
        return await work(log);
      } finally {
        this.#known = log.length;
        log.close();
      }
    })();
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Opens the file and reads what is new in it. */
  async #open(): Promise<AppendLog> {
    for (let waited = 0; ; waited += PAUSE_MS) {
      try {
        const onRecord = (row: EpisodeRow): void => {
          this.#highest = Math.max(this.#highest, numberOf(row));
        };
        return await openAppendLog(this.#path, { onRecord, from: this.#known });
      } catch (error) {
        if (!isInUse(error) || waited >= PATIENCE_MS) throw error;
        await delay(PAUSE_MS);
      }
    }
  }
}

/** n for an episode called `episode-n`, else 0. */
function numberOf(row: EpisodeRow): number {
  return Number(/^episode-(\d+)$/.exec(String(row.episode_id))?.[1] ?? 0);
}

/** @returns the highest n of the episodes that were added. */
async function addAbandoned(path: string, log: AppendLog): Promise<number> {
  const size = statSync(path).size;
  let highest = 0;
  for (const { row, writing, remove } of await abandonedEpisodes(path)) {
    // One that was killed between its row and the end of its journal is in the file.
    const isWritten = writing !== null && size > writing;
    if (row !== null && !isWritten) {
      log.append(row);
      highest = Math.max(highest, numberOf(row));
    }
    remove();
  }
  return highest;
}
