import { COLUMNS_OPTION } from "../common-options.ts";
import { choice, type DefineOption, flag, text } from "../define-option.ts";
import { OUTPUT_FORMATS, type OutputFormat } from "../score/score-options.ts";

/** What `calibrant logprobs` is told of rollouts and output, wherever the log-probs come from. */
export interface SharedFlags {
  readonly output?: string;
  readonly format?: OutputFormat;
  readonly from?: string;
  readonly columns?: ReadonlyMap<string, string>;
  readonly prefix?: string;
  readonly restart: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** The options behind {@link SharedFlags}. */
export const SHARED_OPTIONS: readonly DefineOption[] = [
  text(
    "-o, --output <file>",
    "write the rows with the added columns here, in the format of the name's ending; - for standard output",
  ),
  choice("--format <format>", "output format, when the name does not say it", OUTPUT_FORMATS),
  choice("--from <source>", "read another tool's dump", ["openai", "tau-bench", "tau2"]),
  COLUMNS_OPTION,
  text("--prefix <text>", "put this before the name of every added column"),
  flag("--restart", "begin anew: leave out what an interrupted run has done"),
  flag("--json", "print the summary as JSON on standard output"),
  flag("--quiet", "no progress and no summary"),
];
