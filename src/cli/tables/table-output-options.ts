import { choice, type DefineOption, flag, parsed } from "../define-option.ts";
import { gather } from "../option-values.ts";
import { REPORT_FORMATS, type ReportFormat } from "../report/report-options.ts";

/** The shared options of commands that print tables, as the parser gives them. */
export interface TableOutputFlags {
  readonly output?: readonly string[];
  readonly format?: ReportFormat;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Where the tables of a command go. */
export interface TableOutputOptions {
  /** Output paths; `-` for standard output. */
  readonly outputs: readonly string[];
  /** The format of outputs whose names do not say it; without outputs, the format of standard output. */
  readonly format: ReportFormat | null;
  /** Print the result as JSON on standard output. */
  readonly json: boolean;
  /** Print no tables where nothing else was asked for. */
  readonly quiet: boolean;
  /** The files that the command reads, patterns expanded: no output may be one of them. */
  readonly inputs: readonly string[];
}

/** `-o`, `--format`, `--json` and `--quiet`, the same for every command that prints tables. */
export const TABLE_OUTPUT_OPTIONS: readonly DefineOption[] = [
  parsed(
    "-o, --output <file>",
    "write the tables here, as .html, .md or .json; - for standard output; repeatable (default: tables on standard output)",
    gather,
  ),
  choice(
    "--format <format>",
    "format of an output whose name does not say it, or of standard output",
    REPORT_FORMATS,
  ),
  flag("--json", "print the result as JSON on standard output"),
  flag("--quiet", "no progress and no tables on standard output"),
];

/**
 * The flags with what was left out.
 *
 * @param inputs the files that the command reads, patterns expanded
 */
export function tableOutputOptions(flags: TableOutputFlags, inputs: readonly string[]): TableOutputOptions {
  return {
    outputs: flags.output ?? [],
    format: flags.format ?? null,
    json: flags.json,
    quiet: flags.quiet,
    inputs,
  };
}
