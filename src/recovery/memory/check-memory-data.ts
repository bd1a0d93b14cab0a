import { nearestName } from "../../data/nearest-name.ts";
import { CalibrantError, type ErrorCode } from "../../errors.ts";
import type { MetFault } from "../../types.ts";
import { MET_FAULTS } from "../fault-kinds.ts";
import { checkConstraints, checkFallbacks } from "./check-statics.ts";
import type {
  BetaPrior,
  CountsApart,
  EpisodeCounts,
  MemoryData,
  MemorySource,
  MemoryUpdate,
  OutcomeCounts,
  RecoveryCounts,
  SwitchCounts,
} from "./memory-data.ts";
import { shownValue } from "./shown-value.ts";

const FIELDS = [
  "version",
  "update",
  "prior",
  "episodes",
  "recovery",
  "switching",
  "fallbacks",
  "constraints",
] as const;

/**
 * Reads the JSON of a memory, nothing assumed of it. Fields in any order, pairs in any order.
 *
 * @param name - what to call it in messages
 * @throws CalibrantError `data` for a field that is missing, unknown or malformed, another version, a pair that is there
 * twice, and a pair with more episodes than there were.
 */
export function checkMemoryData(value: unknown, name: string): MemoryData {
  const version = value !== null && typeof value === "object" && "version" in value ? value.version : 1;
  if (version !== 1)
    throw bad(`${name}.version`, "1 (another version of Calibrant may have written it)", version);
  const data = fieldsOf(value, FIELDS, name);
  const episodes = apart(data.episodes, `${name}.episodes`, episodeCounts);
  const recovery = list(data.recovery, `${name}.recovery`, (entry, place): RecoveryCounts => {
    const pair = fieldsOf(entry, ["tool", "fault", "initial", "observed"], place);
    return {
      tool: text(pair.tool, `${place}.tool`),
      fault: checkFault(pair.fault, `${place}.fault`),
      ...pairCounts(pair, episodes, place),
    };
  });
  const switching = list(data.switching, `${name}.switching`, (entry, place): SwitchCounts => {
    const pair = fieldsOf(entry, ["source", "target", "initial", "observed"], place);
    return {
      source: text(pair.source, `${place}.source`),
      target: text(pair.target, `${place}.target`),
      ...pairCounts(pair, episodes, place),
    };
  });
  checkOnce(
    recovery.map(({ tool, fault }) => [tool, fault]),
    `${name}.recovery`,
  );
  checkOnce(
    switching.map(({ source, target }) => [source, target]),
    `${name}.switching`,
  );
  return {
    version: 1,
    update: checkUpdate(data.update, `${name}.update`, "data"),
    prior: checkPrior(data.prior, `${name}.prior`, "data"),
    episodes,
    recovery,
    switching,
    fallbacks: checkFallbacks(data.fallbacks, `${name}.fallbacks`, "data"),
    constraints: checkConstraints(data.constraints, `${name}.constraints`, "data"),
  };
}

/**
 * The checked data of a memory, or of what is the data of one.
 *
 * @throws CalibrantError `data` as {@link checkMemoryData}.
 */
export function dataOf(source: MemorySource, name: string): MemoryData {
  const isMemory = source !== null && typeof source === "object" && "toJSON" in source;
  return checkMemoryData(isMemory ? source.toJSON() : source, name);
}

/**
 * Checks a prior.
 *
 * @throws CalibrantError for anything else than two positive finite numbers.
 */
export function checkPrior(value: unknown, name: string, code: ErrorCode): BetaPrior {
  const { alpha, beta } = fieldsOf(value, ["alpha", "beta"], name, code);
  return { alpha: positive(alpha, `${name}.alpha`, code), beta: positive(beta, `${name}.beta`, code) };
}

/**
 * Checks a mode of updating.
 *
 * @throws CalibrantError for another word.
 */
export function checkUpdate(value: unknown, name: string, code: ErrorCode): MemoryUpdate {
  if (value === "online" || value === "fixed") return value;
  throw bad(name, "online or fixed", value, code);
}

/**
 * Checks the name of a failure.
 *
 * @throws CalibrantError `data` for another name.
 */
export function checkFault(value: unknown, name: string): MetFault {
  if (MET_FAULTS.includes(value as MetFault)) return value as MetFault;
  const nearest = typeof value === "string" ? nearestName(value, MET_FAULTS) : null;
  throw bad(name, nearest === null ? `one of ${MET_FAULTS.join(", ")}` : `known (${nearest}?)`, value);
}

type Fields<K extends string> = Readonly<Record<K, unknown>>;

/** The fields of an object that has these and no others. */
function fieldsOf<K extends string>(
  value: unknown,
  names: readonly K[],
  owner: string,
  code: ErrorCode = "data",
): Fields<K> {
  const expected = `an object with ${names.join(", ")}`;
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw bad(owner, expected, value, code);
  const missing = names.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) throw bad(owner, expected, `no ${missing}`, code);
  const known: readonly string[] = names;
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other !== undefined) throw bad(owner, `${expected} alone`, `also ${other}`, code);
  return value as Fields<K>;
}

function list<T>(value: unknown, name: string, read: (entry: unknown, place: string) => T): T[] {
  if (!Array.isArray(value)) throw bad(name, "a list", value);
  return value.map((entry: unknown, i) => read(entry, `${name}[${i}]`));
}

function apart<T>(value: unknown, name: string, read: (value: unknown, name: string) => T): CountsApart<T> {
  const { initial, observed } = fieldsOf(value, ["initial", "observed"], name);
  return { initial: read(initial, `${name}.initial`), observed: read(observed, `${name}.observed`) };
}

function episodeCounts(value: unknown, name: string): EpisodeCounts {
  const counts = fieldsOf(value, ["clean", "recovered", "failed", "skipped"], name);
  return {
    clean: count(counts.clean, `${name}.clean`),
    recovered: count(counts.recovered, `${name}.recovered`),
    failed: count(counts.failed, `${name}.failed`),
    skipped: count(counts.skipped, `${name}.skipped`),
  };
}

/** An episode counts once a pair: no pair can have more than there were. */
function pairCounts(
  { initial, observed }: Fields<"initial" | "observed">,
  episodes: CountsApart<EpisodeCounts>,
  place: string,
): CountsApart<OutcomeCounts> {
  return {
    initial: outcomeCounts(initial, episodes.initial, `${place}.initial`),
    observed: outcomeCounts(observed, episodes.observed, `${place}.observed`),
  };
}

function outcomeCounts(value: unknown, most: OutcomeCounts, name: string): OutcomeCounts {
  const counts = fieldsOf(value, ["recovered", "failed"], name);
  return {
    recovered: count(counts.recovered, `${name}.recovered`, most.recovered),
    failed: count(counts.failed, `${name}.failed`, most.failed),
  };
}

function count(value: unknown, name: string, most: number = Number.MAX_SAFE_INTEGER): number {
  if (!(Number.isSafeInteger(value) && (value as number) >= 0))
    throw bad(name, "a whole number from 0 on", value);
  if ((value as number) > most) throw bad(name, `at most ${most}, the episodes that there were`, value);
  return value as number;
}

function positive(value: unknown, name: string, code: ErrorCode): number {
  if (typeof value === "number" && value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw bad(name, "a positive finite number", value, code);
}

function text(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw bad(name, "text", value);
}

function checkOnce(pairs: readonly (readonly [string, string])[], name: string): void {
  const seen = new Map<string, Set<string>>();
  for (const [i, [first, second]] of pairs.entries()) {
    const seconds = seen.get(first) ?? new Set();
    if (seconds.has(second)) throw bad(`${name}[${i}]`, "a pair that is there once", `${first}, ${second}`);
    seen.set(first, seconds.add(second));
  }
}

function bad(name: string, expected: string, value: unknown, code: ErrorCode = "data"): CalibrantError {
  return new CalibrantError(code, `${name} must be ${expected}, got ${shownValue(value)}`, { [name]: value });
}
