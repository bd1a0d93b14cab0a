import { expect, it } from "vitest";
import { wasmFeatures } from "../../../src/cli/doctor/wasm-features.ts";
import { wasmSimd } from "../../../src/uq/logprobs/wasm-backend.ts";

it("has SIMD and threads in every Node from 20 on, and relaxed SIMD where the relaxed kernel runs", () => {
  expect(wasmFeatures()).toEqual({ simd: true, relaxedSimd: wasmSimd() === "relaxed", threads: true });
});
