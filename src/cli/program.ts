import { Command, CommanderError } from "commander";
import { CalibrantError, ERROR_STATUS, errorMessage } from "../errors.ts";
import { defineAnnotate } from "./annotate.ts";
import { defineCurriculum } from "./curriculum.ts";
import { defineDoctor } from "./doctor.ts";
import { writeErrorLine } from "./error-line.ts";
import { defineInject } from "./inject.ts";
import { defineJudge } from "./judge.ts";
import { defineLogProbs } from "./logprobs.ts";
import { defineMemory } from "./memory.ts";
import { packageVersion } from "./package-version.ts";
import { defineReport } from "./report.ts";
import { defineRobustness } from "./robustness.ts";
import { defineScore } from "./score.ts";
import { defineToolFault } from "./toolfault.ts";
import { defineWhen2Call } from "./when2call.ts";

/**
 * Runs the command line and returns the exit status: 0 done, 1 data or I/O error, 2 wrong usage, 3 a threshold was
 * crossed. Every failure is one line on standard error.
 */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const program = new Command("calibrant")
    .description("Calibration-aware rewards and scoring for tool-using language-model agents.")
    .version(packageVersion(), "-V, --version", "print the version")
    .configureOutput({ outputError: (text, write) => write(usageLine(text, "calibrant")) })
    .exitOverride();
  defineScore(program);
  defineReport(program, argv);
  defineLogProbs(program);
  defineAnnotate(program);
  defineJudge(program);
  defineToolFault(program, argv);
  defineWhen2Call(program, argv);
  defineRobustness(program, argv);
  defineInject(program);
  defineMemory(program);
  defineCurriculum(program);
  defineDoctor(program);
  passOnSettings(program, "calibrant");
  try {
    await program.parseAsync([...argv]);
    return 0;
  } catch (error) {
    return reportFailure(error);
  }
}

/** Gives all commands below a command its settings; each names itself in the line about a wrong usage. */
function passOnSettings(parent: Command, path: string): void {
  for (const command of parent.commands) {
    const own = `${path} ${command.name()}`;
    command.copyInheritedSettings(parent).configureOutput({
      outputError: (text, write) => write(usageLine(text, own)),
    });
    passOnSettings(command, own);
  }
}

/** One line, like every other failure. */
function usageLine(text: string, command: string): string {
  const what = text
    .replace(/^error: /, "")
    .replace(/\s*\n\s*/g, " ")
    .trim();
  return `calibrant: ${what}; see ${command} --help\n`;
}

function reportFailure(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : ERROR_STATUS.usage.exit;
  const known = error instanceof CalibrantError;
  const prefix = known ? "" : "unexpected fault, please report it: ";
  writeErrorLine(`${prefix}${errorMessage(error)}`);
  return known ? ERROR_STATUS[error.code].exit : 1;
}
