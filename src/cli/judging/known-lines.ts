import type { LogRecord } from "../../data/append-log.ts";
import { CalibrantError } from "../../errors.ts";
import type { EarlierAttempt } from "../../judge/ask-until-valid.ts";
import { settingDifferences, settingsAsRead } from "../asking/setting-differences.ts";

/** What a file says about one question. */
export interface KnownLine {
  /** Whether it has its answer. */
  readonly isDone: boolean;
  /** The refused answers, in order. */
  readonly earlier: readonly EarlierAttempt[];
}

/** The lines that the output file of a run holds. */
export interface KnownLines {
  of(question: string): KnownLine;
  /**
   * Takes a line of the file, read or written.
   *
   * @throws CalibrantError `data` when it is no line of this command, has ids of another kind, or was asked with other settings
   *   than this run (the longest length aside).
   */
  take(record: LogRecord, line: number): void;
}

/** What a {@link KnownLines} must know of its command. */
export interface KnownLinesOptions {
  readonly path: string;
  /** `calibrant annotate`. */
  readonly command: string;
  /** Fields that every line has. */
  readonly fields: readonly string[];
  /** What ids are of. */
  readonly key: string;
  /** Settings that all answers of a model share; null for a run that asks none. */
  readonly settings: LogRecord | null;
  /** Names the question that a line is about. */
  readonly question: (record: LogRecord) => string;
  /** Told of every line that holds an answer that counts. */
  readonly onDone?: (record: LogRecord) => void;
}

/** Of lines with an answer of a model. */
const ASKED = new Set(["ok", "rejected"]);

/** Creates an empty {@link KnownLines}. */
export function createKnownLines(options: KnownLinesOptions): KnownLines {
  const { path, command, fields, key, question, onDone } = options;
  const settings = options.settings === null ? {} : settingsAsRead(options.settings);
  const done = new Set<string>();
  const refused = new Map<string, EarlierAttempt[]>();
  const refuse = (line: number, problem: string): never => {
    throw new CalibrantError("data", `${path} line ${line}: ${problem}: name another file with -o`, {
      path,
      line,
    });
  };
  return {
    of(name) {
      return { isDone: done.has(name), earlier: [...(refused.get(name) ?? [])] };
    },
    take(record, line) {
      const missing = fields.find((name) => record[name] === undefined);
      if (missing !== undefined) refuse(line, `no line of ${command} (${missing})`);
      const expected = { key, ...(ASKED.has(String(record.status)) && settings) };
      const differences = settingDifferences(record, expected);
      if (differences.length > 0) refuse(line, differences.join("; "));
      const name = question(record);
      if (record.status === "rejected") {
        const attempts = refused.get(name) ?? [];
        attempts.push({ output: String(record.output ?? ""), error: String(record.error ?? "") });
        refused.set(name, attempts);
        return;
      }
      if (done.has(name)) refuse(line, `a second answer for ${name}`);
      done.add(name);
      onDone?.(record);
    },
  };
}
