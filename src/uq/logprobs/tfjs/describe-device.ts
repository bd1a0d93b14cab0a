import { availableParallelism } from "node:os";
import type { BackendInfo } from "../log-prob-backend.ts";
import type { TensorOps, TfKernelBackend } from "./tensor-flow.ts";

/** Where TensorFlow.js computes. */
export interface TfDevice {
  readonly device: "cpu" | "gpu";
  readonly info: BackendInfo;
}

/** Nats; see docs/gpu.md. */
const TOLERANCE = 2e-6;

const ON_GPU: readonly string[] = ["webgl", "webgpu"];

/** Asks TensorFlow.js what computes: tfjs-node-gpu runs on the CPU, without an error, when a library of CUDA is missing. */
export function describeDevice(tf: TensorOps): TfDevice {
  const { isUsingGpuDevice, isGPUPackage, binding } = tf.backend() as TfKernelBackend;
  const name = tf.getBackend();
  if (typeof isUsingGpuDevice !== "boolean") {
    const device = ON_GPU.includes(name) ? "gpu" : "cpu";
    const detail = `TensorFlow.js${tf.version_core === undefined ? "" : ` ${tf.version_core}`}, its back end ${name}`;
    return { device, info: { threads: device === "gpu" ? 0 : 1, detail, tolerance: TOLERANCE } };
  }
  const where = isUsingGpuDevice ? "a GPU" : "the CPU";
  const from = isGPUPackage === true ? "tfjs-node-gpu" : "tfjs-node";
  const detail = `TensorFlow ${binding?.TF_Version ?? "of an unknown version"} on ${where} (${from})`;
  const threads = isUsingGpuDevice ? 0 : availableParallelism();
  return { device: isUsingGpuDevice ? "gpu" : "cpu", info: { threads, detail, tolerance: TOLERANCE } };
}
