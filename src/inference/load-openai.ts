import { CalibrantError } from "../errors.ts";

/** The module `openai`. */
export type OpenAiModule = typeof import("openai");

/**
 * Loads the optional package `openai`.
 *
 * @throws CalibrantError `missing-package` saying how to install it.
 */
export async function loadOpenAi(): Promise<OpenAiModule> {
  try {
    return await import("openai");
  } catch (error) {
    throw new CalibrantError(
      "missing-package",
      "asking a model needs the package openai: npm install openai@6.49.0",
      { package: "openai" },
      { cause: error },
    );
  }
}
