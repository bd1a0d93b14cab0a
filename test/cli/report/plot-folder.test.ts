import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createCleanup } from "../../../src/cli/cleanup.ts";
import { drawPlots, openPlotFolder, plotLinks, writePlots } from "../../../src/cli/report/plot-folder.ts";
import type { PlotFormat } from "../../../src/cli/report/report-options.ts";
import type { Plot } from "../../../src/report/plot.ts";
import { temporaryFolder } from "../../e2e/run-cli.ts";

const folder = temporaryFolder();
const plot = (id: string): Plot => ({
  id,
  kind: "overview",
  title: id,
  description: `The picture ${id}.`,
  slice: null,
  spec: {
    data: { values: [{ x: 1, y: 2 }] },
    mark: "point",
    encoding: { x: { field: "x", type: "quantitative" }, y: { field: "y", type: "quantitative" } },
  },
});

describe("openPlotFolder", () => {
  it("makes the folder, and takes it away again when nothing came into it", async () => {
    const path = join(folder, "made");
    const cleanup = createCleanup();
    await openPlotFolder(path, "svg", cleanup);
    expect(existsSync(path)).toBe(true);
    cleanup.run();
    expect(existsSync(path)).toBe(false);
  });

  it("leaves a folder that was there", async () => {
    const path = join(folder, "there");
    mkdirSync(path);
    const cleanup = createCleanup();
    await openPlotFolder(path, "svg", cleanup);
    cleanup.run();
    expect(existsSync(path)).toBe(true);
  });

  it("refuses a file, and a folder in no folder", async () => {
    const path = join(folder, "file");
    writeFileSync(path, "");
    await expect(openPlotFolder(path, "svg", createCleanup())).rejects.toMatchObject({
      code: "io",
      message: `cannot write pictures to ${path}: it is a file`,
    });
    await expect(openPlotFolder(join(folder, "no/where"), "svg", createCleanup())).rejects.toMatchObject({
      code: "io",
      message: expect.stringContaining("ENOENT"),
    });
  });
});

describe("pictures", () => {
  it("are written as SVG, and as PNG too when asked for", async () => {
    const path = join(folder, "pictures");
    const cleanup = createCleanup();
    await openPlotFolder(path, "png", cleanup);
    await writePlots(path, await drawPlots([plot("iou-0"), plot("trend-iou")], "png"), cleanup);
    expect(readdirSync(path).sort()).toEqual(["iou-0.png", "iou-0.svg", "trend-iou.png", "trend-iou.svg"]);
    expect(readFileSync(join(path, "iou-0.svg"), "utf8")).toContain("<title>The picture iou-0.</title>");
    expect(readFileSync(join(path, "iou-0.png")).subarray(1, 4).toString()).toBe("PNG");
    await writePlots(path, await drawPlots([plot("iou-0")], "svg"), cleanup);
    expect(readdirSync(path)).toHaveLength(4);
  });

  it("are linked from where the Markdown file lies", () => {
    const plots = [plot("iou-0")];
    const link = (...where: [string, string, PlotFormat]): unknown => [...plotLinks(plots, ...where)];
    expect(link("out/plots", "out", "svg")).toEqual([["iou-0", "plots/iou-0.svg"]]);
    expect(link("plots", "docs/reports", "png")).toEqual([["iou-0", "../../plots/iou-0.png"]]);
    expect(link(".", ".", "svg")).toEqual([["iou-0", "iou-0.svg"]]);
  });
});
