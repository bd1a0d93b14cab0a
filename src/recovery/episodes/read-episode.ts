import { jsonReader, numberColumn, placeOf, textReader } from "../../data/batch-columns.ts";
import { largestRepetition } from "../../data/calls/largest-repetition.ts";
import { toolExchanges } from "../../data/calls/tool-exchanges.ts";
import { checkOptionNames } from "../../data/check-option-names.ts";
import type { ColumnNeeds, RolloutBatch } from "../../data/columns.ts";
import { CalibrantError } from "../../errors.ts";
import { SCENARIOS, type Scenario } from "../scenario/scenario.ts";
import {
  type Episode,
  type EpisodeFault,
  type EpisodeOptions,
  type EpisodeRow,
  ESCALATION_TOOLS,
  type RecoveryOutcome,
} from "./episode.ts";
import { type FaultyCall, faultyCalls } from "./met-faults.ts";
import { recoveredByCalls } from "./recovered-by-calls.ts";
import { type Alternatives, toolSwitches } from "./tool-switches.ts";

/** The columns that {@link episodeReader} reads. */
export const EPISODE_NEEDS: ColumnNeeds = {
  required: [[{ name: "messages", kind: "json" }]],
  optional: [
    { name: "injections", kind: "json" },
    { name: "completed", kind: "number" },
    { name: "num_turns", kind: "number" },
    { name: "reward", kind: "number" },
    { name: "scenario", kind: "text" },
    { name: "condition", kind: "text" },
  ],
};

/**
 * What recovery statistics need of an episode: the failures that it met, the switches, whether it recovered and escalated,
 * and its counts. The failures come from the injection log where the row has one, an empty log meaning none; else from the
 * tool results, of which {@link toolResultFault} tells.
 *
 * @returns null when `messages` is no conversation.
 * @throws CalibrantError `option` for an unknown option; `data` for a value that cannot be: an outcome other than 0 or 1,
 * turns that are no whole number from 0 on, an unknown scenario, an entry of the log without a call, a tool or a known fault.
 *
 * @example
 * ```ts
 * import { readEpisode } from "calibrant/recovery";
 * const call = (name: string) => ({ role: "assistant", tool_calls: [{ function: { name, arguments: "{}" } }] });
 * const messages = [
 *   call("get_order"),
 *   { role: "tool", content: "HTTP 503 Service Unavailable" },
 *   call("list_orders"),
 *   { role: "tool", content: '{"orders":[]}' },
 * ];
 * const episode = readEpisode({ messages, completed: 1 });
 * console.log(episode?.faults[0]?.fault, episode?.switches[0]?.target, episode?.recovered); // server_error list_orders true
 * ```
 */
export function readEpisode(row: EpisodeRow, options: EpisodeOptions = {}): Episode | null {
  return episodeOf(row, resolveOptions(options, "readEpisode"), "episode");
}

/**
 * Reads the episodes of a batch with the columns of {@link EPISODE_NEEDS} row by row, as {@link readEpisode} does.
 *
 * @throws CalibrantError `option` for an unknown option; `data`, on reading a row, for a value that cannot be.
 */
export function episodeReader(
  batch: RolloutBatch,
  options: EpisodeOptions = {},
): (row: number) => Episode | null {
  const reading = resolveOptions(options, "episodeReader");
  const messages = jsonReader(batch, "messages");
  const injections = jsonReader(batch, "injections");
  const scenario = textReader(batch, "scenario");
  const condition = textReader(batch, "condition");
  const number = (name: string): ((row: number) => number) => {
    const values = numberColumn(batch, name);
    return values === null ? () => Number.NaN : (row) => values[row] as number;
  };
  const completed = number("completed");
  const turns = number("num_turns");
  const reward = number("reward");
  return (row) => {
    const values: EpisodeRow = {
      messages: messages(row),
      injections: injections(row),
      completed: completed(row),
      num_turns: turns(row),
      reward: reward(row),
      scenario: scenario(row),
      condition: condition(row),
    };
    return episodeOf(values, reading, placeOf(batch, row));
  };
}

/** {@link EpisodeOptions} with what was left out. */
interface EpisodeReading {
  readonly alternatives: Alternatives;
  readonly escalationTools: ReadonlySet<string>;
  readonly outcome: RecoveryOutcome;
}

function resolveOptions(options: EpisodeOptions, owner: string): EpisodeReading {
  checkOptionNames(options, ["fallbacks", "escalationTools", "outcome"], owner);
  const { fallbacks, escalationTools = ESCALATION_TOOLS, outcome = "completed" } = options;
  if (outcome !== "completed" && outcome !== "calls")
    throw new CalibrantError("option", `outcome must be completed or calls, got ${String(outcome)}`);
  if (!Array.isArray(escalationTools))
    throw new CalibrantError("option", `escalationTools must be a list, got ${String(escalationTools)}`);
  return { alternatives: alternativesOf(fallbacks), escalationTools: new Set(escalationTools), outcome };
}

function alternativesOf(fallbacks: EpisodeOptions["fallbacks"]): Alternatives {
  if (fallbacks === undefined) return null;
  const entries = Object.entries(fallbacks).map(([tool, found]) => {
    if (!Array.isArray(found) || found.some((entry) => typeof entry?.tool !== "string"))
      throw new CalibrantError(
        "option",
        `fallbacks of ${tool} must be a list of {tool}, got ${String(found)}`,
      );
    return [tool, new Set(found.map((entry: { readonly tool: string }) => entry.tool))] as const;
  });
  return new Map(entries);
}

function episodeOf(row: EpisodeRow, reading: EpisodeReading, place: string): Episode | null {
  const exchanges = toolExchanges(row.messages);
  if (exchanges === null) return null;
  const { alternatives, escalationTools, outcome } = reading;
  const faulty = faultyCalls(exchanges, row.injections, place);
  const switches = toolSwitches(exchanges, faulty, alternatives, escalationTools);
  const completed = outcomeOf(row.completed, place);
  return {
    faults: distinctFaults(faulty),
    switches,
    recovered:
      outcome === "completed" ? completed : recoveredByCalls(exchanges, faulty, switches, alternatives),
    escalated: exchanges.some(({ call }) => escalationTools.has(call.name)),
    turns: turnsOf(row, place),
    calls: exchanges.length,
    repetition: largestRepetition(exchanges.map(({ call }) => call)),
    completed,
    reward: rewardOf(row.reward, place),
    scenario: scenarioOf(row.scenario, place),
    condition: row.condition ?? null,
  };
}

function distinctFaults(faulty: readonly FaultyCall[]): EpisodeFault[] {
  const first = new Map<string, EpisodeFault>();
  for (const { tool, fault, call } of faulty) {
    const key = JSON.stringify([tool, fault]);
    if (!first.has(key)) first.set(key, { tool, fault, call });
  }
  return [...first.values()];
}

function outcomeOf(value: EpisodeRow["completed"], place: string): boolean | null {
  if (isMissing(value)) return null;
  const completed = Number(value);
  if (completed !== 0 && completed !== 1) throw wrong(place, "completed", "0 or 1", value);
  return completed === 1;
}

function turnsOf({ num_turns: given, messages }: EpisodeRow, place: string): number {
  if (!isMissing(given)) {
    if (!Number.isInteger(given) || given < 0)
      throw wrong(place, "num_turns", "a whole number from 0 on", given);
    return given;
  }
  return (messages as readonly { readonly role: string }[]).filter(({ role }) => role === "assistant").length;
}

function rewardOf(value: EpisodeRow["reward"], place: string): number | null {
  if (isMissing(value)) return null;
  if (!Number.isFinite(value)) throw wrong(place, "reward", "a finite number", value);
  return value;
}

function scenarioOf(value: EpisodeRow["scenario"], place: string): Scenario | null {
  if (value === null || value === undefined || value === "") return null;
  const found = SCENARIOS.find((scenario) => scenario === value);
  if (found === undefined) throw wrong(place, "scenario", SCENARIOS.join(", "), value);
  return found;
}

function isMissing(value: number | boolean | null | undefined): value is null | undefined {
  return value === null || value === undefined || Number.isNaN(value);
}

function wrong(place: string, column: string, expected: string, value: unknown): CalibrantError {
  return new CalibrantError("data", `${place}: column ${column}: must be ${expected}, got ${String(value)}`, {
    column,
    value,
  });
}
