import { Command, CommanderError } from "commander";
import { CalibrantError, ERROR_STATUS, errorMessage } from "../errors.ts";
import { packageVersion } from "./package-version.ts";
import { defineScore } from "./score.ts";

/**
 * Runs the command line and returns the exit status: 0 done, 1 data or I/O error, 2 wrong usage, 3 a threshold was
 * crossed. Every failure is one line on standard error.
 */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const program = new Command("calibrant")
    .description("Calibration-aware rewards and scoring for tool-using language-model agents.")
    .version(packageVersion(), "-V, --version", "print the version")
    .configureOutput({ outputError: (text, write) => write(usageLine(text)) })
    .exitOverride();
  defineScore(program);
  for (const command of program.commands) command.copyInheritedSettings(program);
  try {
    await program.parseAsync([...argv]);
    return 0;
  } catch (error) {
    return reportFailure(error);
  }
}

/** One line, like every other failure. */
function usageLine(text: string): string {
  const what = text
    .replace(/^error: /, "")
    .replace(/\s*\n\s*/g, " ")
    .trim();
  return `calibrant: ${what}; see calibrant score --help\n`;
}

function reportFailure(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : ERROR_STATUS.usage.exit;
  const known = error instanceof CalibrantError;
  const prefix = known ? "" : "unexpected fault, please report it: ";
  process.stderr.write(`calibrant: ${prefix}${printable(errorMessage(error))}\n`);
  return known ? ERROR_STATUS[error.code].exit : 1;
}

/** Bytes of broken input in a message must not steer the terminal. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
}
