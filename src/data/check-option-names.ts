import { CalibrantError } from "../errors.ts";
import { nearestName } from "./nearest-name.ts";

/**
 * A misspelt option, or one of another function, would be ignored without a word and the numbers would be others than meant.
 *
 * @throws CalibrantError `option` for a name that is not known.
 */
export function checkOptionNames(options: object, known: readonly string[], owner: string): void {
  if (options === null || typeof options !== "object" || Array.isArray(options))
    throw new CalibrantError(
      "option",
      `the options of ${owner} must be an object, got ${Array.isArray(options) ? "a list" : String(options)}`,
    );
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const nearest = nearestName(name, known);
    const hint = nearest === null ? `known are ${known.join(", ")}` : `did you mean ${nearest}?`;
    throw new CalibrantError("option", `${owner} has no option ${name}: ${hint}`, { name });
  }
}
