import { describe, expect, it } from "vitest";
import { packageReports } from "../../../src/cli/doctor/package-reports.ts";
import type { ProbeMessage, ProbeOutcome } from "../../../src/cli/doctor/run-probe.ts";

const packageOf = (name: string): Parameters<typeof packageReports>[0][number] => {
  return { name, kind: "optional", wanted: "1.0.0", gives: `what ${name} gives` };
};

/** Loads packages as a process would that ends at `fatal`. */
function loader(
  reasons: Readonly<Record<string, string | null>>,
  fatal: string,
  asked: string[][] = [],
): (names: readonly string[]) => Promise<ProbeOutcome> {
  return async (names) => {
    asked.push([...names]);
    const messages: ProbeMessage[] = [];
    for (const name of names) {
      messages.push({ type: "loading", name });
      if (name === fatal) return { messages, failure: "its process was ended by SIGSEGV" };
      messages.push({ type: "loaded", name, reason: reasons[name] ?? null });
    }
    return { messages, failure: null };
  };
}

describe("packageReports", () => {
  const names = ["here", "broken", "fatal", "behind", "missing", "@tensorflow/tfjs-node-gpu"];

  it("tells packages that load, do not load, end the process, and are missing", async () => {
    const asked: string[][] = [];
    const reports = await packageReports(names.map(packageOf), {
      version: (name) => (name === "missing" ? null : "1.0.1"),
      load: loader({ broken: "no binary" }, "fatal", asked),
      isGlobal: false,
    });
    expect(reports.map(({ name, loads, reason, command }) => [name, loads, reason, command])).toEqual([
      ["here", true, null, null],
      ["broken", false, "no binary", "npm install broken@1.0.0 --include=optional"],
      ["fatal", false, "its process was ended by SIGSEGV", "npm install fatal@1.0.0 --include=optional"],
      ["behind", true, null, null],
      ["missing", null, null, "npm install missing@1.0.0"],
      ["@tensorflow/tfjs-node-gpu", null, null, null],
    ]);
    expect(asked).toEqual([["here", "broken", "fatal", "behind"], ["behind"]]);
    expect(reports[4]).toMatchObject({ installed: null, gives: "what missing gives", wanted: "1.0.0" });
  });

  it("gives up when the process does not start", async () => {
    const reports = await packageReports([packageOf("here")], {
      version: () => "1.0.1",
      load: async () => ({ messages: [], failure: "cannot be started" }),
      isGlobal: false,
    });
    expect(reports[0]).toMatchObject({ installed: "1.0.1", loads: null, command: null });
  });
});
