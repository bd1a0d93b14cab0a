#!/usr/bin/env node
import { packageVersion } from "./package-version.ts";

const [first] = process.argv.slice(2);
if (first === "--version" || first === "-V") {
  process.stdout.write(`${packageVersion()}\n`);
} else {
  // A reader that closes the pipe early (head) has what it wanted.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`calibrant: cannot write standard output: ${error.message}\n`);
    process.exit(1);
  });
  const { runProgram } = await import("./program.ts");
  process.exitCode = await runProgram(process.argv);
  // A pipe that nobody closes would keep a failed run alive.
  if (process.exitCode !== 0) process.stdin.destroy();
}
