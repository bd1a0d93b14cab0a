import { checkOptionNames } from "../../data/check-option-names.ts";
import { CalibrantError } from "../../errors.ts";
import { RELEASED_OPTIONS, TRUST_OPTIONS } from "../option-names.ts";
import type { RewardJob } from "../reward-job.ts";
import { type TrustOptions, trustJob } from "../trust.ts";
import { type TrustReleasedOptions, trustReleasedJob } from "../trust-released.ts";
import { type PartNames, partNames } from "./placements.ts";

/** Weights of the two terms of Eq. 9; they have different scales. */
export interface TrajectoryWeights {
  /** Of the base reward. Default 1. */
  readonly base?: number;
  /** Of the sum of R_UQ over key turns. Default 1. */
  readonly uq?: number;
}

/** Options of the trajectory reward. */
export interface TrajectoryOptions {
  /** The reward of key turns. Default `"trust"`, the paper's. */
  readonly reward?: "trust" | "trust-released";
  /** Options of `"trust"`. R_fmt is off at trajectory level. */
  readonly trust?: Omit<TrustOptions, "format" | "level">;
  /** Options of `"trust-released"`; texts are rewritten first, as the authors' trajectory training does. */
  readonly trustReleased?: Omit<TrustReleasedOptions, "text">;
  readonly weights?: TrajectoryWeights;
  /**
   * Where the base reward comes from: the column `checklist_reward`, else the column `checklists` (`"column"`, default), or
   * nowhere (`"none"`: it is 0).
   */
  readonly base?: "column" | "none";
}

/** The names of {@link TrajectoryOptions}. */
export const TRAJECTORY_OPTIONS = ["reward", "trust", "trustReleased", "weights", "base"] as const;

/** {@link TrajectoryOptions} with every default filled in. */
export interface TrajectorySettings {
  readonly job: RewardJob;
  readonly partNames: PartNames;
  readonly isReleased: boolean;
  readonly weights: Required<TrajectoryWeights>;
  readonly hasBase: boolean;
}

/** @throws CalibrantError `option` for a value that an option cannot have. */
export function trajectorySettings(options: TrajectoryOptions = {}): TrajectorySettings {
  checkOptionNames(options, TRAJECTORY_OPTIONS, "the trajectory reward");
  checkOptionNames(options.weights ?? {}, ["base", "uq"], "weights");
  checkOptionNames(options.trust ?? {}, TRUST_OPTIONS, "trust");
  checkOptionNames(options.trustReleased ?? {}, RELEASED_OPTIONS, "trustReleased");
  const { reward = "trust", trust = {}, trustReleased = {}, weights = {}, base = "column" } = options;
  const { base: ofBase = 1, uq = 1 } = weights;
  for (const [name, value] of Object.entries({ base: ofBase, uq })) {
    if (!Number.isFinite(value))
      throw new CalibrantError("option", `weights.${name} must be a finite number, got ${value}`);
  }
  if (base !== "column" && base !== "none")
    throw new CalibrantError("option", `base must be column, none, got ${String(base)}`, { base });
  const job = createJob(reward, trust, trustReleased);
  return {
    job,
    partNames: partNames(job.results),
    isReleased: reward === "trust-released",
    weights: { base: ofBase, uq },
    hasBase: base === "column",
  };
}

function createJob(
  reward: string,
  trust: TrustOptions & { readonly format?: unknown; readonly level?: unknown },
  released: TrustReleasedOptions & { readonly text?: unknown },
): RewardJob {
  if (reward === "trust-released") {
    refuse("text", released.text, "texts are always normalised at trajectory level");
    // The texts of decisions are normalised where they are made.
    const job = trustReleasedJob({ ...released, text: "raw" });
    return { ...job, choices: { ...job.choices, text: "normalised" } };
  }
  if (reward !== "trust")
    throw new CalibrantError(
      "option",
      `the reward of trajectories is trust or trust-released, got ${reward}`,
    );
  if (trust.format !== "off") refuse("format", trust.format, "R_fmt is off at trajectory level");
  if (trust.level !== "token") refuse("level", trust.level, "segments have no meaning at trajectory level");
  return trustJob({ ...trust, format: "off", level: "token" });
}

function refuse(name: string, value: unknown, why: string): void {
  if (value === undefined) return;
  throw new CalibrantError("option", `${name} cannot be set: ${why}, got ${String(value)}`, {
    [name]: value,
  });
}
