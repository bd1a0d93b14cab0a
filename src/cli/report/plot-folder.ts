import { access, constants, mkdir, stat } from "node:fs/promises";
import { join, posix, relative, sep } from "node:path";
import { openAtomicFile } from "../../data/atomic-file.ts";
import { CalibrantError, errorMessage } from "../../errors.ts";
import type { Plot } from "../../report/plot.ts";
import type { Cleanup } from "../cleanup.ts";
import type { PlotFormat } from "./report-options.ts";

/** Pixels of a PNG for each unit of the drawing: sharp on dense screens and on paper. */
const PNG_SCALE = 2;

/** Drawn before any work, so that a missing package or font is known then. */
const PROBE: Plot = {
  id: "probe",
  kind: "overview",
  title: "Probe",
  description: "A point.",
  slice: null,
  spec: {
    data: { values: [{ x: 1 }] },
    mark: "point",
    encoding: { x: { field: "x", type: "quantitative" } },
  },
};

/** A picture that is drawn and not yet written. */
export interface DrawnPlot {
  readonly id: string;
  readonly ending: PlotFormat;
  readonly bytes: Uint8Array;
}

/**
 * Makes sure that pictures can be drawn and written to a folder, before any work. It is made when only its parent is
 * there.
 *
 * @throws CalibrantError `io` naming the folder that cannot be made or written to; `missing-package` as {@link drawPlots}.
 */
export async function openPlotFolder(path: string, format: PlotFormat, cleanup: Cleanup): Promise<void> {
  await drawPlots([PROBE], format);
  try {
    const there = await stat(path).catch(() => null);
    if (there !== null && !there.isDirectory()) throw new Error("it is a file");
    if (there === null) {
      await mkdir(path);
      cleanup.folder(path);
    }
    await access(path, constants.W_OK);
  } catch (error) {
    throw new CalibrantError(
      "io",
      `cannot write pictures to ${path}: ${errorMessage(error)}`,
      { path },
      { cause: error },
    );
  }
}

/**
 * Draws every picture as SVG, and with the format `png` as PNG as well, in the light theme.
 *
 * @throws CalibrantError `missing-package` for PNG without its optional package.
 */
export async function drawPlots(plots: readonly Plot[], format: PlotFormat): Promise<DrawnPlot[]> {
  const { renderSvg } = await import("../../report/plots/render-svg.ts");
  const drawn: DrawnPlot[] = [];
  for (const plot of plots) {
    const svg = await renderSvg(plot, { theme: "light" });
    drawn.push({ id: plot.id, ending: "svg", bytes: Buffer.from(svg) });
    if (format !== "png") continue;
    const { renderPng } = await import("../../report/plots/render-png.ts");
    drawn.push({
      id: plot.id,
      ending: "png",
      bytes: await renderPng(plot, { theme: "light", scale: PNG_SCALE }),
    });
  }
  return drawn;
}

/** Writes drawn pictures, each under a temporary name first. */
export async function writePlots(
  folder: string,
  drawn: readonly DrawnPlot[],
  cleanup: Cleanup,
): Promise<void> {
  for (const { id, ending, bytes } of drawn) {
    const file = await openAtomicFile(join(folder, `${id}.${ending}`), process.pid, cleanup.file);
    await file.write(bytes);
    await file.commit();
  }
}

/** Links to the pictures from a Markdown file in `from`, by the picture's id. */
export function plotLinks(
  plots: readonly Plot[],
  folder: string,
  from: string,
  ending: PlotFormat,
): ReadonlyMap<string, string> {
  const path = relative(from, folder).split(sep).join("/");
  return new Map(plots.map(({ id }) => [id, posix.join(path, `${id}.${ending}`)]));
}
