import type { AutoReport, CudaReport, TfjsReport } from "./doctor-report.ts";
import type { ProbeOutcome } from "./run-probe.ts";

/** What the probe found: by kind of work, the back end that was opened. */
interface Picked {
  readonly backend: "wasm" | "js" | "tfjs" | "cuda";
  readonly detail: string;
}

/** What `--backend auto` takes here, and why. */
export function autoReports(
  { messages, failure }: ProbeOutcome,
  cuda: CudaReport,
  tfjs: readonly TfjsReport[],
): { readonly logits: AutoReport; readonly hidden: AutoReport } {
  const found = messages.find((message) => message.type === "found")?.value as
    | Partial<Record<"logits" | "hidden", Picked>>
    | undefined;
  const report = (picked: Picked | undefined, reason: (name: Picked["backend"]) => string): AutoReport =>
    picked === undefined
      ? { backend: null, detail: null, reason: failure ?? "nothing was picked" }
      : { backend: picked.backend, detail: picked.detail, reason: reason(picked.backend) };
  const hasGpu = cuda.usable || tfjs.some(({ device }) => device === "gpu");
  return {
    logits: report(found?.logits, (name) => logitsReason(name, hasGpu)),
    hidden: report(found?.hidden, (name) => hiddenReason(name, cuda, tfjs)),
  };
}

function logitsReason(name: Picked["backend"], hasGpu: boolean): string {
  if (name === "js") return "this Node has no WebAssembly with SIMD";
  return hasGpu
    ? "logits in the host's memory take longer over the bus to the GPU than to be computed here"
    : "the fastest on a processor";
}

function hiddenReason(name: Picked["backend"], cuda: CudaReport, tfjs: readonly TfjsReport[]): string {
  if (name === "cuda")
    return "a GPU multiplies hidden states with the output layer, through the driver and cuBLAS";
  const noCuda = `cuda: ${cuda.reason ?? "cannot be used"}`;
  if (name === "tfjs")
    return `a GPU multiplies hidden states with the output layer, through TensorFlow (${noCuda})`;
  const noTfjs = tfjs.map(({ name: each, reason }) => {
    if (reason === null) return `${each} is not on a GPU`;
    return reason.startsWith(each) ? reason : `${each}: ${reason}`;
  });
  return `no GPU can be used (${[noCuda, ...noTfjs].join("; ")}); fit for small models only`;
}
