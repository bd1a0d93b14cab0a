import { checkOptionNames } from "../../data/check-option-names.ts";
import { CalibrantError, errorMessage } from "../../errors.ts";
import { checkHiddenJob, checkLogitsJob } from "./check-log-prob-input.ts";
import type { LogProbBackend, LogProbColumns } from "./log-prob-backend.ts";
import { describeDevice, type TfDevice } from "./tfjs/describe-device.ts";
import { weightsCache } from "./tfjs/device-weights.ts";
import { checkHiddenOnHost, checkProducts, hiddenTileColumns, hiddenTiles } from "./tfjs/hidden-tiles.ts";
import { rowTaker } from "./tfjs/host-rows.ts";
import { loadTfjs } from "./tfjs/load-tfjs.ts";
import { logitsTiles } from "./tfjs/logits-tiles.ts";
import { scoreTiles } from "./tfjs/score-tiles.ts";
import { flushesSubnormals } from "./tfjs/subnormal-rows.ts";
import { asTensorOps, type TensorFlow, type TensorOps } from "./tfjs/tensor-flow.ts";
import { TFJS_PACKAGES, type TfjsPackage } from "./tfjs/tfjs-packages.ts";

/** How the back end `tfjs` is made. */
export interface TfjsOptions {
  /**
   * TensorFlow.js with a back end of its own that is registered: `@tensorflow/tfjs-core` or any package that has its functions. Default:
   * @tensorflow/tfjs-node-gpu, or else @tensorflow/tfjs-node, whichever is installed and works.
   */
  readonly tf?: TensorFlow;
  /** Where TensorFlow must compute; with another device the back end is refused. Default: wherever it does. */
  readonly device?: "gpu" | "cpu";
  /** Bytes of logits that are worked on at once; TensorFlow takes about four times as many. Default 4 MiB, on a GPU 64 MiB. */
  readonly chunkBytes?: number;
}

const CHUNK_BYTES = { cpu: 2 ** 22, gpu: 2 ** 26 } as const;
const MOST_CHUNK_BYTES = 2 ** 31;

/**
 * Log-probs by TensorFlow.js: on an NVIDIA GPU with the package @tensorflow/tfjs-node-gpu and the libraries that it needs (docs/gpu.md),
 * on the CPU without. Which of them computes is in `device` and `info`.
 *
 * Numbers are float32 on the device; 16-bit ones are decoded exactly before. `scoreHidden` keeps the weights of the last two output
 * layers on the device, 4 bytes a number, until `dispose`, and knows them by their array: an array whose numbers change must be given
 * as a new one.
 *
 * @throws CalibrantError `missing-package` when no such package works, saying what is missing and how to get it, or when TensorFlow does
 *   not compute on the device asked for; `option` for options that cannot be.
 *
 * @example
 * ```ts
 * import { createTfjsBackend } from "calibrant/uq";
 * try {
 *   const backend = await createTfjsBackend({ chunkBytes: 0 });
 *   await backend.dispose();
 * } catch (error) {
 *   console.log((error as Error).message); // chunkBytes must be a whole number from 4 to 2147483648, got 0
 * }
 * ```
 */
export async function createTfjsBackend(options: TfjsOptions = {}): Promise<LogProbBackend> {
  checkOptionNames(options, ["tf", "device", "chunkBytes"], "createTfjsBackend");
  const { device, chunkBytes } = options;
  if (device !== undefined && device !== "gpu" && device !== "cpu")
    throw new CalibrantError("option", `device must be gpu or cpu, got ${String(device)}`);
  if (
    chunkBytes !== undefined &&
    !(Number.isInteger(chunkBytes) && chunkBytes >= 4 && chunkBytes <= MOST_CHUNK_BYTES)
  )
    throw new CalibrantError(
      "option",
      `chunkBytes must be a whole number from 4 to ${MOST_CHUNK_BYTES}, got ${String(chunkBytes)}`,
      { chunkBytes },
    );
  const tf = options.tf === undefined ? await loadTfjs(packagesFor(device)) : asTensorOps(options.tf);
  await tf.ready();
  const found = describeDevice(tf);
  if (device !== undefined && device !== found.device) throw wrongDevice(device, found);
  const flushes = await flushesSubnormals(tf);
  return backendOf(tf, found, chunkBytes ?? CHUNK_BYTES[found.device], flushes);
}

/** Only one package can use a GPU, and loading the other takes 400 MB; for the CPU the smaller one comes first. */
function packagesFor(device: "gpu" | "cpu" | undefined): readonly TfjsPackage[] {
  if (device === "gpu") return ["@tensorflow/tfjs-node-gpu"];
  return device === "cpu" ? TFJS_PACKAGES.toReversed() : TFJS_PACKAGES;
}

function wrongDevice(wanted: "gpu" | "cpu", { info }: TfDevice): CalibrantError {
  const message =
    wanted === "gpu"
      ? `TensorFlow finds no GPU, or not all libraries of CUDA 11.2 and cuDNN 8.1 (calibrant doctor names what is missing), got ${info.detail}`
      : `TensorFlow takes the GPU that it finds, unless CUDA_VISIBLE_DEVICES is -1 in the environment, got ${info.detail}`;
  return new CalibrantError("missing-package", message, { device: wanted });
}

function backendOf(
  tf: TensorOps,
  { device, info }: TfDevice,
  chunkBytes: number,
  flushes: boolean,
): LogProbBackend {
  const tileNumbers = Math.floor(chunkBytes / Float32Array.BYTES_PER_ELEMENT);
  const take = rowTaker();
  const weights = weightsCache(tf, take);
  let disposed = false;
  const checkOpen = (): void => {
    if (disposed) throw new CalibrantError("option", "the log-prob back end is disposed");
  };
  const goOnUnder = (signal: AbortSignal | undefined) => async (): Promise<void> => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    checkOpen();
  };
  // One call after another: each may free weights that the one before uses.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (signal: AbortSignal | undefined, work: Work): Promise<LogProbColumns> => {
    signal?.throwIfAborted();
    const run = last.then(() => work(goOnUnder(signal)));
    last = run.catch(() => undefined);
    return run.catch((error: unknown) => {
      throw signal?.aborted && error === signal.reason ? error : asCalibrantError(error);
    });
  };
  return {
    name: "tfjs",
    device,
    info,
    async score(block, ids, wanted, signal) {
      checkOpen();
      const job = logitsTiles(tf, take, checkLogitsJob(block, ids, wanted), tileNumbers, flushes);
      return inTurn(signal, (goOn) => scoreTiles(tf, job, goOn));
    },
    async scoreHidden(block, head, ids, wanted, signal) {
      checkOpen();
      const job = checkHiddenJob(block, head, ids, wanted);
      checkHiddenOnHost(job);
      return inTurn(signal, async (goOn) => {
        await goOn();
        await checkProducts(tf, job);
        const tiles = await weights.tilesOf(job.weights, hiddenTileColumns(job, tileNumbers), goOn);
        return scoreTiles(tf, hiddenTiles(tf, take, job, tiles, tileNumbers), goOn);
      });
    },
    async dispose() {
      disposed = true;
      await last;
      weights.clear();
    },
  };
}

type Work = (goOn: () => Promise<void>) => Promise<LogProbColumns>;

/** What TensorFlow throws is most often that there is not enough memory. */
function asCalibrantError(error: unknown): CalibrantError {
  if (error instanceof CalibrantError) return error;
  return new CalibrantError(
    "io",
    `TensorFlow failed (a smaller chunkBytes takes less memory): ${errorMessage(error)}`,
    {},
    { cause: error },
  );
}
