import type { CudaBackend } from "../../../uq/logprobs/cuda-backend.ts";
import type {
  DeviceArray,
  LogitsBlock,
  LogProbBackend,
  Want,
} from "../../../uq/logprobs/log-prob-backend.ts";
import type { SharedLogits } from "../../../uq/logprobs/shared-logits.ts";
import type { WasmBackend } from "../../../uq/logprobs/wasm-backend.ts";
import { BENCH_BUFFERS, type BenchEngine } from "./bench-messages.ts";
import type { BenchType, BenchWant } from "./bench-report.ts";
import { madeUpLogits, madeUpTargets } from "./made-up-logits.ts";
import { createMemoryFloor, type MemoryFloor } from "./memory-floor.ts";

/** Something that is timed on made-up logits. */
export interface TimedEngine {
  readonly device: "cpu" | "gpu";
  readonly detail: string;
  /** Takes logits of a type in place of those before. */
  fill(inputs: BenchInputs): Promise<void>;
  /** One call over a buffer, in seconds of wall time. */
  run(buffer: number, want: BenchWant): Promise<number>;
}

/** Logits that all engines of a process share. */
export interface BenchInputs {
  readonly type: BenchType;
  readonly rows: number;
  readonly vocab: number;
  readonly buffers: readonly (Float32Array | Uint16Array)[];
  readonly targets: Int32Array;
}

/** The same, wherever the numbers lie. */
interface PlacedInputs extends Omit<BenchInputs, "buffers"> {
  readonly buffers: readonly LogitsBlock["data"][];
}

/** Seeded inputs: the same in every process. */
export function benchInputs(type: BenchType, rows: number, vocab: number): BenchInputs {
  const buffers = Array.from({ length: BENCH_BUFFERS }, (_, i) => madeUpLogits(rows * vocab, type, i + 1));
  return { type, rows, vocab, buffers, targets: madeUpTargets(rows, vocab) };
}

const WANTS: Readonly<Record<BenchWant, Want>> = {
  logprob: {},
  all: { entropy: true, rank: true, argmax: true },
};

/** Opens what is to be timed. @throws what the back end throws. */
export async function openTimed({ name, threads }: BenchEngine): Promise<TimedEngine> {
  if (name === "floor") return timedFloor(threads);
  if (name === "cuda-resident") {
    const { createCudaBackend } = await import("../../../uq/logprobs/cuda-backend.ts");
    return timedResident(await createCudaBackend());
  }
  if (name === "wasm") {
    const { createWasmBackend } = await import("../../../uq/logprobs/wasm-backend.ts");
    return timedWasm(await createWasmBackend({ threads }));
  }
  return timedBackend(await openBackend(name));
}

async function openBackend(name: "js" | "tfjs" | "cuda"): Promise<LogProbBackend> {
  if (name === "js") return (await import("../../../uq/logprobs/js-backend.ts")).createJsBackend();
  if (name === "tfjs") return (await import("../../../uq/logprobs/tfjs-backend.ts")).createTfjsBackend();
  return (await import("../../../uq/logprobs/cuda-backend.ts")).createCudaBackend();
}

/** Logits in the memory of JavaScript. */
function timedBackend(backend: LogProbBackend): TimedEngine & { fill(inputs: PlacedInputs): Promise<void> } {
  let blocks: LogitsBlock[] = [];
  let targets: Int32Array = new Int32Array();
  return {
    device: backend.device,
    detail: backend.info.detail,
    async fill(inputs) {
      const { type, rows, vocab } = inputs;
      blocks = inputs.buffers.map((data) => ({ data, type, rows, vocab }));
      targets = inputs.targets;
    },
    run: (buffer, want) => timed(() => backend.score(blocks[buffer] as LogitsBlock, targets, WANTS[want])),
  };
}

/** Logits in the memory of the kernel, where nothing is copied. */
function timedWasm(backend: WasmBackend): TimedEngine {
  const inner = timedBackend(backend);
  let held: SharedLogits[] = [];
  return {
    ...inner,
    async fill(inputs) {
      for (const block of held) block.free();
      const { type, rows, vocab } = inputs;
      held = inputs.buffers.map((data) => {
        const block = backend.allocLogits(rows, vocab, type);
        block.data.set(data);
        return block;
      });
      await inner.fill({ ...inputs, buffers: held.map(({ data }) => data) });
    },
  };
}

/** Logits in the memory of the GPU. */
function timedResident(backend: CudaBackend): TimedEngine {
  const inner = timedBackend(backend);
  let held: DeviceArray[] = [];
  return {
    ...inner,
    async fill(inputs) {
      for (const array of held) backend.free(array);
      held = inputs.buffers.map((data) => backend.upload(data));
      await inner.fill({ ...inputs, buffers: held });
    },
  };
}

function timedFloor(threads: number): TimedEngine {
  let floor: MemoryFloor | null = null;
  return {
    device: "cpu",
    detail: "adds up every byte",
    async fill({ buffers }) {
      await floor?.dispose();
      floor = await createMemoryFloor(buffers[0]?.byteLength ?? 0, buffers.length, threads);
    },
    run: (buffer) => timed(async () => floor?.read(buffer, threads)),
  };
}

async function timed(call: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await call();
  return (performance.now() - started) / 1000;
}
