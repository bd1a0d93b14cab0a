import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  installCommand,
  installedVersion,
  isGlobalInstall,
  optionalPackages,
  ownManifest,
} from "../../../src/cli/doctor/optional-packages.ts";
import { temporaryFolder } from "../../e2e/run-cli.ts";

const folder = temporaryFolder();

describe("optionalPackages", () => {
  it("says of every optional package of package.json what it is for", () => {
    const manifest = ownManifest();
    const packages = optionalPackages(manifest);
    expect(packages.map(({ name }) => name)).toEqual([
      ...Object.keys(manifest.optionalDependencies ?? {}),
      ...Object.keys(manifest.peerDependencies ?? {}),
    ]);
    expect(packages.filter(({ gives }) => gives === "an optional package")).toEqual([]);
    expect(packages.find(({ name }) => name === "openai")).toEqual({
      name: "openai",
      kind: "optional",
      wanted: manifest.optionalDependencies?.openai,
      gives: "asks a model: calibrant toolfault run, annotate, judge",
    });
  });
});

describe("installCommand", () => {
  it.each([
    ["openai", "6.49.0", false, "npm install openai@6.49.0"],
    ["@duckdb/node-api", "1.5.6-r.1", false, "npm install @duckdb/node-api@1.5.6-r.1"],
    ["koffi", "^3.3.4", false, 'npm install "koffi@^3.3.4"'],
    ["koffi", "^3.3.4", true, 'npm install --global "koffi@^3.3.4"'],
  ])("%s %s, global %s: %s", (name, wanted, isGlobal, expected) => {
    expect(installCommand(name, wanted, isGlobal)).toBe(expected);
  });
});

describe("installedVersion", () => {
  it("finds a package without loading it, and tells one that is not there", () => {
    expect(installedVersion("commander")).toMatch(/^\d+\.\d+\.\d+$/);
    expect(installedVersion("@calibrant-tests/not-there")).toBeNull();
  });
});

describe("isGlobalInstall", () => {
  it("is a node_modules without a project beside it", () => {
    const project = join(folder, "project");
    mkdirSync(join(project, "node_modules"), { recursive: true });
    writeFileSync(join(project, "package.json"), "{}");
    expect(isGlobalInstall(join(project, "node_modules", "calibrant"))).toBe(false);
    expect(isGlobalInstall(join(folder, "lib", "node_modules", "calibrant", "/"))).toBe(true);
    expect(isGlobalInstall(join(folder, "work", "calibrant"))).toBe(false);
  });
});
