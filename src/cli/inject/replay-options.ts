import type { MemoryUpdate } from "../../recovery/memory/memory-data.ts";
import { choice, type DefineOption, flag, parsed, text } from "../define-option.ts";
import { gatherNames, integerBetween } from "../option-values.ts";

/** What `calibrant inject --replay` takes, as the parser gives it. */
export interface ReplayFlags {
  readonly seed: number;
  readonly tasks?: number;
  readonly seeds?: number;
  readonly policies?: readonly string[];
  readonly memory?: string;
  readonly memoryOut?: string;
  readonly update?: MemoryUpdate;
  readonly pClean?: number;
  readonly budget?: number;
  readonly maxConsecutive?: number;
  /** Where the episodes go, as JSONL. */
  readonly output?: string;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** The options that only the replay has; it shares `--seed`, `--p-clean`, `--budget`, `--max-consecutive`, `-o` and `--quiet`. */
export const REPLAY_OPTIONS: readonly DefineOption[] = [
  flag(
    "--replay",
    "no server: replay scripted policies in a built-in retail world and print their pass rates",
  ),
  parsed("--tasks <n>", "replay: tasks of the retail world (default: 300)", integerBetween(1, 5000)),
  parsed("--seeds <n>", "replay: evaluation seeds, from --seed on (default: 3)", integerBetween(1, 1000)),
  parsed(
    "--policies <name,…>",
    "replay: naive, retry, switch, oracle, simple, simple+static, simple+learned, simple+memory (default: all)",
    gatherNames,
  ),
  text("--memory <file>", "replay: a Bayesian Tool Memory instead of the one learned on the training tasks"),
  text("--memory-out <file>", "replay: write the memory that the policies were given"),
  choice("--update <mode>", "replay: whether beliefs change during the evaluation (default: fixed)", [
    "fixed",
    "online",
  ]),
  flag("--json", "replay: print the result as JSON on standard output"),
];
