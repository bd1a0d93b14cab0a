import type { LoggerInterface, View } from "vega";
import { CalibrantError, errorMessage } from "../../errors.ts";
import type { Plot } from "../plot.ts";
import { DARK, LIGHT, type PlotTheme, themed } from "./plot-theme.ts";
import { standaloneSvg } from "./standalone-svg.ts";
import { textWidth } from "./text-width.ts";
import { loadVega, type VegaModules } from "./vega-module.ts";

/** Options of {@link renderSvg}. */
export interface RenderSvgOptions {
  /**
   * Colours: `css` = CSS variables of the page around it (`--c-correct` …, see `paletteCss`), with the light colour where
   * there are none; `light` and `dark` = fixed. Default `css`.
   */
  readonly theme?: PlotTheme;
}

/**
 * Draws a picture as SVG text that stands alone: no script, no reference to anything outside, on paper
 * of the theme's colour (with `css` on what lies behind), text that can be selected, an accessible name, and as wide as its place allows, up to its own width. The same plot gives
 * the same bytes; ids begin with the plot's id, so that many pictures fit into one page.
 *
 * @throws CalibrantError `missing-package` without vega and vega-lite; `data` when the specification cannot be drawn.
 *
 * @example
 * ```ts
 * import { renderSvg } from "calibrant/report";
 * const spec = { data: { values: [{ x: 1, y: 2 }] }, mark: "point", encoding: { x: { field: "x", type: "quantitative" } } };
 * const plot = { id: "one", kind: "overview" as const, title: "One", description: "One point.", slice: null, spec };
 * const svg = await renderSvg(plot, { theme: "light" });
 * console.log(svg.startsWith("<svg"), svg.includes("<title>One point.</title>")); // true true
 * ```
 */
export async function renderSvg(plot: Plot, options: RenderSvgOptions = {}): Promise<string> {
  const { theme = "css" } = options;
  const modules = await loadVega();
  const raw = await draw(modules, plot, theme);
  return standaloneSvg(raw, plot);
}

const PAPER: Readonly<Record<PlotTheme, string>> = {
  css: "transparent",
  light: LIGHT.background,
  dark: DARK.background,
};

async function draw(modules: VegaModules, plot: Plot, theme: PlotTheme): Promise<string> {
  const { vega, vegaLite } = modules;
  const spec = { ...themed(plot.spec, theme), background: PAPER[theme] };
  const logger = failingLogger();
  try {
    const compiled = vegaLite.compile(spec as never, { logger }).spec;
    const view = new vega.View(vega.parse(compiled), { renderer: "none", logger });
    layOut(vega, view);
    const svg = await view.toSVG();
    view.finalize();
    return svg;
  } catch (error) {
    const message = `plot ${plot.id}: the specification cannot be drawn: ${errorMessage(error)}`;
    throw new CalibrantError("data", message, { plot: plot.id }, { cause: error });
  }
}

/** Vega reports a failure of its dataflow to the logger alone. */
function failingLogger(): LoggerInterface {
  const logger: LoggerInterface = {
    level: ((level?: number) => (level === undefined ? 1 : logger)) as LoggerInterface["level"],
    error: (...parts: readonly unknown[]) => {
      throw parts.find((part) => part instanceof Error) ?? new Error(parts.join(" "));
    },
    warn: () => logger,
    info: () => logger,
    debug: () => logger,
  };
  return logger;
}

/**
 * Runs the view with our widths of text. Vega alone takes 0.8 em a letter where there is no canvas, which leaves wide
 * empty margins. The function is exchanged for this one synchronous call; nothing else can draw meanwhile.
 */
function layOut(vega: VegaModules["vega"], view: View): void {
  const metrics = textMetricsOf(vega);
  const before = metrics.width;
  metrics.width = (item, text) => textWidth(String(text ?? ""), item.fontSize ?? 11);
  try {
    view.run();
  } finally {
    metrics.width = before;
  }
}

interface TextMetrics {
  width: (item: { readonly fontSize?: number }, text: unknown) => number;
}

/** Vega exports it for replacement, but its types do not name it. */
function textMetricsOf(vega: unknown): TextMetrics {
  return (vega as { readonly textMetrics: TextMetrics }).textMetrics;
}
