import type { Command } from "commander";
import { type DefineOption, flag, parsed } from "./define-option.ts";
import { integerBetween, numberBetween } from "./option-values.ts";

interface DoctorFlags {
  readonly json: boolean;
  readonly bench: boolean;
  readonly rounds?: number;
  readonly threads?: number;
  readonly timeout?: number;
}

const OPTIONS: readonly DefineOption[] = [
  flag("--json", "print what was found as JSON on standard output"),
  flag("--bench", "also time every back end that is there, beside reading the same memory"),
  parsed("--rounds <n>", "timed rounds of --bench (default: 5)", integerBetween(1, 1000)),
  parsed(
    "--threads <n>",
    "threads of --bench, besides one (default: as many as run at once)",
    integerBetween(1, 256),
  ),
  parsed(
    "--timeout <seconds>",
    "how long one look, or one answer of --bench, may take (default: 60)",
    numberBetween(0.1, 86_400),
  ),
];

const EXAMPLES = `
Native libraries are looked at in processes of their own: one that crashes or hangs is reported.

Examples:
  calibrant doctor
  calibrant doctor --bench
  calibrant doctor --json > machine.json

Exit status: 0 whatever was found, 2 wrong usage.`;

/** Adds the command `doctor`. */
export function defineDoctor(program: Command): void {
  const command = program
    .command("doctor")
    .summary("what this machine can compute with, what is missing, and how to get it")
    .description(
      "Looks at Node, processor, WebAssembly, TensorFlow, CUDA and the optional packages, and says what each missing piece would give and the command that gets it.",
    );
  for (const option of OPTIONS) command.addOption(option());
  command.addHelpText("after", EXAMPLES).action(async (flags: DoctorFlags) => {
    const { doctorCommand } = await import("./doctor/doctor-command.ts");
    await doctorCommand({
      json: flags.json,
      bench: flags.bench,
      rounds: flags.rounds ?? 5,
      threads: flags.threads ?? null,
      timeoutMs: 1000 * (flags.timeout ?? 60),
    });
  });
}
