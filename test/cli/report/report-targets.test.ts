import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checkOutputsApart, reportTargets } from "../../../src/cli/report/report-targets.ts";

const formats = (outputs: readonly string[], format: "html" | "md" | "json" | null = null): string[] =>
  reportTargets(outputs, format).map((target) => target.format);
const refusal = (message: RegExp): unknown =>
  expect.objectContaining({ code: "usage", message: expect.stringMatching(message) });

describe("reportTargets", () => {
  it("goes by the ending of the name, whatever --format says", () => {
    const outputs = ["a.html", "b.HTM", "c.md", "d.markdown", "e.x.json"];
    expect(formats(outputs)).toEqual(["html", "html", "md", "md", "json"]);
    expect(formats(outputs, "json")).toEqual(["html", "html", "md", "md", "json"]);
  });

  it("takes --format where the name does not say it", () => {
    expect(formats(["report", "report.txt", "-"], "md")).toEqual(["md", "md", "md"]);
  });

  it.each(["report", "report.csv", "report.constructor", "-.html/x"])(
    "refuses %s without --format",
    (path) => {
      expect(() => reportTargets([path], null)).toThrow(
        refusal(/^output format unknown: end the name in .*got /),
      );
    },
  );

  it("asks for the format of standard output", () => {
    expect(() => reportTargets(["-"], null)).toThrow(
      refusal(/^standard output needs a format: pass --format/),
    );
  });

  it("refuses an output that is given twice", () => {
    expect(() => reportTargets(["a.html", "./a.html"], null)).toThrow(refusal(/^an output was given twice/));
    expect(() => reportTargets(["-", "-"], "md")).toThrow(refusal(/^an output was given twice: -/));
  });
});

describe("checkOutputsApart", () => {
  const folder = mkdtempSync(join(tmpdir(), "calibrant-targets-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const input = join(folder, "rows.jsonl");
  writeFileSync(input, "{}\n");
  symlinkSync(input, join(folder, "link.json"));

  it("refuses an input as an output, under any of its names", () => {
    for (const name of ["rows.jsonl", "./rows.jsonl", "link.json"]) {
      const output = `${folder}/${name}`;
      expect(() => checkOutputsApart(["other.html", output], [input])).toThrow(
        refusal(/^the output .* is one of the inputs: give the output another name$/),
      );
    }
  });

  it("lets other files and standard output be", () => {
    expect(() => checkOutputsApart([join(folder, "report.html"), "-"], [input, "-"])).not.toThrow();
  });
});
