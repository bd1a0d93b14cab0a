import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exists, filesBelow, ROOT, readPackageJson, readText } from "./repository.ts";

const manifest = readPackageJson();
const record = (field: string): Record<string, string> => (manifest[field] ?? {}) as Record<string, string>;

describe("package.json", () => {
  it("says what it is", () => {
    expect(manifest.name).toBe("calibrant");
    expect(manifest.version).toMatch(/^\d+\.\d+\.\d+(-[0-9a-z.-]+)?$/);
    for (const field of ["description", "license", "author"]) expect(manifest[field], field).toBeTruthy();
    expect(manifest.license).toBe("Apache-2.0");
    expect(manifest.type).toBe("module");
    expect(manifest.sideEffects).toBe(false);
    expect(record("engines").node).toBe(">=20");
    expect(manifest.private).toBeUndefined();
  });

  it("pins every dependency to one version", () => {
    for (const field of ["dependencies", "optionalDependencies", "devDependencies"]) {
      for (const [name, version] of Object.entries(record(field))) {
        expect(version, `${field}.${name}`).toMatch(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/);
      }
    }
  });

  it("lists a package once, but for peers that tests need", () => {
    const names = ["dependencies", "optionalDependencies", "peerDependencies"].flatMap((field) =>
      Object.keys(record(field)),
    );
    expect(names.length).toBe(new Set(names).size);
    const twice = Object.keys(record("devDependencies")).filter((name) => names.includes(name));
    expect(twice.filter((name) => !(name in record("peerDependencies")))).toEqual([]);
  });

  it("asks for no peer that a user must install", () => {
    const meta = manifest.peerDependenciesMeta as Record<string, { optional?: boolean }>;
    for (const name of Object.keys(record("peerDependencies"))) {
      expect(meta[name]?.optional, name).toBe(true);
    }
  });

  it("runs nothing on a user's machine at install", () => {
    for (const script of ["preinstall", "install", "postinstall"]) {
      expect(record("scripts")[script], script).toBeUndefined();
    }
  });

  it("ships what it names, and no tests", () => {
    const files = manifest.files as readonly string[];
    for (const file of files) expect(exists(file.replace(/\/\*\.[a-z]+$/, "")), file).toBe(true);
    for (const file of ["dist", "README.md", "CHANGELOG.md", "LICENSE"]) expect(files).toContain(file);
    expect(filesBelow("dist").filter((path) => /\.test\.|\.map$/.test(path))).toEqual([]);
  });

  it("maps every entry to built files, types first", () => {
    for (const [entry, target] of Object.entries(manifest.exports)) {
      const targets = typeof target === "string" ? { default: target } : target;
      if (typeof target !== "string") expect(Object.keys(target), entry).toEqual(["types", "default"]);
      for (const path of Object.values(targets)) expect(exists(path), `${entry} -> ${path}`).toBe(true);
    }
    expect(exists(manifest.main as string)).toBe(true);
    expect(exists(manifest.types as string)).toBe(true);
  });

  it("has an executable bin with a shebang", () => {
    const bin = record("bin").calibrant as string;
    expect(readText(bin)).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(() => accessSync(join(ROOT, bin), constants.X_OK)).not.toThrow();
  });

  it("has a changelog entry for its version", () => {
    const heading = new RegExp(`^## \\[?${manifest.version.replaceAll(".", "\\.")}\\]?`, "m");
    expect(readText("CHANGELOG.md")).toMatch(heading);
  });
});
