import type { InjectionRecord } from "../../recovery/injection-record.ts";
import type { CallDecider, McpCall } from "../../recovery/mcp/mcp-call.ts";
import type { EpisodeJournal } from "./episode-journal.ts";
import {
  cutText,
  type EpisodeEnd,
  type EpisodeHeader,
  type EpisodeRow,
  episodeRow,
  type RecordedCall,
} from "./episode-row.ts";
import type { EpisodeStore } from "./episode-store.ts";
import type { CheckAnswer } from "./run-check.ts";

/** An episode that is about to begin. */
export interface EpisodePlan {
  readonly header: EpisodeHeader;
  readonly decider: CallDecider;
}

/** Where an episode goes and how it is made. */
export interface RecorderOptions {
  /** The file of episodes; null = episodes are not kept. */
  readonly store: EpisodeStore | null;
  /** The id that the user gave; null = numbered. */
  readonly id: string | null;
  /** The id of an episode without a file. */
  readonly unsavedId: string;
  readonly plan: (id: string) => EpisodePlan;
  /** Told of every injection once it is complete. */
  readonly onInjection: (record: InjectionRecord) => void;
  /** Decides whether the task was done; null = nobody does. */
  readonly check: ((row: object) => Promise<CheckAnswer>) | null;
  readonly maxRecordedBytes: number;
}

/** Records one episode: as a row when it ends, and in a journal meanwhile. An episode that never begins leaves nothing. */
export class EpisodeRecorder {
  readonly #options: RecorderOptions;
  readonly #calls: Map<number, RecordedCall> = new Map();
  readonly #injections: Map<number, InjectionRecord> = new Map();
  /** Injections that the log does not have yet. */
  readonly #unlogged: Map<number, InjectionRecord> = new Map();
  #header: EpisodeHeader | null = null;
  #journal: EpisodeJournal | null = null;
  #ended: EpisodeEnd | null = null;
  #beginning: Promise<CallDecider> | null = null;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Begins the episode. @throws CalibrantError `io` or `data` when its file cannot be written. */
  begin(): Promise<CallDecider> {
    this.#beginning ??= this.#begin();
    return this.#beginning;
  }

  /** Records a call that begins, or what came of one. What nobody will ask for is not kept, so that it does not grow with the calls. */
  record(call: McpCall): void {
    if (this.#ended !== null) return;
    if (this.#isKept) this.#recordCall(call);
    if (call.injection !== null) this.#recordInjection(call.injection, call.result !== null);
  }

  /** Notes what ended the episode; nothing is recorded from then on. The first reason counts. */
  end(ended: EpisodeEnd): void {
    if (this.#ended !== null) return;
    this.#ended = ended;
    this.#journal?.write({ ended });
  }

  /** Asks the check and writes the row. @throws CalibrantError `io` when the file cannot be written; the journal then stays. */
  async finish(): Promise<void> {
    // A begin that failed was told to the client.
    await this.#beginning?.catch(() => undefined);
    if (this.#header === null) return;
    for (const record of this.#unlogged.values()) this.#options.onInjection(record);
    this.#unlogged.clear();
    const { store, check } = this.#options;
    const answer = check === null ? null : await check(this.#seenByAgent());
    if (store !== null && this.#journal !== null)
      await store.finish(this.#row(answer ?? { completed: null, note: null }), this.#journal);
  }

  async #begin(): Promise<CallDecider> {
    const { store, id, unsavedId, plan } = this.#options;
    let made: EpisodePlan | null = null;
    const headerOf = (name: string): EpisodeHeader => {
      made = plan(name);
      return made.header;
    };
    if (store === null) this.#header = headerOf(id ?? unsavedId);
    else {
      const { header, journal } = await store.begin(id, headerOf);
      this.#header = header;
      this.#journal = journal;
      if (this.#ended !== null) journal.write({ ended: this.#ended });
    }
    return (made as unknown as EpisodePlan).decider;
  }

  get #isKept(): boolean {
    return this.#options.store !== null || this.#options.check !== null;
  }

  #recordCall({ index, tool, arguments: given, result, cancelled }: McpCall): void {
    const content = result === null ? (cancelled ? "[cancelled by the client]" : null) : result.text;
    const recorded = {
      index,
      tool,
      arguments: JSON.stringify(given),
      content: content === null ? null : cutText(content, this.#options.maxRecordedBytes),
    };
    this.#calls.set(index, recorded);
    this.#journal?.write({ call: recorded });
  }

  #recordInjection(record: InjectionRecord, isComplete: boolean): void {
    if (this.#isKept) this.#injections.set(record.call, record);
    this.#journal?.write({ injection: record });
    if (!isComplete) this.#unlogged.set(record.call, record);
    else {
      this.#unlogged.delete(record.call);
      this.#options.onInjection(record);
    }
  }

  /** The row without the injections: what a silent fault took away would look as if the agent had been told of it. */
  #seenByAgent(): Omit<EpisodeRow, "injections"> {
    const { injections: _, ...seen } = this.#row({ completed: null, note: null });
    return seen;
  }

  #row(answer: CheckAnswer): EpisodeRow {
    const outcome = { ended: this.#ended ?? "signal", ...answer };
    const calls = [...this.#calls.values()];
    return episodeRow(this.#header as EpisodeHeader, calls, [...this.#injections.values()], outcome);
  }
}
