import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { CalibrantError } from "../../errors.ts";
import type { ReportFormat } from "./report-options.ts";

/** Where a report goes, and in which format. */
export interface ReportTarget {
  /** `-` is standard output. */
  readonly path: string;
  readonly format: ReportFormat;
}

const ENDINGS: Readonly<Record<string, ReportFormat>> = {
  html: "html",
  htm: "html",
  md: "md",
  markdown: "md",
  json: "json",
};

/**
 * Refuses an output that is one of the inputs: a report is made of rollouts, it does not replace them.
 *
 * @throws CalibrantError `usage` naming the output.
 */
export function checkOutputsApart(outputs: readonly string[], inputs: readonly string[]): void {
  const places = new Set(inputs.filter((path) => path !== "-").map(realPlace));
  const same = outputs.find((path) => path !== "-" && places.has(realPlace(path)));
  if (same === undefined) return;
  throw new CalibrantError("usage", `the output ${same} is one of the inputs: give the output another name`, {
    path: same,
  });
}

/** The path without symbolic links where it exists. */
function realPlace(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

/**
 * The formats of outputs: by the ending of the name, else `format`.
 *
 * @throws CalibrantError `usage` for a name that does not say its format without `format`, or an output given twice.
 */
export function reportTargets(outputs: readonly string[], format: ReportFormat | null): ReportTarget[] {
  const seen = new Set<string>();
  return outputs.map((path) => {
    const place = path === "-" ? "-" : resolve(path);
    if (seen.has(place)) throw new CalibrantError("usage", `an output was given twice: ${path}`, { path });
    seen.add(place);
    return { path, format: formatOf(path, format) };
  });
}

function formatOf(path: string, format: ReportFormat | null): ReportFormat {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  const known = (Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined) ?? format;
  if (known !== null) return known;
  throw new CalibrantError(
    "usage",
    path === "-"
      ? "standard output needs a format: pass --format html, md or json, or leave -o - out for a summary"
      : `output format unknown: end the name in .html, .md or .json, or pass --format; got ${path}`,
    { path },
  );
}
