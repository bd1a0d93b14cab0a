import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  missingLibrariesIn,
  probeTfjs,
  type TfjsProbe,
} from "../../../../src/uq/logprobs/tfjs/probe-tfjs.ts";
import { TFJS_PACKAGES } from "../../../../src/uq/logprobs/tfjs/tfjs-packages.ts";

const [GPU, CPU] = TFJS_PACKAGES;
let work: string;
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), "probe-tfjs-"));
});
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

/** What is found of a package whose main file holds this code. */
async function probed(
  code: string,
  binding: boolean = true,
  timeLimitMs: number = 20_000,
): Promise<TfjsProbe> {
  const folder = mkdtempSync(join(work, "package-"));
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "package.json"), '{ "main": "dist/index.js" }');
  writeFileSync(join(folder, "dist", "index.js"), code);
  const find = (name: string) =>
    name === GPU
      ? { version: "4.22.0", folder, binding: binding ? "tfjs_binding.node" : null, loaded: false }
      : null;
  const [probe] = await probeTfjs(timeLimitMs, find);
  return probe as TfjsProbe;
}

const tensorFlow = (gpu: boolean): string =>
  `exports.ready = async () => {};
  exports.backend = () => ({ isUsingGpuDevice: ${gpu}, binding: { TF_Version: "2.9.1" } });`;

const installed = { package: GPU, installed: true, version: "4.22.0", binding: true };

describe("probing TensorFlow packages", () => {
  it("finds none in this project", async () => {
    const nothing = { version: null, binding: false, tensorflow: null, usesGpu: null, missingLibraries: [] };
    expect(await probeTfjs()).toEqual(
      [GPU, CPU].map((name) => ({
        package: name,
        installed: false,
        ...nothing,
        problem: `${name} is not installed`,
        fix: `npm install ${name}`,
      })),
    );
  });

  it.each([true, false])("tells which device computes: a GPU is %s", async (gpu) => {
    expect(await probed(tensorFlow(gpu))).toEqual({
      ...installed,
      tensorflow: "2.9.1",
      usesGpu: gpu,
      missingLibraries: [],
      problem: null,
      fix: null,
    });
  });

  it("tells which libraries TensorFlow did not find, once each", async () => {
    const words = ["libcudart.so.11.0", "libcudnn.so.8", "libcudart.so.11.0"].map(
      (name) => `Could not load dynamic library '${name}'; dlerror: ${name}: cannot open`,
    );
    const { usesGpu, missingLibraries } = await probed(
      `${words.map((line) => `console.error(${JSON.stringify(line)});`).join("\n")} ${tensorFlow(false)}`,
    );
    expect(usesGpu).toBe(false);
    expect(missingLibraries).toEqual(["libcudart.so.11.0", "libcudnn.so.8"]);
    expect(missingLibrariesIn("Successfully opened dynamic library libcudart.so.11.0")).toEqual([]);
  });

  it("has the functions that Node 23 removed there", async () => {
    const check = `const util = require("util");
    if (!util.isArray([]) || !util.isNullOrUndefined(null)) throw new Error("gone");`;
    expect(await probed(check + tensorFlow(false))).toMatchObject({ tensorflow: "2.9.1", problem: null });
  });

  it("does not load a package without its binding", async () => {
    expect(await probed("process.exit(9)", false)).toMatchObject({
      installed: true,
      binding: false,
      tensorflow: null,
      usesGpu: null,
      problem: expect.stringContaining("without its native binding"),
      fix: `npm rebuild ${GPU} (npm 12 and newer first: npm install-scripts approve ${GPU})`,
    });
  });

  it.each([
    [
      "an error",
      'throw new Error("libtensorflow.so.2: cannot open\\nmore")',
      "libtensorflow.so.2: cannot open",
    ],
    ["something else", 'throw "odd"', "odd"],
    ["a rejection", 'exports.ready = async () => { throw new Error("late"); };', "late"],
    ["an end", "process.exit(7)", "its process ended with status 7"],
    ["a crash", "process.abort()", "its process ended with SIGABRT"],
  ])("survives %s", async (_what, code, reason) => {
    expect(await probed(code)).toMatchObject({
      ...installed,
      tensorflow: null,
      problem: `${GPU} 4.22.0 cannot be loaded: ${reason}`,
      fix: `npm rebuild ${GPU}`,
    });
  });

  it("does not wait for ever", async () => {
    const { problem } = await probed("for (;;);", true, 300);
    expect(problem).toBe(`${GPU} 4.22.0 cannot be loaded: it took longer than 0.3 s`);
  });
});
