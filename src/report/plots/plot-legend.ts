import { dashed, FULL_WIDTH, inline, PANEL_WIDTH, type Spec, TEXT_SIZE } from "./plot-frame.ts";
import { shorten } from "./plot-text.ts";
import { textWidth } from "./text-width.ts";

/** One entry of a legend: a sample of the mark and what it is. */
export interface LegendEntry {
  readonly mark: "line" | "area" | "point" | "tick";
  readonly text: string;
  readonly color: string;
  readonly dash?: readonly number[];
  readonly shape?: string;
  readonly opacity?: number;
  /** A tick that lies instead of standing. */
  readonly flat?: boolean;
}

/** Where a legend stands, in pixels. */
export interface LegendPlace {
  /** Where it begins, counted from the left edge of the panels below. Default: below the picture's title. */
  readonly left?: number;
  /** Width of the panels below. Default {@link PANEL_WIDTH}. */
  readonly width?: number;
}

const ROW_HEIGHT = 18;
const SAMPLE_WIDTH = 26;
const GAP = 16;

/**
 * A panel with legend entries: in one row where they fit, else in columns of equal width.
 */
export function legend(entries: readonly LegendEntry[], place: LegendPlace = {}): Spec {
  const { left = PANEL_WIDTH - FULL_WIDTH, width = PANEL_WIDTH } = place;
  const places = placesOf(entries);
  const rows = Math.max(1, ...places.map(({ row }) => row + 1));
  return {
    width,
    height: rows * ROW_HEIGHT,
    data: inline([{}]),
    layer: entries.flatMap((entry, i) => {
      const { x, row } = places[i] as Place;
      return layersOf(entry, left + x, row * ROW_HEIGHT + ROW_HEIGHT / 2);
    }),
  };
}

interface Place {
  readonly x: number;
  readonly row: number;
}

function placesOf(entries: readonly LegendEntry[]): Place[] {
  const widths = entries.map((entry) => SAMPLE_WIDTH + textWidth(textOf(entry), TEXT_SIZE) + GAP);
  if (widths.reduce((sum, width) => sum + width, -GAP) <= FULL_WIDTH) {
    return widths.map((_, i) => ({ x: widths.slice(0, i).reduce((sum, width) => sum + width, 0), row: 0 }));
  }
  const widest = widths.reduce((most, width) => Math.max(most, width), 0);
  const columns = Math.max(1, Math.floor((FULL_WIDTH + GAP) / widest));
  return widths.map((_, i) => ({ x: (i % columns) * widest, row: Math.floor(i / columns) }));
}

function textOf({ text }: LegendEntry): string {
  return shorten(text, 62);
}

function layersOf(entry: LegendEntry, x: number, y: number): Spec[] {
  const label = {
    mark: { type: "text", align: "left", baseline: "middle" },
    encoding: {
      x: { value: x + SAMPLE_WIDTH },
      y: { value: y },
      text: { value: textOf(entry) },
    },
  };
  const point = pointSample(entry, x + SAMPLE_WIDTH / 2 - 3, y);
  if (entry.mark === "area") return [areaSample(entry, x, y), label];
  if (entry.mark === "line")
    return [lineSample(entry, x, y), ...(entry.shape === undefined ? [] : [point]), label];
  return [entry.mark === "tick" ? tickSample(entry, x + SAMPLE_WIDTH / 2 - 3, y) : point, label];
}

function lineSample({ color, dash = [] }: LegendEntry, x: number, y: number): Spec {
  return {
    mark: { type: "rule", color, strokeWidth: 2, ...dashed(dash) },
    encoding: { x: { value: x }, x2: { value: x + SAMPLE_WIDTH - 6 }, y: { value: y } },
  };
}

function areaSample({ color, opacity = 1 }: LegendEntry, x: number, y: number): Spec {
  return {
    mark: { type: "rect", color, opacity },
    encoding: {
      x: { value: x },
      x2: { value: x + SAMPLE_WIDTH - 6 },
      y: { value: y - 5 },
      y2: { value: y + 5 },
    },
  };
}

function tickSample({ color, flat = false }: LegendEntry, x: number, y: number): Spec {
  const standing = { x: { value: x }, y: { value: y - 6 }, y2: { value: y + 6 } };
  const lying = { x: { value: x - 7 }, x2: { value: x + 7 }, y: { value: y } };
  return { mark: { type: "rule", color, strokeWidth: 2 }, encoding: flat ? lying : standing };
}

function pointSample({ color, shape = "circle" }: LegendEntry, x: number, y: number): Spec {
  return {
    mark: { type: "point", filled: true, color, shape, size: 50, opacity: 1 },
    encoding: { x: { value: x }, y: { value: y } },
  };
}
