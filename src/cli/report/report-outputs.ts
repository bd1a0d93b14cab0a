import { dirname } from "node:path";
import type { AtomicFile } from "../../data/atomic-file.ts";
import type { Evaluation } from "../../report/evaluation.ts";
import type { Cleanup } from "../cleanup.ts";
import { drawPlots, openPlotFolder, plotLinks, writePlots } from "./plot-folder.ts";
import type { ReportOptions } from "./report-options.ts";
import type { ReportTarget } from "./report-targets.ts";

/** The outputs of a report, open for writing: they appear together, or not at all. */
export interface ReportOutputs {
  /**
   * Draws a report and puts all outputs in place.
   *
   * @param beforePrint called before anything is written to standard output
   */
  write(evaluation: Evaluation, beforePrint: () => void): Promise<void>;
  /** Closes what is open and leaves the old files as they were. */
  discard(): Promise<void>;
}

/** What is written, and how. */
export type OutputOptions = Pick<ReportOptions, "json" | "plots" | "plotFormat" | "quiet" | "watch"> & {
  readonly targets: readonly ReportTarget[];
  /** Seconds after which an HTML page loads itself again, or null. */
  readonly refreshSeconds: number | null;
};

/**
 * Opens the outputs of a report, so that one that cannot be written is known before hours of work.
 *
 * @throws CalibrantError `io` naming the output.
 */
export async function openReportOutputs(options: OutputOptions, cleanup: Cleanup): Promise<ReportOutputs> {
  const files = new Map<ReportTarget, AtomicFile>();
  const discard = async (): Promise<void> => {
    for (const file of files.values()) await file.discard();
    cleanup.run();
  };
  try {
    if (options.plots !== null) await openPlotFolder(options.plots, options.plotFormat, cleanup);
    const { openAtomicFile } = await import("../../data/atomic-file.ts");
    for (const [index, target] of options.targets.entries()) {
      if (target.path === "-") continue;
      files.set(target, await openAtomicFile(target.path, `${process.pid}-${index}`, cleanup.file));
    }
  } catch (error) {
    await discard();
    throw error;
  }
  return {
    async write(evaluation, beforePrint) {
      const printed = await writeFiles(evaluation, options, files, cleanup);
      beforePrint();
      if (printed !== "") process.stdout.write(printed);
    },
    discard,
  };
}

/** Returns what is for standard output. */
async function writeFiles(
  evaluation: Evaluation,
  options: OutputOptions,
  files: ReadonlyMap<ReportTarget, AtomicFile>,
  cleanup: Cleanup,
): Promise<string> {
  const drawn = options.plots === null ? [] : await drawPlots(evaluation.plots, options.plotFormat);
  let printed = "";
  for (const target of options.targets) {
    const text = await renderTarget(evaluation, target, options);
    const file = files.get(target);
    if (file === undefined) printed += text;
    else await file.write(Buffer.from(text));
  }
  printed += await renderSummary(evaluation, options);
  if (options.plots !== null) await writePlots(options.plots, drawn, cleanup);
  for (const file of files.values()) await file.commit();
  return printed;
}

async function renderTarget(
  evaluation: Evaluation,
  { path, format }: ReportTarget,
  options: OutputOptions,
): Promise<string> {
  if (format === "html") {
    const { renderHtml } = await import("../../report/render/render-html.ts");
    const { refreshSeconds } = options;
    return renderHtml(evaluation, refreshSeconds === null ? {} : { refreshSeconds });
  }
  if (format === "md") {
    const { renderMarkdown } = await import("../../report/render/render-markdown.ts");
    if (options.plots === null) return renderMarkdown(evaluation);
    const folder = path === "-" ? "." : dirname(path);
    const plotFiles = plotLinks(evaluation.plots, options.plots, folder, options.plotFormat);
    return renderMarkdown(evaluation, { plotFiles });
  }
  return renderJson(evaluation, 2);
}

/** What goes to standard output besides an output that was sent there. */
async function renderSummary(evaluation: Evaluation, options: OutputOptions): Promise<string> {
  // A report a line, so that the reports of a watch can be told apart.
  if (options.json) return renderJson(evaluation, options.watch ? 0 : 2);
  if (options.targets.length > 0 || options.quiet) return "";
  const { renderTerminal } = await import("../../report/render/render-terminal.ts");
  return renderTerminal(evaluation);
}

async function renderJson(evaluation: Evaluation, space: number): Promise<string> {
  const { evaluationJson } = await import("../../report/render/evaluation-json.ts");
  return evaluationJson(evaluation, { space });
}
