import { shorten } from "./plot-text.ts";
import { LIGHT } from "./plot-theme.ts";
import { textWidth } from "./text-width.ts";

/** A part of a Vega-Lite specification. */
export type Spec = Readonly<Record<string, unknown>>;

/** Width of the panels of a picture in pixels: with the axis about 480, so that text stays legible on a phone. */
export const PANEL_WIDTH = 410;

/** From the left edge of a picture, where the labels of the y axis are, to the right edge of its panels. */
export const FULL_WIDTH: number = PANEL_WIDTH + 56;

/** Size of running text in pixels. */
export const TEXT_SIZE = 13;

const FONT = "system-ui, Helvetica, Arial, sans-serif";
const TITLE_SIZE = 15;

/** Label of an axis without exponents and prefixes: `0.05`, `12,000`. */
export const PLAIN_NUMBER = "format(datum.value, ',.6~g')";

/**
 * Label of a vertical axis, where there is little room: `2,000`, then `20k`, `1.5M`.
 *
 * @param value Vega expression of the number
 */
export function compactNumber(value = "datum.value"): string {
  return `format(${value}, abs(datum.value) < 9999 ? ',.6~g' : '.3~s')`;
}

/** What a picture says above its panels. */
export interface FrameText {
  readonly title: string;
  /** Short lines; they are not wrapped. */
  readonly lines: readonly string[];
  readonly description: string;
}

/**
 * A picture: title, lines of text, and panels from top to bottom.
 *
 * @param panels Vega-Lite views of the width {@link PANEL_WIDTH}
 */
export function frame(text: FrameText, panels: readonly Spec[]): Spec {
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    description: text.description,
    background: LIGHT.background,
    padding: 6,
    title: {
      text: fitting(text.title, TITLE_SIZE + 1),
      // An empty list of lines would take the room of one.
      ...(text.lines.length === 0 ? {} : { subtitle: text.lines.map((line) => fitting(line, TEXT_SIZE)) }),
    },
    spacing: 10,
    vconcat: panels,
    config: CONFIG,
  };
}

/** The longest beginning of a text that fits into the width of a picture. */
function fitting(text: string, fontSize: number): string {
  let limit = Math.min(200, [...text].length);
  while (limit > 1 && textWidth(shorten(text, limit), fontSize) > FULL_WIDTH) limit -= 1;
  return shorten(text, limit);
}

/**
 * A y axis of fixed extent, so that the panels of a picture stand exactly above each other.
 *
 * @param more other properties of the axis
 */
export function yAxis(title: string | null, more: Spec = {}): Spec {
  return {
    title,
    minExtent: 36,
    maxExtent: 36,
    grid: true,
    domain: false,
    ticks: false,
    tickCount: 4,
    labelExpr: compactNumber(),
    ...more,
  };
}

/** Properties of a mark for a line with a dash pattern; none for an empty pattern, a solid line. */
export function dashed(dash: readonly number[]): Spec {
  return dash.length === 0 ? {} : { strokeDash: dash };
}

/** Data inside the specification. */
export function inline(values: readonly Spec[]): Spec {
  return { values };
}

const CONFIG: Spec = {
  font: FONT,
  // Vega cuts what it takes for too long by a rough guess; texts are cut here where they must be.
  axis: {
    labelLimit: 0,
    titleLimit: 0,
    labelFontSize: TEXT_SIZE - 1,
    titleFontSize: TEXT_SIZE,
    titleFontWeight: "normal",
    labelColor: LIGHT.muted,
    titleColor: LIGHT.text,
    domainColor: LIGHT.axis,
    tickColor: LIGHT.axis,
    gridColor: LIGHT.grid,
    grid: false,
  },
  title: {
    anchor: "start",
    limit: 0,
    color: LIGHT.text,
    fontSize: TITLE_SIZE,
    subtitleColor: LIGHT.text,
    subtitleFontSize: TEXT_SIZE,
    subtitlePadding: 5,
    subtitleLineHeight: 17,
    offset: 8,
  },
  view: { stroke: null },
  text: { color: LIGHT.text, fontSize: TEXT_SIZE },
};
