import { availableParallelism } from "node:os";
import { type Command, Option } from "commander";
import { CalibrantError } from "../errors.ts";
import type { RewardPlanOptions } from "../rewards/reward-plan.ts";
import { COLUMNS_OPTION } from "./common-options.ts";
import { choice, type DefineOption, flag, parsed, present, text } from "./define-option.ts";
import {
  anyNumber,
  gather,
  integerBetween,
  numberBetween,
  parseNumbers,
  parseWeights,
} from "./option-values.ts";
import {
  OUTPUT_FORMATS,
  type OutputFormat,
  type ScoreOptions,
  type TrajectoryScoreOptions,
} from "./score/score-options.ts";

/** The options of `calibrant score` as the parser gives them. */
interface ScoreFlags {
  readonly reward?: readonly string[];
  readonly output?: string;
  readonly format?: OutputFormat;
  readonly from?: string;
  readonly columns?: ReadonlyMap<string, string>;
  readonly prefix?: string;
  readonly tau?: number;
  readonly positive?: "rollouts" | "reference";
  readonly emptyGroup?: "paper" | "neutral" | "released";
  readonly rFmt?: "on" | "off";
  readonly rAns?: "auto" | "exact" | "call" | "token-f1" | "off";
  readonly weights?: Record<string, number>;
  readonly sentinels?: readonly number[];
  readonly level?: "token" | "segment";
  readonly lambda?: number;
  readonly releasedText?: "raw" | "normalised";
  readonly trajectory: boolean;
  readonly annotations?: string;
  readonly judgements?: string;
  readonly base?: "column" | "none";
  readonly trajectoryWeights?: Record<string, number>;
  readonly turns?: "assistant" | "messages" | "calls";
  readonly repetition?: "total" | "consecutive";
  readonly std?: "sample" | "population" | "none";
  readonly minStd?: number;
  readonly seed: number;
  readonly jobs: number;
  readonly json: boolean;
  readonly quiet: boolean;
}

const EXAMPLES = `
Examples:
  calibrant score rollouts.jsonl --reward trust -o scored.jsonl
  calibrant score 'step-*.parquet' --reward trust --reward bench2robust -o scored.parquet
  calibrant score trajectories.jsonl --trajectory --annotations annotations.jsonl -o scored.jsonl
  calibrant score results.json --from tau-bench --reward bench2robust --json
  calibrant score rollouts.arrow --reward "0.7*trust + 0.3*bench2robust - 0.01*num_turns" -o scored.arrow
  cat rollouts.jsonl | calibrant score - --reward trust -o - | head

Columns and their types: docs/data-format.md. Formulas: docs/formulas.md.
Exit status: 0 done, 1 data or I/O error, 2 wrong usage.`;

/** Adds the command `score`. */
export function defineScore(program: Command): void {
  const command = program
    .command("score")
    .summary("rewards and advantages for rollouts, from files to a file")
    .description(
      "Scores rollouts in JSONL, Arrow IPC or Parquet and writes them out with the new columns added.",
    )
    .argument("<files...>", "files, glob patterns, or - for standard input (JSONL or Arrow IPC)");
  for (const option of [...IN_AND_OUT, ...REWARD_OPTIONS, ...TRAJECTORY_OPTIONS, ...RUN_OPTIONS])
    command.addOption(option());
  command.addHelpText("after", EXAMPLES).action(async (files: string[], flags: ScoreFlags) => {
    const { scoreCommand } = await import("./score/score-command.ts");
    await scoreCommand(scoreOptions(files, flags));
  });
}

const IN_AND_OUT: readonly DefineOption[] = [
  parsed(
    "-r, --reward <name>",
    "trust, trust-released, bench2robust, or a formula over them and numeric columns; repeatable (default: trust)",
    gather,
  ),
  text(
    "-o, --output <file>",
    "write the scored rollouts here, in the format of the name's ending; - for standard output",
  ),
  choice("--format <format>", "output format, when the name does not say it", OUTPUT_FORMATS),
  choice("--from <source>", "read another tool's dump", ["openai", "tau-bench", "tau2"]),
  COLUMNS_OPTION,
  text("--prefix <text>", "put this before the name of every added column"),
];

const REWARD_OPTIONS: readonly DefineOption[] = [
  parsed(
    "--tau <number>",
    "TRUST: temperature of the certainty, in perplexity units (default: 0.1)",
    anyNumber,
  ),
  choice("--positive <source>", "TRUST: where the positive perplexity comes from first", [
    "rollouts",
    "reference",
  ]),
  choice("--empty-group <rule>", "TRUST: margin of groups without a right or a wrong rollout", [
    "paper",
    "neutral",
    "released",
  ]),
  choice("--r-fmt <switch>", "TRUST: the format term; off at trajectory level", ["on", "off"]),
  choice("--r-ans <method>", "TRUST: how answers are compared", ["auto", "exact", "call", "token-f1", "off"]),
  parsed(
    "--weights <format=1,answer=1,class=1>",
    "TRUST: weights of the three terms",
    parseWeights(["format", "answer", "class"]),
  ),
  parsed(
    "--sentinels <numbers>",
    "TRUST: log-probs that stand for -Infinity (default: -9999,-1e9,-65504)",
    parseNumbers,
  ),
  choice("--level <level>", "TRUST: average log-probs over tokens, or inside segments first", [
    "token",
    "segment",
  ]),
  parsed("--lambda <number>", "TRUST released: weight of the certainty inside r_ans (default: 1)", anyNumber),
  choice("--released-text <text>", "TRUST released: score responses as they are, or normalised first", [
    "raw",
    "normalised",
  ]),
  choice("--turns <count>", "Bench2Robust: what counts as a turn", ["assistant", "messages", "calls"]),
  choice("--repetition <rule>", "Bench2Robust: how identical calls are counted", ["total", "consecutive"]),
  choice("--std <rule>", "advantage: the group's standard deviation", ["sample", "population", "none"]),
  parsed(
    "--min-std <number>",
    "advantage: filter groups whose reward deviates less (DAPO: 0.01)",
    numberBetween(0, Number.MAX_VALUE),
  ),
];

const TRAJECTORY_OPTIONS: readonly DefineOption[] = [
  flag(
    "--trajectory",
    "rows are whole trajectories with annotated key turns (rewards trust and trust-released)",
  ),
  text(
    "--annotations <file>",
    "trajectory: key turns as calibrant annotate writes them (default: the column)",
  ),
  text(
    "--judgements <file>",
    "trajectory: judged turns as calibrant judge writes them (default: the column)",
  ),
  choice("--base <source>", "trajectory: base reward from checklist_reward or checklists, or none", [
    "column",
    "none",
  ]),
  parsed(
    "--trajectory-weights <base=1,uq=1>",
    "trajectory: weights of the base reward and of the key turns",
    parseWeights(["base", "uq"]),
  ),
];

const RUN_OPTIONS: readonly DefineOption[] = [
  () =>
    new Option("--seed <integer>", "seed of the sample that quartiles of long files come from")
      .argParser(integerBetween(0, 2 ** 32 - 1))
      .default(0),
  () =>
    new Option("--jobs <n>", "worker threads; the output does not depend on it")
      .argParser(integerBetween(1, 256))
      .default(availableParallelism()),
  flag("--json", "print the summary as JSON on standard output"),
  flag("--quiet", "no progress and no summary table"),
];

function scoreOptions(files: readonly string[], flags: ScoreFlags): ScoreOptions {
  return {
    files,
    rewards: flags.reward ?? ["trust"],
    plan: planOptions(flags),
    output: flags.output ?? null,
    format: flags.format ?? null,
    from: flags.from ?? null,
    columns: flags.columns ?? new Map(),
    jobs: flags.jobs,
    seed: flags.seed,
    json: flags.json,
    quiet: flags.quiet,
    trajectory: trajectoryOptions(flags),
  };
}

/** @throws CalibrantError `usage` for options that only mean something with --trajectory. */
function trajectoryOptions(flags: ScoreFlags): TrajectoryScoreOptions | null {
  const { annotations, judgements, base, trajectoryWeights } = flags;
  if (flags.trajectory) {
    return {
      weights: trajectoryWeights ?? {},
      base: base ?? "column",
      annotations: annotations ?? null,
      judgements: judgements ?? null,
    };
  }
  const alone = { annotations, judgements, base, "trajectory-weights": trajectoryWeights };
  const given = Object.entries(alone).find(([, value]) => value !== undefined);
  if (given !== undefined)
    throw new CalibrantError("usage", `--${given[0]} has a meaning only with --trajectory, got it alone`);
  return null;
}

function planOptions(flags: ScoreFlags): RewardPlanOptions {
  return {
    trust: present({
      tau: flags.tau,
      positive: flags.positive,
      emptyGroup: flags.emptyGroup,
      format: flags.rFmt,
      answer: flags.rAns,
      weights: flags.weights,
      sentinels: flags.sentinels,
      level: flags.level,
    }),
    trustReleased: present({
      tau: flags.tau,
      lambda: flags.lambda,
      text: flags.releasedText,
      sentinels: flags.sentinels,
    }),
    bench2robust: present({ turns: flags.turns, repetition: flags.repetition }),
    advantage: present({ std: flags.std, minStd: flags.minStd }),
    ...(flags.prefix === undefined ? {} : { prefix: flags.prefix }),
  };
}
