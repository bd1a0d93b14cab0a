import { describe, expect, it } from "vitest";
import { CalibrantError } from "../../../src/errors.ts";
import {
  type BackendOpeners,
  createEngineOf,
  createLogProbEngine,
  type LogProbBackendName,
} from "../../../src/uq/logprobs/create-log-prob-engine.ts";
import type { LogProbBackend, LogProbColumns } from "../../../src/uq/logprobs/log-prob-backend.ts";

const LOGITS = { data: Float32Array.of(0, 0), rows: 1, vocab: 2 };
const ON_DEVICE = { data: { pointer: 1n, length: 2 }, type: "float32" as const, rows: 1, vocab: 2 };
const HIDDEN = { data: Float32Array.of(1), rows: 1, width: 1 };
const HEAD = { weights: Float32Array.of(1, 1), vocab: 2, width: 1 };
const TARGETS = Int32Array.of(0);

/** Back ends that note who was opened, asked and disposed of; those in `missing` cannot be opened. */
function openersWithout(...missing: readonly (LogProbBackendName | "cuBLAS")[]) {
  const seen: string[] = [];
  const opener = (name: LogProbBackendName) => async (options: object) => {
    seen.push(`open ${name} ${JSON.stringify(options)}`);
    if (missing.includes(name)) throw new CalibrantError("missing-package", `no ${name}`);
    const columns = { logprob: Float64Array.of(-1) } as unknown as LogProbColumns;
    const backend: LogProbBackend = {
      name,
      device: name === "cuda" ? "gpu" : "cpu",
      info: { threads: 1, detail: name, tolerance: 0 },
      async score() {
        seen.push(`${name} score`);
        return columns;
      },
      async scoreHidden() {
        seen.push(`${name} hidden`);
        return columns;
      },
      async checkHidden() {
        if (name === "cuda" && missing.includes("cuBLAS"))
          throw new CalibrantError("missing-package", "no cuBLAS");
      },
      async dispose() {
        seen.push(`${name} dispose`);
      },
    };
    return backend;
  };
  const openers: BackendOpeners = {
    wasm: opener("wasm"),
    js: opener("js"),
    tfjs: opener("tfjs"),
    cuda: opener("cuda"),
  };
  return { seen, openers };
}

describe("createLogProbEngine", () => {
  it("opens a GPU for hidden states and device logits alone, once, and disposes of all", async () => {
    const { seen, openers } = openersWithout();
    const engine = await createEngineOf(openers, { threads: 3 });
    expect([engine.name, engine.device]).toEqual(["wasm", "cpu"]);
    await engine.score(LOGITS, TARGETS);
    await engine.scoreHidden(HIDDEN, HEAD, TARGETS);
    await engine.score(ON_DEVICE, TARGETS);
    await engine.dispose();
    await engine.dispose();
    const options = '{"threads":3,"backend":"auto"}';
    expect(seen).toEqual([
      `open wasm ${options}`,
      "wasm score",
      `open cuda ${options}`,
      "cuda hidden",
      "cuda score",
      "wasm dispose",
      "cuda dispose",
      "wasm dispose",
      "cuda dispose",
    ]);
    await expect(engine.score(LOGITS, TARGETS)).rejects.toThrow("the log-prob engine is disposed");
    await expect(engine.pick("hidden")).rejects.toThrow("disposed");
  });

  it("falls back from what is missing, but not for what only a device can do", async () => {
    const { openers } = openersWithout("cuda", "tfjs", "wasm");
    const engine = await createEngineOf(openers);
    expect(engine.name).toBe("js");
    expect((await engine.pick("hidden")).name).toBe("js");
    await expect(engine.score(ON_DEVICE, TARGETS)).rejects.toThrow("no cuda");
    const tfjs = await createEngineOf(openersWithout("cuda").openers);
    expect((await tfjs.pick("hidden")).name).toBe("tfjs");
    const withoutCublas = await createEngineOf(openersWithout("cuBLAS", "tfjs").openers);
    expect((await withoutCublas.pick("device-logits")).name).toBe("cuda");
    expect((await withoutCublas.pick("hidden")).name).toBe("wasm");
  });

  it("a named back end does all the work, or fails", async () => {
    const { seen, openers } = openersWithout("cuda");
    const engine = await createEngineOf(openers, { backend: "js" });
    await engine.scoreHidden(HIDDEN, HEAD, TARGETS);
    expect(seen).toEqual(['open js {"backend":"js"}', "js hidden"]);
    await expect(createEngineOf(openers, { backend: "cuda" })).rejects.toThrow("no cuda");
    await expect(createLogProbEngine({ backend: "gpu" as "js" })).rejects.toThrow(
      "backend must be auto, wasm, js, tfjs, cuda, got gpu",
    );
    // A wrong number of threads must not look like a machine without SIMD.
    for (const threads of [0, Number.NaN, 129])
      await expect(createLogProbEngine({ threads })).rejects.toThrow("threads must be a whole number from 1");
    await expect(createLogProbEngine({ device: -1 })).rejects.toThrow("device must be a whole number from 0");
    await expect(createLogProbEngine({ thread: 1 } as object)).rejects.toThrow("did you mean threads?");
  });

  it("gives any back end logits to fill in", async () => {
    const engine = await createEngineOf(openersWithout().openers, { backend: "js" });
    expect(engine.allocLogits(2, 3)).toMatchObject({ data: new Float32Array(6), type: "float32", rows: 2 });
    expect(engine.allocLogits(2, 3, "bfloat16").data).toEqual(new Uint16Array(6));
    for (const backend of ["js", "wasm"] as const) {
      const real = await createLogProbEngine({ backend });
      const logits = real.allocLogits(1, 2);
      logits.data.set([1, 1]);
      expect((await real.score(logits, TARGETS)).logprob[0]).toBeCloseTo(-Math.LN2, 6);
      logits.free();
      await real.dispose();
    }
  });

  it("leaves what is no block of logits to the back end to name", async () => {
    const engine = await createLogProbEngine({ threads: 1 });
    for (const data of [[1, 2], new Float64Array(2), null])
      await expect(engine.score({ ...LOGITS, data: data as never }, TARGETS)).rejects.toThrow(
        "data must be a Float32Array",
      );
    await expect(engine.score(null as never, TARGETS)).rejects.toThrow("logits must be an object, got null");
    await expect(engine.pick("gpu" as never)).rejects.toThrow("work must be logits, device-logits, hidden");
    await engine.dispose();
  });
});
