import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  findTfjs,
  importTfjs,
  notInstalled,
  notLoaded,
  TFJS_PACKAGES,
} from "../../../../src/uq/logprobs/tfjs/tfjs-packages.ts";

const [GPU] = TFJS_PACKAGES;
let work: string;
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), "tfjs-packages-"));
});
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

describe("TensorFlow packages", () => {
  it("are not in this project", () => {
    expect(TFJS_PACKAGES.map(findTfjs)).toEqual([null, null]);
  });

  it("are not loaded when the binding cannot be", async () => {
    const lib = join(work, "lib", "napi-v8");
    mkdirSync(lib, { recursive: true });
    const binding = join(lib, "tfjs_binding.node");
    writeFileSync(binding, "no library");
    const found = { version: "4.22.0", folder: work, binding, loaded: false };
    await expect(importTfjs(GPU, found)).rejects.toMatchObject({ code: "ERR_DLOPEN_FAILED" });
  });

  it("are described, with what helps", () => {
    expect(notInstalled(GPU)).toEqual({ problem: `${GPU} is not installed`, fix: `npm install ${GPU}` });
    const found = { version: "4.22.0", folder: work, binding: "tfjs_binding.node", loaded: false };
    expect(notLoaded(GPU, found, "no library").problem).toBe(`${GPU} 4.22.0 cannot be loaded: no library`);
    expect(notLoaded(GPU, { ...found, binding: null }, "").problem).toMatch(/without its native binding/);
  });
});
