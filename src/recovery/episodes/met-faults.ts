import type { ToolExchange } from "../../data/calls/tool-exchanges.ts";
import { CalibrantError } from "../../errors.ts";
import type { MetFault } from "../../types.ts";
import { isSilentFault, MET_FAULTS } from "../fault-kinds.ts";
import { toolResultFault } from "./tool-result-fault.ts";

/** One call that met a failure. */
export interface FaultyCall {
  readonly tool: string;
  readonly fault: MetFault;
  /** Its index in the exchanges of the episode; null for an entry of the injection log that none of them fits. */
  readonly index: number | null;
  /** Its number among the calls of the episode, from 0; by the log where no exchange fits. */
  readonly call: number;
}

/** What is read of an entry of the injection log. */
interface LoggedFault {
  readonly call: number;
  readonly tool: string;
  readonly fault: MetFault;
  readonly response: string | null;
}

/**
 * The calls that met a failure, in order. With an injection log these are its entries, silent ones too; an entry of a silent
 * fault that changed nothing is left out. Without one (null) they are what {@link toolResultFault} finds in the results.
 *
 * @param place - where the episode stands, for messages.
 * @throws CalibrantError `data` for a log that is no list of entries with a call, a tool and a known fault.
 */
export function faultyCalls(
  exchanges: readonly ToolExchange[],
  injections: unknown,
  place: string,
): FaultyCall[] {
  if (injections !== null && injections !== undefined)
    return placeEntries(readLog(injections, place), exchanges);
  return exchanges.flatMap(({ call, result }, index) => {
    const fault = result === null ? null : toolResultFault({ text: result, tool: call.name });
    return fault === null ? [] : [{ tool: call.name, fault, index, call: index }];
  });
}

/**
 * Finds the calls of the log's entries. Its numbers count the calls of the injector; where the conversation holds other
 * calls besides (some tools were not wrapped), entries go in order to the next call that fits.
 */
function placeEntries(entries: readonly LoggedFault[], exchanges: readonly ToolExchange[]): FaultyCall[] {
  const isNumbered = entries.every((entry) => fits(entry, exchanges[entry.call]));
  let next = 0;
  return entries.map((entry) => {
    const index = isNumbered ? entry.call : nextFitting(entry, exchanges, next);
    if (index !== null) next = index + 1;
    return { tool: entry.tool, fault: entry.fault, index, call: index ?? entry.call };
  });
}

function nextFitting(entry: LoggedFault, exchanges: readonly ToolExchange[], from: number): number | null {
  const exact = exchanges.findIndex((exchange, index) => index >= from && fits(entry, exchange));
  if (exact >= 0) return exact;
  const named = exchanges.findIndex(({ call }, index) => index >= from && call.name === entry.tool);
  return named < 0 ? null : named;
}

function fits({ tool, response }: LoggedFault, exchange: ToolExchange | undefined): boolean {
  if (exchange?.call.name !== tool) return false;
  return response === null || exchange.result === null || exchange.result.includes(response);
}

function readLog(value: unknown, place: string): LoggedFault[] {
  if (!Array.isArray(value)) throw wrong(place, "must be the list of the injection log", value);
  const entries = (value as unknown[]).map((entry) => {
    const { call, tool, fault, executed, response, changes } = (entry ?? {}) as Record<string, unknown>;
    if (!Number.isInteger(call) || (call as number) < 0 || typeof tool !== "string")
      throw wrong(place, "every entry must have a call (a whole number from 0 on) and a tool", entry);
    if (!MET_FAULTS.includes(fault as MetFault))
      throw wrong(place, `fault must be one of ${MET_FAULTS.join(", ")}`, fault);
    const met = fault as MetFault;
    const hadEffect = !isSilentFault(met) || executed === false || !isEmptyList(changes);
    const text = typeof response === "string" ? response : null;
    return { call: call as number, tool, fault: met, response: text, hadEffect };
  });
  return entries.filter(({ hadEffect }) => hadEffect).sort((a, b) => a.call - b.call);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function wrong(place: string, expected: string, value: unknown): CalibrantError {
  const got = JSON.stringify(value) ?? String(value);
  return new CalibrantError("data", `${place}: injections: ${expected}, got ${got}`, { value });
}
