import { checkOptionNames } from "../../data/check-option-names.ts";
import { CalibrantError } from "../../errors.ts";
import type { DeviceArray, LogitType, LogProbBackend } from "./log-prob-backend.ts";
import { type SharedLogits, withFree } from "./shared-logits.ts";

/** The names of the back ends. */
export const LOG_PROB_BACKENDS = ["wasm", "js", "tfjs", "cuda"] as const;

/** The name of a back end. */
export type LogProbBackendName = (typeof LOG_PROB_BACKENDS)[number];

/** What an engine is asked to do: logits in the host's memory, logits on a device, or hidden states. */
export type LogProbWork = "logits" | "device-logits" | "hidden";

/** Options of {@link createLogProbEngine}. */
export interface LogProbEngineOptions {
  /** Default `auto`. */
  readonly backend?: LogProbBackendName | "auto";
  /** Threads of `wasm`. Default: as many as the machine runs at once. */
  readonly threads?: number;
  /** Which CUDA device, from 0. Default 0. */
  readonly device?: number;
}

/** Computes log-probs, by the back end that suits the work. `name`, `device` and `info` are those of the one for host logits. */
export interface LogProbEngine extends LogProbBackend {
  /** The back end that does such work; it is opened the first time. @throws as {@link createLogProbEngine}. */
  pick(work: LogProbWork): Promise<LogProbBackend>;
  /**
   * Logits to fill in where the back end computes, so that nothing is copied: a view of the kernel's memory with `wasm`, a new array
   * with any other.
   *
   * @throws CalibrantError `option` for sizes that cannot be had.
   */
  allocLogits(rows: number, vocab: number, type?: LogitType): SharedLogits;
}

/** Opens back ends; tests replace them. */
export type BackendOpeners = Readonly<
  Record<LogProbBackendName, (options: LogProbEngineOptions) => Promise<LogProbBackend>>
>;

/**
 * Opens an engine for log-probs of given tokens.
 *
 * `auto` computes with WebAssembly (JavaScript where SIMD is missing), and hidden states or logits on a device with a GPU if there is one:
 * `cuda`, then `tfjs` with a GPU. Logits in the host's memory never go to a GPU by themselves, since the bus takes longer than the
 * processor (docs/gpu.md). A named back end does all the work, or fails.
 *
 * @throws CalibrantError `option` for a back end that is not known, `missing-package` or `io` for one that cannot be opened, with
 *   what is missing and how to get it.
 *
 * @example
 * ```ts
 * import { createLogProbEngine } from "calibrant/uq";
 * const engine = await createLogProbEngine({ threads: 1 });
 * const logits = { data: Float32Array.of(2, 1, 0, 0, 0, -Infinity), rows: 2, vocab: 3 };
 * const { logprob, rank } = await engine.score(logits, Int32Array.of(1, 0), { rank: true });
 * console.log(Array.from(logprob, (x) => x.toFixed(4)), rank); // [ '-1.4076', '-0.6931' ] Int32Array(2) [ 2, 1 ]
 * await engine.dispose();
 * ```
 */
export function createLogProbEngine(options: LogProbEngineOptions = {}): Promise<LogProbEngine> {
  return createEngineOf(OPENERS, options);
}

/** {@link createLogProbEngine} with back ends of one's own. */
export async function createEngineOf(
  openers: BackendOpeners,
  options: LogProbEngineOptions = {},
): Promise<LogProbEngine> {
  checkOptionNames(options, ["backend", "threads", "device"], "createLogProbEngine");
  const { backend = "auto", threads, device } = options;
  checkWhole("threads", threads, 1, 128);
  checkWhole("device", device, 0, 1023);
  if (backend !== "auto" && !LOG_PROB_BACKENDS.includes(backend))
    throw new CalibrantError(
      "option",
      `backend must be auto, ${LOG_PROB_BACKENDS.join(", ")}, got ${String(backend)}`,
      { backend },
    );
  const picks = new Picks(openers, options);
  try {
    return engineOf(await picks.of("logits"), picks);
  } catch (error) {
    await picks.dispose();
    throw error;
  }
}

/** `auto` would take a back end that cannot be opened for one that is not there. */
function checkWhole(name: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return;
  throw new CalibrantError("option", `${name} must be a whole number from ${least} to ${most}, got ${value}`);
}

const OPENERS: BackendOpeners = {
  js: async () => (await import("./js-backend.ts")).createJsBackend(),
  async wasm({ threads }) {
    const { createWasmBackend } = await import("./wasm-backend.ts");
    return createWasmBackend(threads === undefined ? {} : { threads });
  },
  async tfjs({ backend }) {
    const { createTfjsBackend } = await import("./tfjs-backend.ts");
    return createTfjsBackend(backend === "auto" ? { device: "gpu" } : {});
  },
  async cuda({ device }) {
    const { createCudaBackend } = await import("./cuda-backend.ts");
    return createCudaBackend(device === undefined ? {} : { device });
  },
};

/** What `auto` tries, the best first. */
const AUTO: Readonly<Record<LogProbWork, readonly LogProbBackendName[]>> = {
  logits: ["wasm", "js"],
  "device-logits": ["cuda"],
  hidden: ["cuda", "tfjs", "wasm", "js"],
};

/** The back ends that are open, and which does what. */
class Picks {
  readonly #openers: BackendOpeners;
  readonly #options: LogProbEngineOptions;
  readonly #open: Map<LogProbBackendName, Promise<LogProbBackend>> = new Map();
  readonly #picked: Map<LogProbWork, Promise<LogProbBackend>> = new Map();
  #isDisposed = false;

  constructor(openers: BackendOpeners, options: LogProbEngineOptions) {
    this.#openers = openers;
    this.#options = options;
  }

  async of(work: LogProbWork): Promise<LogProbBackend> {
    if (this.#isDisposed) throw new CalibrantError("option", "the log-prob engine is disposed");
    const known = this.#picked.get(work);
    if (known !== undefined) return known;
    const picked = this.#pick(work);
    this.#picked.set(work, picked);
    return picked;
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    const opened = await Promise.allSettled(this.#open.values());
    for (const each of opened) if (each.status === "fulfilled") await each.value.dispose();
  }

  async #pick(work: LogProbWork): Promise<LogProbBackend> {
    const { backend = "auto" } = this.#options;
    if (backend !== "auto") return this.#opened(backend);
    const names = AUTO[work];
    if (names === undefined)
      throw new CalibrantError("option", `work must be ${Object.keys(AUTO).join(", ")}, got ${String(work)}`);
    for (const name of names.slice(0, -1)) {
      const found = await this.#usable(name, work).catch(() => null);
      if (found !== null) return found;
    }
    return this.#opened(names.at(-1) as LogProbBackendName);
  }

  async #usable(name: LogProbBackendName, work: LogProbWork): Promise<LogProbBackend> {
    const found = await this.#opened(name);
    if (work === "hidden") await found.checkHidden?.();
    return found;
  }

  #opened(name: LogProbBackendName): Promise<LogProbBackend> {
    const { backend = "auto" } = this.#options;
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    const opening = this.#openers[name]({ ...this.#options, backend });
    this.#open.set(name, opening);
    return opening;
  }
}

function engineOf(primary: LogProbBackend, picks: Picks): LogProbEngine {
  return {
    name: primary.name,
    device: primary.device,
    info: primary.info,
    pick: (work) => picks.of(work),
    async score(logits, targets, want, signal) {
      // Whatever else is wrong with the block, the back end says.
      const isOnDevice = typeof (logits?.data as Partial<DeviceArray> | undefined)?.pointer === "bigint";
      const found = await picks.of(isOnDevice ? "device-logits" : "logits");
      return found.score(logits, targets, want, signal);
    },
    async scoreHidden(hidden, head, targets, want, signal) {
      return (await picks.of("hidden")).scoreHidden(hidden, head, targets, want, signal);
    },
    allocLogits(rows, vocab, type = "float32") {
      const { allocLogits } = primary as Partial<LogProbEngine>;
      return allocLogits?.call(primary, rows, vocab, type) ?? plainLogits(rows, vocab, type);
    },
    dispose: () => picks.dispose(),
  };
}

/** Logits for a back end that takes any array as it is. */
function plainLogits(rows: number, vocab: number, type: LogitType): SharedLogits {
  const data = type === "float32" ? new Float32Array(rows * vocab) : new Uint16Array(rows * vocab);
  return withFree({ data, type, rows, vocab }, () => undefined);
}
