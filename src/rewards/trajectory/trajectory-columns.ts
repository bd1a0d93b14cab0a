import type { ResultColumn } from "../../data/columns.ts";
import type { PlanOutput } from "../plan-outputs.ts";
import { placementsText } from "./placements.ts";
import type { FinishedTrajectories } from "./trajectory-scorer.ts";

/** The added columns of trajectories, in order. */
export const TRAJECTORY_OUTPUTS: readonly PlanOutput[] = [
  { name: "base_reward", type: "float64" },
  { name: "uq_reward", type: "float64" },
  { name: "key_turns", type: "float64" },
  { name: "placements", type: "utf8" },
  { name: "reward", type: "float64" },
  { name: "advantage", type: "float64" },
  { name: "status", type: "utf8" },
];

/** The added columns of rows `start … end − 1`, each name behind `prefix`. */
export function trajectoryColumns(
  rewards: FinishedTrajectories,
  start: number,
  end: number,
  prefix = "",
): ResultColumn[] {
  const numbers = (name: string, values: Float64Array): ResultColumn => ({
    name: `${prefix}${name}`,
    type: "float64",
    values: values.subarray(start, end),
  });
  const placements = Array.from({ length: end - start }, (_, at) =>
    placementsText(rewards.placementsOf(start + at), rewards.partNames),
  );
  return [
    numbers("base_reward", rewards.baseReward),
    numbers("uq_reward", rewards.uqReward),
    numbers("key_turns", rewards.keyTurns),
    { name: `${prefix}placements`, type: "utf8", isJson: true, ...coded(placements) },
    numbers("reward", rewards.reward),
    numbers("advantage", rewards.advantage),
    { name: `${prefix}status`, type: "utf8", ...coded(rewards.status.slice(start, end)) },
  ];
}

/** Texts by code, each distinct one once. */
function coded(texts: readonly string[]): { readonly codes: Int32Array; readonly dictionary: string[] } {
  const known = new Map<string, number>();
  const codes = Int32Array.from(texts, (text) => {
    const code = known.get(text) ?? known.size;
    known.set(text, code);
    return code;
  });
  return { codes, dictionary: [...known.keys()] };
}
