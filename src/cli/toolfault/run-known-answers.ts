import type { LogRecord } from "../../data/append-log.ts";
import { CalibrantError } from "../../errors.ts";
import { settingDifferences, settingsAsRead } from "../asking/setting-differences.ts";
import type { RunSettings } from "./run-result.ts";

/** The answers that a results file holds. */
export interface KnownAnswers {
  readonly ids: ReadonlySet<string>;
  /**
   * Takes a record of the file.
   *
   * @throws CalibrantError `data` when it is no result, was asked with other settings than this run (the longest length aside), or
   *   has an id that was there before.
   */
  take(record: LogRecord, line: number): void;
}

/** Creates an empty {@link KnownAnswers} for a run that goes on in the file `path`. */
export function createKnownAnswers(path: string, settings: RunSettings): KnownAnswers {
  const expected = comparedSettings(settings);
  const ids = new Set<string>();
  const refuse = (line: number, problem: string): never => {
    throw new CalibrantError("data", `${path} line ${line}: ${problem}`, { path, line });
  };
  return {
    ids,
    take(record, line) {
      const { id } = record;
      const missing = Object.keys(expected).find((name) => record[name] === undefined);
      if (typeof id !== "string" || missing !== undefined) {
        const field = typeof id === "string" ? missing : "id";
        return refuse(line, `no result of calibrant toolfault run (${field}): name another file with -o`);
      }
      const words = settingDifferences(record, expected);
      if (words.length > 0) refuse(line, `${words.join("; ")}: name another file with -o`);
      const logprobs = logprobProblem(record.logprobs !== undefined, settings.logprobs);
      if (logprobs !== null) refuse(line, logprobs);
      if (ids.has(id)) refuse(line, `the id occurs a second time: ${id}`);
      ids.add(id);
    },
  };
}

/** What all answers of a file share, as a line would hold it. */
function comparedSettings(settings: RunSettings): LogRecord {
  return settingsAsRead({
    prompt_hash: settings.promptHash,
    requested_model: settings.requestedModel,
    temperature: settings.temperature,
    seed: settings.seed,
    json_object: settings.jsonObject,
    extra_body: settings.extraBody,
  });
}

function logprobProblem(held: boolean, asked: boolean): string | null {
  if (held === asked) return null;
  return asked
    ? "the answers have no log-probs, of this run they have: name another file with -o, or leave out --logprobs"
    : "the answers have log-probs, of this run they have none: name another file with -o, or add --logprobs";
}
