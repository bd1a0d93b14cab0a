import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { packageVersion } from "../../src/cli/package-version.ts";

it("is the version of the lock file's root, a semantic version", () => {
  const lock = readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8");
  expect(packageVersion()).toBe((JSON.parse(lock) as { version: string }).version);
  expect(packageVersion()).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
});
