import { CalibrantError, errorMessage } from "../../errors.ts";

/** The modules that draw a Vega-Lite specification. */
export interface VegaModules {
  readonly vega: typeof import("vega");
  readonly vegaLite: typeof import("vega-lite");
}

/**
 * Loads the optional packages `vega` and `vega-lite`.
 *
 * @throws CalibrantError `missing-package` saying how to install them.
 */
export async function loadVega(): Promise<VegaModules> {
  try {
    const [vega, vegaLite] = await Promise.all([import("vega"), import("vega-lite")]);
    return { vega, vegaLite };
  } catch (error) {
    throw new CalibrantError(
      "missing-package",
      `pictures need the packages vega and vega-lite: npm install vega vega-lite (${errorMessage(error)})`,
      { package: "vega" },
      { cause: error },
    );
  }
}
