import type { AtomicFile } from "../../data/atomic-file.ts";
import { CalibrantError } from "../../errors.ts";
import type { TableDocument } from "../../report/tables/table-document.ts";
import { createCleanup } from "../cleanup.ts";
import { writeErrorLine } from "../error-line.ts";
import { onSignals } from "../on-signals.ts";
import { checkOutputsApart, type ReportTarget, reportTargets } from "../report/report-targets.ts";
import type { TableOutputOptions } from "./table-output-options.ts";

/**
 * Refuses outputs that cannot work, before hours of work: an unknown ending, the same output twice, an output that is an
 * input, two writers of standard output, a file that cannot be written. Nothing is left behind.
 *
 * @throws CalibrantError `usage`, or `io` for a file that cannot be written, naming the output.
 */
export async function checkTableOutputs(options: TableOutputOptions): Promise<void> {
  const targets = tableTargets(options);
  await withFiles(targets, async () => undefined);
}

/**
 * Writes the results of a command: its outputs in the formats that their names say, JSON on standard output with
 * `--json`, and tables for a terminal when nothing else was asked for. Where no one sees the tables, their warnings are on
 * standard error too, unless `--quiet`. Files appear under their names when all of them are written, or not at all. Progress on the terminal
 * must have ended.
 *
 * @param resultJson plain data for JSON: NaN and infinities become the strings "NaN", "Infinity", "-Infinity"
 * @throws CalibrantError like {@link checkTableOutputs}.
 */
export async function writeTableDocument(
  document: TableDocument,
  resultJson: unknown,
  options: TableOutputOptions,
): Promise<void> {
  const targets = tableTargets(options);
  let printed = "";
  await withFiles(targets, async (files) => {
    for (const target of targets) {
      const text = await renderTarget(document, resultJson, target);
      const file = files.get(target);
      if (file === undefined) printed += text;
      else await file.write(Buffer.from(text));
    }
    printed += await renderPrinted(document, resultJson, options, targets.length > 0);
    for (const file of files.values()) await file.commit();
  });
  if (printed !== "") process.stdout.write(printed);
  if (!options.quiet && (targets.length > 0 || options.json)) document.warnings.forEach(writeErrorLine);
}

/** A format without an output is meant for standard output. */
function tableTargets({ outputs, format, json, inputs }: TableOutputOptions): ReportTarget[] {
  const alone = outputs.length === 0 && format !== null;
  const targets = reportTargets(alone ? ["-"] : outputs, format);
  if (json && targets.some(({ path }) => path === "-")) {
    const other = alone ? `--format ${format}` : "-o -";
    throw new CalibrantError(
      "usage",
      `--json and ${other} both write to standard output: give one of them, or name a file with -o`,
    );
  }
  checkOutputsApart(outputs, inputs);
  return targets;
}

/** Opens the files of the targets; those that `use` does not commit are removed again. */
async function withFiles(
  targets: readonly ReportTarget[],
  use: (files: ReadonlyMap<ReportTarget, AtomicFile>) => Promise<void>,
): Promise<void> {
  const { openAtomicFile } = await import("../../data/atomic-file.ts");
  const files = new Map<ReportTarget, AtomicFile>();
  const cleanup = createCleanup();
  const forgetSignals = onSignals(cleanup.run);
  try {
    for (const [index, target] of targets.entries()) {
      if (target.path === "-") continue;
      files.set(target, await openAtomicFile(target.path, `${process.pid}-${index}`, cleanup.file));
    }
    await use(files);
  } finally {
    for (const file of files.values()) await file.discard();
    forgetSignals();
  }
}

async function renderTarget(
  document: TableDocument,
  resultJson: unknown,
  { format }: ReportTarget,
): Promise<string> {
  if (format === "html") {
    const { renderTablesHtml } = await import("../../report/tables/render-tables-html.ts");
    return renderTablesHtml(document);
  }
  if (format === "md") {
    const { renderTablesMarkdown } = await import("../../report/tables/render-tables-markdown.ts");
    return renderTablesMarkdown(document);
  }
  return renderJson(resultJson);
}

/** What goes to standard output besides an output that was sent there. */
async function renderPrinted(
  document: TableDocument,
  resultJson: unknown,
  { json, quiet }: TableOutputOptions,
  written: boolean,
): Promise<string> {
  if (json) return renderJson(resultJson);
  if (written || quiet) return "";
  const { renderTablesTerminal } = await import("../../report/tables/render-tables-terminal.ts");
  const { isTTY, columns } = process.stdout;
  return renderTablesTerminal(document, isTTY && columns > 0 ? { width: columns } : {});
}

async function renderJson(resultJson: unknown): Promise<string> {
  const { indentedJson } = await import("../../report/render/indented-json.ts");
  return indentedJson(resultJson, 2);
}
