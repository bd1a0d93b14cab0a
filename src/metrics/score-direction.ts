import { CalibrantError } from "../errors.ts";

/** Which end of the scores speaks for the positive class. */
export type ScoreDirection = "higher-is-positive" | "lower-is-positive";

/**
 * Whether higher scores speak for the positive class.
 *
 * @throws CalibrantError `option` for any other word.
 */
export function isHigherPositive(direction: ScoreDirection): boolean {
  if (direction === "higher-is-positive") return true;
  if (direction === "lower-is-positive") return false;
  const message = `direction must be "higher-is-positive" or "lower-is-positive", got ${JSON.stringify(direction)}`;
  throw new CalibrantError("option", message, { direction });
}
