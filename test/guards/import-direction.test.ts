import { describe, expect, it } from "vitest";
import { importCycles, importsOf } from "./imports.ts";
import { ambientUses, layerViolations } from "./layers.ts";
import { filesBelow, readText } from "./repository.ts";

const sources: ReadonlyMap<string, string> = new Map(
  filesBelow("src", ".ts").map((path) => [path, readText(path)]),
);

describe("source files", () => {
  it("are found", () => {
    expect([...sources.keys()]).toContain("src/errors.ts");
  });

  it("import downwards only, packages and Node at home only", () => {
    const problems = [...sources].flatMap(([path, text]) => layerViolations(path, text));
    expect(problems).toEqual([]);
  });

  it("have no import cycle", () => {
    expect(importCycles(sources)).toEqual([]);
  });

  it("use no console, clock, environment or unseeded randomness below server and cli", () => {
    const problems = [...sources].flatMap(([path, text]) => ambientUses(path, text));
    expect(problems).toEqual([]);
  });
});

describe("layerViolations", () => {
  const problemOf = (path: string, text: string): string[] => layerViolations(path, text);

  it("names file and line of an upward import, type-only and dynamic ones too", () => {
    expect(problemOf("src/data/a.ts", '\nimport { x } from "../rewards/b.ts";')).toEqual([
      "src/data/a.ts:2 data may not import rewards: src/rewards/b.ts",
    ]);
    expect(problemOf("src/uq/a.ts", 'import type { X } from "../rewards/b.ts";')).toHaveLength(1);
    expect(problemOf("src/uq/a.ts", 'type X = import("../rewards/b.ts").X;')).toHaveLength(1);
    expect(problemOf("src/uq/a.ts", 'const x = await import("../rewards/b.ts");')).toHaveLength(1);
    expect(problemOf("src/uq/a.ts", 'export { x } from "../cli/main.ts";')).toHaveLength(1);
  });

  it("keeps neighbours apart", () => {
    expect(problemOf("src/metrics/a.ts", 'import "../uq/b.ts";')).toHaveLength(1);
    expect(problemOf("src/uq/a.ts", 'import "../metrics/b.ts";')).toHaveLength(1);
    expect(problemOf("src/recovery/a.ts", 'import "../uq/b.ts";')).toHaveLength(1);
    expect(problemOf("src/math/a.ts", 'import "../data/b.ts";')).toHaveLength(1);
    expect(problemOf("src/data/a.ts", 'import "../math/b.ts";')).toHaveLength(1);
    expect(problemOf("src/server/a.ts", 'import "../cli/b.ts";')).toHaveLength(1);
  });

  it("lets layers import themselves and what lies below", () => {
    const text = 'import "./b.ts"; import "../uq/c.ts"; import "../data/d.ts"; import "../errors.ts";';
    expect(problemOf("src/rewards/a.ts", text)).toEqual([]);
  });

  it("keeps Node and packages at home, but lets anyone name a package's types", () => {
    expect(problemOf("src/rewards/a.ts", 'import { readFileSync } from "node:fs";')).toHaveLength(1);
    expect(problemOf("src/cli/a.ts", 'import { readFileSync } from "fs";')).toHaveLength(1);
    expect(problemOf("src/data/read-a.ts", 'import { readFileSync } from "node:fs";')).toEqual([]);
    expect(problemOf("src/data/columns.ts", 'import type { ReadStream } from "node:fs";')).toHaveLength(1);
    expect(problemOf("src/rewards/a.ts", 'import type { Table } from "apache-arrow";')).toEqual([]);
    expect(problemOf("src/rewards/a.ts", 'import { Table } from "apache-arrow";')).toHaveLength(1);
    expect(problemOf("src/rewards/a.ts", 'await import("@duckdb/node-api");')).toHaveLength(1);
    expect(problemOf("src/data/a.ts", 'import "left-pad";')).toHaveLength(1);
  });

  it("refuses a folder that has no place in the picture", () => {
    expect(problemOf("src/utils/a.ts", "")).toHaveLength(1);
  });
});

describe("importCycles", () => {
  it("finds a cycle, through types too", () => {
    const files = new Map([
      ["src/a.ts", 'import "./b.ts";'],
      ["src/b.ts", 'import type { C } from "./c.ts";'],
      ["src/c.ts", 'import "./a.ts";'],
      ["src/d.ts", 'import "./a.ts"; import "./c.ts";'],
    ]);
    expect(importCycles(files)).toEqual(["src/a.ts -> src/b.ts -> src/c.ts -> src/a.ts"]);
  });
});

describe("ambientUses", () => {
  it("finds clock, console, environment and randomness", () => {
    const text = "console.log(1);\nDate.now(); Math.random(); new Date(); process.env; performance.now();";
    expect(ambientUses("src/math/a.ts", text)).toHaveLength(6);
    expect(ambientUses("src/cli/a.ts", text)).toEqual([]);
    expect(ambientUses("src/data/read-a.ts", "process.stdin; process.env; new Date(0);")).toEqual([
      "src/data/read-a.ts:1 process.env",
    ]);
  });
});

describe("importsOf", () => {
  it("tells a type-only import from one that loads", () => {
    const text =
      'import { type A } from "a"; import { type B, c } from "b"; import type D from "d"; import "e";';
    expect(importsOf("src/a.ts", text).map(({ specifier, typeOnly }) => [specifier, typeOnly])).toEqual([
      ["a", false],
      ["b", false],
      ["d", true],
      ["e", false],
    ]);
  });
});
