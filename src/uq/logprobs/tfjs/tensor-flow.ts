import { CalibrantError } from "../../../errors.ts";

/** A tensor of TensorFlow.js, as far as it is used. */
export interface TfTensor {
  /** The numbers, in a typed array. */
  data(): Promise<unknown>;
  /** Frees them. */
  dispose(): void;
}

/** The back end of TensorFlow.js that runs. `isUsingGpuDevice` and `binding` are there in tfjs-node and tfjs-node-gpu only. */
export interface TfKernelBackend {
  readonly isUsingGpuDevice?: boolean;
  readonly isGPUPackage?: boolean;
  readonly binding?: { readonly TF_Version?: string };
}

/** What is used of {@link TensorFlow}, with types. Tensors have no methods of their own with the core alone, so all are functions. */
export interface TensorOps {
  readonly version_core?: string;
  ready(): Promise<void>;
  getBackend(): string;
  backend(): unknown;
  tidy<T>(work: () => T): T;
  fill(shape: number[], value: number): TfTensor;
  tensor1d(values: Float32Array | Int32Array, type: "float32" | "int32"): TfTensor;
  tensor2d(values: Float32Array, shape: [number, number], type: "float32"): TfTensor;
  range(start: number, stop: number, step: number, type: "float32"): TfTensor;
  reshape(x: TfTensor, shape: number[]): TfTensor;
  cast(x: TfTensor, type: "float32"): TfTensor;
  add(a: TfTensor, b: TfTensor): TfTensor;
  sub(a: TfTensor | number, b: TfTensor): TfTensor;
  mul(a: TfTensor, b: TfTensor | number): TfTensor;
  maximum(a: TfTensor, b: number): TfTensor;
  exp(x: TfTensor): TfTensor;
  equal(a: TfTensor, b: TfTensor): TfTensor;
  greater(a: TfTensor, b: TfTensor): TfTensor;
  where(condition: TfTensor, a: TfTensor, b: TfTensor): TfTensor;
  zerosLike(x: TfTensor): TfTensor;
  max(x: TfTensor, axis: number, keepDims?: boolean): TfTensor;
  sum(x: TfTensor, axis: number): TfTensor;
  gather(x: TfTensor, indices: TfTensor): TfTensor;
  topk(x: TfTensor, k: number): { readonly values: TfTensor; readonly indices: TfTensor };
  matMul(a: TfTensor, b: TfTensor, transposeA: boolean, transposeB: boolean): TfTensor;
}

/** A function of TensorFlow.js that is used. */
export type TensorFlowFunction =
  | "ready"
  | "getBackend"
  | "backend"
  | "tidy"
  | "fill"
  | "tensor1d"
  | "tensor2d"
  | "range"
  | "reshape"
  | "cast"
  | "add"
  | "sub"
  | "mul"
  | "maximum"
  | "exp"
  | "equal"
  | "greater"
  | "where"
  | "zerosLike"
  | "max"
  | "sum"
  | "gather"
  | "topk"
  | "matMul";

const FUNCTIONS: readonly TensorFlowFunction[] = [
  ...(["ready", "getBackend", "backend", "tidy", "fill", "tensor1d", "tensor2d", "range"] as const),
  ...(["reshape", "cast", "add", "sub", "mul", "maximum", "exp", "equal", "greater", "where"] as const),
  ...(["zerosLike", "max", "sum", "gather", "topk", "matMul"] as const),
];

/**
 * TensorFlow.js, as far as the back end `tfjs` uses it: functions of @tensorflow/tfjs-core, which all its packages have. What they
 * take and give is left open, so that the types of any version fit.
 */
export type TensorFlow = { readonly version_core?: string } & {
  readonly [name in TensorFlowFunction]: (...values: never[]) => unknown;
};

/** @throws CalibrantError `option` for something else than TensorFlow.js. */
export function asTensorOps(tf: TensorFlow): TensorOps {
  const missing = FUNCTIONS.find((name) => typeof (tf as Partial<TensorFlow> | null)?.[name] !== "function");
  if (missing === undefined) return tf as unknown as TensorOps;
  throw new CalibrantError(
    "option",
    `tf must be TensorFlow.js, such as @tensorflow/tfjs-core: it has no function ${missing}`,
  );
}
