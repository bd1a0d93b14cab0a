import { inflateSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { buildPlots } from "../../../src/report/plots/build-plots.ts";
import { renderPng } from "../../../src/report/plots/render-png.ts";
import { sampleEvaluation } from "../sample-evaluation.ts";
import { plotOf } from "./spec-values.ts";

const plot = plotOf(buildPlots(sampleEvaluation()), "overview");

afterEach(() => {
  vi.doUnmock("@resvg/resvg-js");
  vi.resetModules();
});

function sizeOf(png: Uint8Array): [number, number] {
  const view = new DataView(png.buffer, png.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
}

/** The colour of the first pixel: the first row's filter leaves it as it is. */
function paperOf(png: Uint8Array): number[] {
  const view = new DataView(png.buffer, png.byteOffset);
  let at = 8;
  while (String.fromCharCode(...png.subarray(at + 4, at + 8)) !== "IDAT") at += 12 + view.getUint32(at);
  return [
    ...inflateSync(png.subarray(at + 8, at + 8 + view.getUint32(at)), { finishFlush: 2 }).subarray(1, 4),
  ];
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
}

describe("renderPng", () => {
  it("draws at the scale asked for, twice as large by default", async () => {
    const [width, height] = sizeOf(await renderPng(plot, { scale: 1 }));
    expect(width).toBeGreaterThan(400);
    expect(sizeOf(await renderPng(plot))).toEqual([2 * width, 2 * height]);
  });

  it("draws on white or near black paper, the same bytes every time", async () => {
    const light = await renderPng(plot, { scale: 1 });
    expect(paperOf(light)).toEqual([255, 255, 255]);
    expect(paperOf(await renderPng(plot, { scale: 1, theme: "dark" }))).toEqual([0x14, 0x17, 0x1c]);
    expect(await renderPng(plot, { scale: 1 })).toEqual(light);
  });

  it.each([0, -1, 11, Number.NaN])("refuses the scale %d", async (scale) => {
    const error = await failure(renderPng(plot, { scale }));
    expect(error).toMatchObject({
      code: "option",
      message: `scale must be a number above 0, at most 10, got ${scale}`,
    });
  });

  it("refuses to draw without a font", async () => {
    const image = { pixels: new Uint8Array(1600), asPng: () => new Uint8Array() };
    vi.doMock("@resvg/resvg-js", () => ({
      Resvg: class {
        render(): unknown {
          return image;
        }
      },
    }));
    const fresh = await import("../../../src/report/plots/render-png.ts");
    const error = await failure(fresh.renderPng(plot));
    expect(error).toMatchObject({ code: "io" });
    expect((error as Error).message).toMatch(
      /^PNG pictures need a font, and this system has none: install one/,
    );
  });

  it("says how to install the package when it is missing", async () => {
    vi.doMock("@resvg/resvg-js", () => {
      throw new Error("Cannot find package '@resvg/resvg-js'");
    });
    const fresh = await import("../../../src/report/plots/render-png.ts");
    const error = await failure(fresh.renderPng(plot));
    expect(error).toMatchObject({ code: "missing-package", details: { package: "@resvg/resvg-js" } });
    expect((error as Error).message).toMatch(
      /^PNG pictures need the package @resvg\/resvg-js: npm install @resvg\/resvg-js /,
    );
  });
});
