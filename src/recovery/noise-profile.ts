import { checkOptionNames } from "../data/check-option-names.ts";
import { CalibrantError } from "../errors.ts";
import { compensatedSum } from "../math/sum.ts";
import { FAULT_KINDS, type FaultKind } from "../types.ts";

/** What a call that is not blocked can draw: a kind of failure, or none. */
export type NoiseName = FaultKind | "clean";

/** The probability of each of the nine kinds and of a clean call; the ten sum to 1. */
export type NoiseProfile = Readonly<Record<NoiseName, number>>;

/** The probabilities that {@link noiseProfile} is told; it works out the others. */
export type NoiseOptions = { readonly [name in NoiseName]?: number };

/** The ten names in the order in which {@link drawFault} lays them out over [0, 1): clean, then Table 7. */
export const NOISE_NAMES: readonly NoiseName[] = ["clean", ...FAULT_KINDS];

/** The noise of Bench2Robust, Table 7: 0.60 clean, the rest over nine kinds. A stress test, not a rate of real tools. */
export const DEFAULT_NOISE: NoiseProfile = {
  clean: 0.6,
  timeout: 0.06,
  rate_limit: 0.05,
  server_error: 0.05,
  malformed_response: 0.04,
  auth_error: 0.03,
  schema_drift: 0.03,
  partial: 0.05,
  stale: 0.04,
  factual_error: 0.05,
};

const SUM_TOLERANCE = 1e-9;

/**
 * Makes a noise profile out of a few of its probabilities. What is given is taken as it is. The others:
 *
 * - Nothing given: {@link DEFAULT_NOISE}.
 * - `clean` given: what is left of 1 goes to the kinds that are not given, in the proportions of Table 7. With `clean`
 *   alone that is the severity of Table 3.
 * - Kinds given without `clean`: the other kinds are 0 and `clean` is what is left, so `{ timeout: 1 }` only times out.
 *
 * The results are rounded to 15 significant digits, so that 0.8 clean gives 0.03 and not 0.029999999999999995.
 *
 * @throws CalibrantError `option` for an unknown name, a value outside [0, 1], or values that cannot be filled up to 1.
 *
 * @example
 * ```ts
 * import { noiseProfile } from "calibrant/recovery";
 * console.log(noiseProfile({ clean: 0.8 }).timeout); // 0.03
 * const onlyTimeouts = noiseProfile({ timeout: 0.25 });
 * console.log(onlyTimeouts.clean, onlyTimeouts.stale); // 0.75 0
 * ```
 */
export function noiseProfile(options: NoiseOptions = {}): NoiseProfile {
  checkOptionNames(options, NOISE_NAMES, "noiseProfile");
  const given = NOISE_NAMES.filter((name) => options[name] !== undefined);
  if (given.length === 0) return DEFAULT_NOISE;
  for (const name of given) checkProbability(options[name], `noiseProfile: ${name}`);
  const sum = compensatedSum(given.map((name) => options[name] as number));
  if (sum > 1 + SUM_TOLERANCE) {
    throw new CalibrantError(
      "option",
      `noiseProfile: the probabilities given must sum to at most 1: lower ${given.join(", ")}, got a sum of ${tidy(sum)}`,
      { given, sum },
    );
  }
  const rest = tidy(Math.max(0, 1 - sum));
  // Without `clean` it is the only one that takes of the rest: the kinds that are not given are off.
  const takers = options.clean === undefined ? ["clean"] : NOISE_NAMES.filter((n) => !given.includes(n));
  const weights = compensatedSum(takers.map((name) => DEFAULT_NOISE[name as NoiseName]));
  const entries = NOISE_NAMES.map((name): [NoiseName, number] => {
    const value = options[name];
    if (value !== undefined) return [name, value];
    return [name, takers.includes(name) ? tidy(DEFAULT_NOISE[name] * (rest / weights)) : 0];
  });
  const profile = Object.fromEntries(entries) as NoiseProfile;
  checkNoiseProfile(profile, "noiseProfile");
  return profile;
}

/**
 * Checks that a profile has the ten names and no other, each a number in [0, 1], and that they sum to 1 within 1e-9.
 *
 * @param name - what the message calls the profile.
 * @throws CalibrantError `option` with the sum and the way to mend it.
 *
 * @example
 * ```ts
 * import { checkNoiseProfile, DEFAULT_NOISE } from "calibrant/recovery";
 * try {
 *   checkNoiseProfile({ ...DEFAULT_NOISE, clean: 0.5 });
 * } catch (error) {
 *   console.log(String(error).includes("set clean to 0.6")); // true
 * }
 * ```
 */
export function checkNoiseProfile(profile: unknown, name: string = "noise"): asserts profile is NoiseProfile {
  if (typeof profile !== "object" || profile === null || Array.isArray(profile)) {
    throw new CalibrantError(
      "option",
      `${name} must be an object of ten probabilities, as noiseProfile({ clean: 0.8 }) makes, got ${Array.isArray(profile) ? "a list" : String(profile)}`,
    );
  }
  checkOptionNames(profile, NOISE_NAMES, name);
  const values = profile as Readonly<Record<string, unknown>>;
  const missing = NOISE_NAMES.filter((each) => values[each] === undefined);
  if (missing.length > 0) {
    throw new CalibrantError(
      "option",
      `${name} must give all ten probabilities, or let noiseProfile({ … }) fill up the ones you have; missing ${missing.join(", ")}`,
      { missing },
    );
  }
  for (const each of NOISE_NAMES) checkProbability(values[each], `${name}: ${each}`);
  checkSum(profile as NoiseProfile, name);
}

/**
 * What a call draws: the inverse of the cumulative distribution in the order of {@link NOISE_NAMES}. A name of
 * probability 0 is never drawn. Where rounding leaves the sum below `u`, the last name above 0 is drawn.
 *
 * @param profile - a profile that {@link checkNoiseProfile} accepts; it is not checked again.
 * @param u - a uniform number in [0, 1).
 * @throws CalibrantError `option` for a `u` outside [0, 1).
 *
 * @example
 * ```ts
 * import { DEFAULT_NOISE, drawFault } from "calibrant/recovery";
 * console.log([0.3, 0.65, 0.99].map((u) => drawFault(DEFAULT_NOISE, u)).join(" ")); // clean timeout factual_error
 * ```
 */
export function drawFault(profile: NoiseProfile, u: number): NoiseName {
  if (!(u >= 0 && u < 1))
    throw new CalibrantError("option", `drawFault: u must be in [0, 1), got ${String(u)}`, { u });
  let cumulative = 0;
  let last: NoiseName = "clean";
  for (const name of NOISE_NAMES) {
    const probability = profile[name];
    if (probability === 0) continue;
    cumulative += probability;
    last = name;
    if (u < cumulative) return name;
  }
  return last;
}

function checkProbability(value: unknown, subject: string): void {
  if (typeof value === "number" && value >= 0 && value <= 1) return;
  const got = typeof value === "string" ? JSON.stringify(value) : String(value);
  throw new CalibrantError("option", `${subject} must be a number in [0, 1], got ${got}`, { value });
}

function checkSum(profile: NoiseProfile, name: string): void {
  const sum = compensatedSum(NOISE_NAMES.map((each) => profile[each]));
  if (Math.abs(sum - 1) <= SUM_TOLERANCE) return;
  const faults = compensatedSum(FAULT_KINDS.map((kind) => profile[kind]));
  const way =
    faults <= 1
      ? `set clean to ${tidy(1 - faults)}, or leave clean out of noiseProfile({ … })`
      : `the nine kinds alone sum to ${tidy(faults)}; noiseProfile({ clean: ${profile.clean} }) scales those of Table 7`;
  throw new CalibrantError("option", `${name} must sum to 1: ${way}, got a sum of ${tidy(sum)}`, { sum });
}

function tidy(value: number): number {
  return Number(value.toPrecision(15));
}
