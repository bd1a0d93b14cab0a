/** The colours of the pictures by what they stand for. */
export interface Palette {
  /** Paper behind the picture. */
  readonly background: string;
  readonly text: string;
  /** Axis labels and remarks. */
  readonly muted: string;
  readonly axis: string;
  readonly grid: string;
  readonly correct: string;
  readonly wrong: string;
  /** What both classes have in common. */
  readonly overlap: string;
  /** Where chance alone would put a point. */
  readonly band: string;
  /** Up to eight slices side by side, told apart by dash and shape as well. */
  readonly series1: string;
  readonly series2: string;
  readonly series3: string;
  readonly series4: string;
  readonly series5: string;
  readonly series6: string;
  readonly series7: string;
  readonly series8: string;
}

/**
 * The colours inside the specifications: every mark has a contrast of at least 3 : 1 on white and on near black, 4.5 : 1
 * on white where it is text. Blue and orange stay apart with every common colour blindness.
 */
export const LIGHT: Palette = {
  background: "#ffffff",
  text: "#1f2328",
  muted: "#57606a",
  axis: "#868e97",
  grid: "#e3e7eb",
  correct: "#1f6fb5",
  wrong: "#c2560a",
  overlap: "#6b6678",
  band: "#d3d9df",
  series1: "#6a5bd0",
  series2: "#a0660c",
  series3: "#0d8074",
  series4: "#c03a86",
  series5: "#5f6f85",
  series6: "#6f7610",
  series7: "#b8483c",
  series8: "#1479a6",
};

/** The same on a dark page (`#14171c`). */
export const DARK: Palette = {
  background: "#14171c",
  text: "#e6edf3",
  muted: "#a3adb8",
  axis: "#6e7781",
  grid: "#2b3138",
  correct: "#6cb2f2",
  wrong: "#f0984f",
  overlap: "#a9a3ba",
  band: "#3b434d",
  series1: "#a79cf5",
  series2: "#dba54a",
  series3: "#3fbfae",
  series4: "#ee85bd",
  series5: "#9fb0c6",
  series6: "#b5bd4e",
  series7: "#ef8f84",
  series8: "#5ab9e6",
};

/** Colours as CSS variables with the light colour as fallback, or fixed for light or dark paper. */
export type PlotTheme = "css" | "light" | "dark";

/** One way to draw a series: colour, dash and point shape, each enough to tell it from the others. */
export interface SeriesStyle {
  readonly color: string;
  /** Lengths of strokes and gaps; empty for a solid line. */
  readonly dash: readonly number[];
  readonly shape: string;
}

/** Styles of up to eight series side by side. */
export const SERIES: readonly SeriesStyle[] = [
  { color: LIGHT.series1, dash: [], shape: "circle" },
  { color: LIGHT.series2, dash: [7, 3], shape: "square" },
  { color: LIGHT.series3, dash: [8, 3, 2, 3], shape: "triangle-up" },
  { color: LIGHT.series4, dash: [4, 2], shape: "diamond" },
  { color: LIGHT.series5, dash: [12, 4], shape: "cross" },
  { color: LIGHT.series6, dash: [5, 5], shape: "triangle-down" },
  { color: LIGHT.series7, dash: [9, 2, 2, 2, 2, 2], shape: "triangle-right" },
  { color: LIGHT.series8, dash: [2, 3], shape: "triangle-left" },
];

const NAMES = Object.keys(LIGHT) as (keyof Palette)[];

/**
 * A specification with its colours exchanged for those of a theme: `light` changes nothing, `dark` takes {@link DARK},
 * `css` writes `var(--c-correct, #1f6fb5)` and the like, so that one SVG follows the page it stands in.
 *
 * @param spec any JSON value; strings that are one of the colours of {@link LIGHT} are exchanged, everything else stays
 */
export function themed<T>(spec: T, theme: PlotTheme): T {
  return exchange(spec, themeColours(theme)) as T;
}

/** CSS declarations of the variables that the theme `css` uses: `--c-correct:#1f6fb5;…`, for a rule of a page. */
export function paletteCss(palette: Palette): string {
  return NAMES.map((name) => `--c-${name}:${palette[name]};`).join("");
}

function themeColours(theme: PlotTheme): ReadonlyMap<string, string> {
  const colourOf = (name: keyof Palette): string => {
    if (theme === "css") return `var(--c-${name}, ${LIGHT[name]})`;
    return theme === "dark" ? DARK[name] : LIGHT[name];
  };
  return new Map(NAMES.map((name) => [LIGHT[name], colourOf(name)]));
}

function exchange(value: unknown, colours: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return colours.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => exchange(item, colours));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, exchange(item, colours)]));
}
