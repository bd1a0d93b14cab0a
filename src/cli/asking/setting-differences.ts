import { isDeepStrictEqual } from "node:util";
import type { LogRecord } from "../../data/append-log.ts";

/** Settings that all lines of a log share, as a line holds them: JSON keeps no -0 and no infinity. */
export function settingsAsRead(settings: LogRecord): LogRecord {
  return JSON.parse(JSON.stringify(settings)) as LogRecord;
}

/** Where a line was asked with other settings than this run: `temperature is 0, of this run 0.5`, one each. */
export function settingDifferences(record: LogRecord, expected: LogRecord): string[] {
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
