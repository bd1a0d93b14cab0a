import { CalibrantError, errorMessage } from "../../errors.ts";
import type { Plot } from "../plot.ts";
import { renderSvg } from "./render-svg.ts";

/** Options of {@link renderPng}. */
export interface RenderPngOptions {
  /** Paper and colours. Default `light`. */
  readonly theme?: "light" | "dark";
  /** Pixels for each pixel of the SVG; above 0, at most 10. Default 2. */
  readonly scale?: number;
}

type Resvg = typeof import("@resvg/resvg-js");

/** What stands in for `sans-serif`; without it resvg takes whatever font the system has. */
const SANS_SERIF = "DejaVu Sans";

/**
 * Draws a picture as PNG on paper of the theme's colour, with the fonts of the system.
 *
 * @throws CalibrantError `missing-package` without @resvg/resvg-js, vega or vega-lite; `option` for a bad scale; `io` when
 * the system has no font, since a picture without words would mislead; `data` when the specification cannot be drawn.
 *
 * @example
 * ```ts
 * import { renderPng } from "calibrant/report";
 * const spec = { data: { values: [{ x: 1, y: 2 }] }, mark: "point", encoding: { x: { field: "x", type: "quantitative" } } };
 * const plot = { id: "one", kind: "overview" as const, title: "One", description: "One point.", slice: null, spec };
 * const png = await renderPng(plot, { scale: 1 });
 * console.log(String.fromCharCode(...png.subarray(1, 4))); // PNG
 * ```
 */
export async function renderPng(plot: Plot, options: RenderPngOptions = {}): Promise<Uint8Array> {
  const { theme = "light", scale = 2 } = options;
  if (!(scale > 0 && scale <= 10))
    throw new CalibrantError("option", `scale must be a number above 0, at most 10, got ${scale}`, { scale });
  const resvg = await loadResvg();
  checkFonts(resvg);
  const svg = await renderSvg(plot, { theme });
  return draw(resvg, svg, scale);
}

/** @throws CalibrantError `missing-package` saying how to install it. */
async function loadResvg(): Promise<Resvg> {
  try {
    return await import("@resvg/resvg-js");
  } catch (error) {
    throw new CalibrantError(
      "missing-package",
      `PNG pictures need the package @resvg/resvg-js: npm install @resvg/resvg-js (${errorMessage(error)})`,
      { package: "@resvg/resvg-js" },
      { cause: error },
    );
  }
}

/** Draws one letter: without any font resvg leaves texts out in silence. */
function checkFonts(resvg: Resvg): void {
  const probe = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><text y="16" font-size="16" font-family="sans-serif">M</text></svg>`;
  const image = new resvg.Resvg(probe, { font: fonts }).render();
  if (image.pixels.some((value) => value !== 0)) return;
  const message =
    "PNG pictures need a font, and this system has none: install one, for example the package fonts-dejavu-core";
  throw new CalibrantError("io", message);
}

const fonts = { loadSystemFonts: true, defaultFontFamily: SANS_SERIF, sansSerifFamily: SANS_SERIF };

function draw(resvg: Resvg, svg: string, scale: number): Uint8Array {
  const image = new resvg.Resvg(svg, { font: fonts, fitTo: { mode: "zoom", value: scale } });
  return new Uint8Array(image.render().asPng());
}
