import type { Plot } from "../../../src/report/plot.ts";

/** A part of a specification, for reading in tests. */
export interface SpecPart {
  readonly [name: string]: unknown;
}

/** The panels of a picture, from top to bottom. */
export function panelsOf(plot: Plot): SpecPart[] {
  return plot.spec.vconcat as SpecPart[];
}

/** The layers of a panel whose mark has this type. */
export function layersOf(panel: SpecPart | undefined, type: string): SpecPart[] {
  const layers = (panel?.layer ?? []) as SpecPart[];
  return layers.filter(({ mark }) => (mark as SpecPart).type === type);
}

/** The rows of data inside a part of a specification. */
export function valuesOf(part: SpecPart | undefined): Record<string, unknown>[] {
  return ((part?.data as SpecPart | undefined)?.values ?? []) as Record<string, unknown>[];
}

/** All texts that a specification writes: titles, lines and marks. */
export function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

/** The plot of this id. */
export function plotOf(plots: readonly Plot[], id: string): Plot {
  const plot = plots.find((one) => one.id === id);
  if (plot === undefined) throw new Error(`no plot ${id}: ${plots.map((one) => one.id).join(" ")}`);
  return plot;
}
