import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { watched } from "../../../src/cli/doctor/run-probe.ts";
import { temporaryFolder } from "../../e2e/run-cli.ts";

const folder = temporaryFolder();

function module(name: string, text: string): URL {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, text);
  return pathToFileURL(path);
}

describe("watched", () => {
  it("hands on what the process sends, with its arguments", async () => {
    const echo = module(
      "echo",
      "process.send({ type: 'found', value: process.argv.slice(2) }, () => process.exit())",
    );
    expect(await watched(echo, ["a", "b"], 20_000)).toEqual({
      messages: [{ type: "found", value: ["a", "b"] }],
      failure: null,
    });
  });

  it("tells a crash by its signal, what was sent before included", async () => {
    const crash = module(
      "crash",
      "process.send({ type: 'loading', name: 'x' }, () => process.kill(process.pid, 'SIGKILL')); setInterval(() => 0, 100)",
    );
    expect(await watched(crash, [], 20_000)).toEqual({
      messages: [{ type: "loading", name: "x" }],
      failure: "its process was ended by SIGKILL",
    });
  });

  it("tells a status with the last words", async () => {
    const status = module("status", "console.error('one\\nterminate called'); process.exitCode = 7;");
    const { failure } = await watched(status, [], 20_000);
    expect(failure).toBe("its process ended with status 7: terminate called");
  });

  it("ends one that takes too long", async () => {
    const { failure } = await watched(module("slow", "setInterval(() => 0, 1000)"), [], 300);
    expect(failure).toBe("no answer within 0.3 s");
  });

  it("takes the process's own word for a failure first", async () => {
    const failed = module(
      "failed",
      "process.send({ type: 'failed', reason: 'no driver' }, () => process.exit(3))",
    );
    expect((await watched(failed, [], 20_000)).failure).toBe("no driver");
  });
});
