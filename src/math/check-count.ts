import { CalibrantError } from "../errors.ts";

/**
 * Checks an option that counts something, as a number of resamples.
 *
 * @param least the smallest number allowed, default 0
 * @throws CalibrantError `option` for a number that is not an integer from `least`.
 */
export function checkCount(name: string, value: number, least: number = 0): void {
  if (Number.isInteger(value) && value >= least) return;
  throw new CalibrantError("option", `${name} must be an integer from ${least}, got ${value}`, {
    [name]: value,
  });
}
