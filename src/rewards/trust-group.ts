import { checkOptionNames } from "../data/check-option-names.ts";
import { CalibrantError } from "../errors.ts";
import type { AdvantageOptions } from "./advantage.ts";
import { RELEASED_OPTIONS, TRUST_OPTIONS } from "./option-names.ts";
import { type PaperGroupScores, paperGroup } from "./trust-group-paper.ts";
import { type ReleasedGroupScores, releasedGroupScores } from "./trust-group-released.ts";
import type { TrustGroupInput } from "./trust-group-rows.ts";
import type { TrustReleasedOptions } from "./trust-released.ts";
import type { TrustOptions } from "./trust-settings.ts";

export type { PaperGroupScores } from "./trust-group-paper.ts";
export type { ReleasedGroupScores } from "./trust-group-released.ts";
export type { TrustGroupInput, TrustGroupRollout } from "./trust-group-rows.ts";

/**
 * Options of {@link trustGroup}. `tau`, `sentinels`, `level` and `advantage` count for both variants, `lambda` and `text`
 * for `released` alone, the others for `paper` alone.
 */
export interface TrustGroupOptions extends TrustOptions, Pick<TrustReleasedOptions, "lambda" | "text"> {
  /** Which rewards, see `trustJob` and `trustReleasedJob`. Default `"paper"`. */
  readonly variant?: "paper" | "released";
  readonly advantage?: AdvantageOptions;
}

const OPTIONS = [...new Set([...TRUST_OPTIONS, ...RELEASED_OPTIONS, "variant", "advantage"])];

/** What {@link trustGroup} returns; `variant` tells the two apart. */
export type TrustGroupScores = PaperGroupScores | ReleasedGroupScores;

/**
 * Scores the rollouts of one decision point with the TRUST reward in one call, for trainers that hold a group in memory.
 *
 * The numbers and the statuses are bit for bit those of `scoreTrust` (`paper`) and of the reward `trust-released`
 * (`released`) for the same rollouts in one group; a `bad_ppl` of the group's own perplexities stands in every rollout.
 * Without a known gold action every reward is NaN, every advantage 0, with the status `no_gold`. Linear in the tokens and
 * the texts; Float32Array and Float64Array are read where they lie.
 *
 * @returns arrays of shape (rollouts), NaN = null, empty for no rollouts (with what the references alone give for the
 *   margin). `paper` has one margin and certainty, `released` one a rollout.
 * @throws CalibrantError `option` for a bad option; `data` or `length-mismatch` for a value that cannot be, with the
 *   rollout's number and the column's name in files.
 *
 * @example
 * ```ts
 * import { trustGroup } from "calibrant/rewards";
 * const { margin, certainty, reward, status } = trustGroup({
 *   goldAction: "ask",
 *   goldAnswer: "Which city?",
 *   rollouts: [
 *     { response: "<think>Vague.</think><ask><answer>Which city?</answer>", logprobs: Float32Array.of(-0.25, -0.25) },
 *     { response: "<think>Guess.</think><direct><answer>Paris</answer>", logprobs: [-0.5] },
 *   ],
 * });
 * console.log(margin.toFixed(4), certainty.toFixed(4)); // 0.3647 0.9746
 * console.log(reward[0]?.toFixed(4), reward[1]?.toFixed(4), status[0]); // 4.9238 1.9746 separated
 * ```
 */
export function trustGroup(
  group: TrustGroupInput,
  options?: TrustGroupOptions & { readonly variant?: "paper" },
): PaperGroupScores;
export function trustGroup(
  group: TrustGroupInput,
  options: TrustGroupOptions & { readonly variant: "released" },
): ReleasedGroupScores;
export function trustGroup(group: TrustGroupInput, options?: TrustGroupOptions): TrustGroupScores;
export function trustGroup(group: TrustGroupInput, options: TrustGroupOptions = {}): TrustGroupScores {
  if (group === null || typeof group !== "object")
    throw new CalibrantError("data", `the group must be an object with rollouts, got ${String(group)}`);
  checkOptionNames(options, OPTIONS, "trustGroup");
  checkNoOptions(group);
  const { variant = "paper" } = options;
  if (variant === "paper") return paperGroup(group, options);
  if (variant === "released") return releasedGroupScores(group, options);
  throw new CalibrantError("option", `variant must be paper or released, got ${String(variant)}`, {
    variant,
  });
}

/** Options beside the rollouts would be ignored without a word. */
function checkNoOptions(group: TrustGroupInput): void {
  for (const name of Object.keys(group)) {
    if (!OPTIONS.includes(name)) continue;
    throw new CalibrantError("option", `${name} is an option of trustGroup: pass it in the second argument`, {
      name,
    });
  }
}
