import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** Every module that a source file loads when it is imported: static imports that are not types alone. */
function loadedModules(entry: string): Set<string> {
  const seen = new Set<string>();
  const open = [new URL(`../../src/data/${entry}`, import.meta.url).href];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const source = readFileSync(fileURLToPath(file), "utf8");
    for (const [, clause, specifier] of source.matchAll(/^(?:import|export)\s+([^;"]*?)from "([^"]+)";/gms)) {
      if (clause?.startsWith("type ") || specifier === undefined || seen.has(specifier)) continue;
      seen.add(specifier);
      if (specifier.startsWith(".")) open.push(new URL(specifier, file).href);
    }
  }
  return seen;
}

describe("cold start", () => {
  it.each([
    "jsonl/jsonl-chunks.ts",
    "jsonl/parse-jsonl-chunk.ts",
    "jsonl/rows-columns.ts",
    "jsonl/append-jsonl.ts",
    "jsonl/json-documents.ts",
    "calls/messages.ts",
    "adapters/adapters.ts",
  ])("%s loads no package", (entry) => {
    const packages = [...loadedModules(entry)].filter(
      (name) => !name.startsWith(".") && !name.startsWith("node:"),
    );
    expect(packages).toEqual([]);
  });

  it("sees packages where they are loaded", () => {
    expect([...loadedModules("arrow/rows-to-arrow.ts")]).toContain("apache-arrow");
  });
});
