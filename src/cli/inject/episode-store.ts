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
    return this.#locked(async (_log, highest) => {
      let n = highest + 1;
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
      journal.remove();
    });
  }

  /** One at a time here, and one process at a time; abandoned episodes are added first. */
  async #locked<T>(work: (log: AppendLog, highest: number) => Promise<T>): Promise<T> {
    const before = this.#turn;
    const turn = (async () => {
      await before;
      const { log, highest } = await this.#open();
      try {
        return await work(log, Math.max(highest, await addAbandoned(this.#path, log)));
      } finally {
        log.close();
      }
    })();
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** @returns the open file, and the highest n of its episodes called `episode-n`. */
  async #open(): Promise<{ readonly log: AppendLog; readonly highest: number }> {
    for (let waited = 0; ; waited += PAUSE_MS) {
      let highest = 0;
      try {
        const onRecord = (row: EpisodeRow): void => {
          highest = Math.max(highest, numberOf(row));
        };
        return { log: await openAppendLog(this.#path, { onRecord }), highest };
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
