import { isDeepStrictEqual } from "node:util";
import type { LogRecord } from "../../data/append-log.ts";
import { CalibrantError } from "../../errors.ts";
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
      const words = differences(record, expected);
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
  return asRead({
    prompt_hash: settings.promptHash,
    requested_model: settings.requestedModel,
    temperature: settings.temperature,
    seed: settings.seed,
    json_object: settings.jsonObject,
    extra_body: settings.extraBody,
  });
}

/** JSON keeps no -0 and no infinity: what was written must equal what is read. */
function asRead(record: LogRecord): LogRecord {
  return JSON.parse(JSON.stringify(record)) as LogRecord;
}

function differences(record: LogRecord, expected: LogRecord): string[] {
  return Object.entries(expected)
    .filter(([name, value]) => !isDeepStrictEqual(compared(name, record[name]), compared(name, value)))
    .map(([name, value]) => `${name} is ${shown(record[name])}, of this run ${shown(value)}`);
}

/** The longest length may change, also where a server takes it as an extra field: an answer that it cut may be asked again. */
function compared(name: string, value: unknown): unknown {
  if (name !== "extra_body" || typeof value !== "object" || value === null) return value;
  const { max_tokens: _, max_completion_tokens: __, ...fields } = value as LogRecord;
  return Object.keys(fields).length === 0 ? null : fields;
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function logprobProblem(held: boolean, asked: boolean): string | null {
  if (held === asked) return null;
  return asked
    ? "the answers have no log-probs, of this run they have: name another file with -o, or leave out --logprobs"
    : "the answers have log-probs, of this run they have none: name another file with -o, or add --logprobs";
}
