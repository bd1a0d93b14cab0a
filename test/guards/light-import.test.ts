import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { exists, ROOT } from "./repository.ts";

const PRELOAD = fileURLToPath(new URL("./log-loads.mjs", import.meta.url));

/** Every module that running a line of code loads in a fresh Node. */
function modulesLoadedBy(code: string): string[] {
  const node = spawnSync(process.execPath, ["--import", PRELOAD, "--input-type=module", "-e", code], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect(node.status, node.stderr).toBe(0);
  return node.stdout.split("\n").filter((line) => line !== "");
}

/** The packages among them. */
function packagesIn(modules: readonly string[]): string[] {
  const names = modules.map((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

describe("the module log", () => {
  it("sees packages, ES modules and CommonJS alike", () => {
    const code = 'await import("apache-arrow"); await import("zod"); await import("lz4-napi");';
    const packages = packagesIn(modulesLoadedBy(code));
    expect(packages).toEqual(expect.arrayContaining(["apache-arrow", "flatbuffers", "lz4-napi", "zod"]));
  });
});

describe.each(["rewards", "uq", "metrics", "recovery"])("importing calibrant/%s", (entry) => {
  it("loads its own small files and no package, least of all Arrow, mathjs or a native module", () => {
    expect(exists(`dist/${entry}/index.js`), "dist/ is missing: npm run build").toBe(true);
    const modules = modulesLoadedBy(`await import("calibrant/${entry}");`);
    expect(modules.some((url) => url.endsWith(`/dist/${entry}/index.js`))).toBe(true);
    expect(packagesIn(modules)).toEqual([]);
    expect(modules.filter((url) => url.endsWith(".node"))).toEqual([]);
  });
});
