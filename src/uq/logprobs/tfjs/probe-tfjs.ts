import { spawn } from "node:child_process";
import {
  findTfjs,
  type InstalledTfjs,
  notInstalled,
  notLoaded,
  TFJS_PACKAGES,
  type TfjsPackage,
} from "./tfjs-packages.ts";

/** What there is of a TensorFlow package. */
export interface TfjsProbe {
  readonly package: TfjsPackage;
  readonly installed: boolean;
  /** The package's; null when it is not installed. */
  readonly version: string | null;
  /** Whether its native binding is there. */
  readonly binding: boolean;
  /** The version of the TensorFlow library that it loads; null when it does not load. */
  readonly tensorflow: string | null;
  /** Whether TensorFlow computes on a GPU, by its own word; null when it does not load. */
  readonly usesGpu: boolean | null;
  /** CUDA libraries that TensorFlow says it did not find. */
  readonly missingLibraries: readonly string[];
  /** Why it does not work; null when it does. */
  readonly problem: string | null;
  /** The command that helps; null when none is needed. */
  readonly fix: string | null;
}

/** How long the library may take to load. */
const TIME_LIMIT_MS = 60_000;

/**
 * Loads each TensorFlow package that is installed, in a process of its own: two of them in one process share one back end, the
 * library takes 400 MB and writes to stderr, and what it does to a process with broken drivers is not known. Never throws.
 */
export async function probeTfjs(
  timeLimitMs: number = TIME_LIMIT_MS,
  find: (name: TfjsPackage) => InstalledTfjs | null = findTfjs,
): Promise<readonly TfjsProbe[]> {
  const probes: TfjsProbe[] = [];
  for (const name of TFJS_PACKAGES) probes.push(await probeOne(name, find(name), timeLimitMs));
  return probes;
}

async function probeOne(
  name: TfjsPackage,
  found: InstalledTfjs | null,
  timeLimitMs: number,
): Promise<TfjsProbe> {
  const nothing = { package: name, tensorflow: null, usesGpu: null, missingLibraries: [] };
  if (found === null)
    return { ...nothing, installed: false, version: null, binding: false, ...notInstalled(name) };
  const { version, folder } = found;
  const binding = found.binding !== null;
  const there = { ...nothing, installed: true, version, binding };
  if (!binding) return { ...there, ...notLoaded(name, found, "") };
  const { facts, words, failure } = await loadApart(folder, timeLimitMs);
  const missingLibraries = missingLibrariesIn(words);
  if (facts === null) return { ...there, missingLibraries, ...notLoaded(name, found, failure) };
  return { ...there, ...facts, missingLibraries, problem: null, fix: null };
}

/** The libraries of CUDA that TensorFlow names as missing in what it writes to stderr. */
export function missingLibrariesIn(words: string): string[] {
  const named = words.matchAll(/Could not load dynamic library '([^']+)'/g);
  return [...new Set([...named].map((match) => match[1] as string))];
}

interface TensorFlowFacts {
  readonly tensorflow: string | null;
  readonly usesGpu: boolean;
}

interface Loading {
  readonly facts: TensorFlowFacts | null;
  /** What was written to stderr. */
  readonly words: string;
  /** Why there are no facts. */
  readonly failure: string;
}

/** Runs apart from this package's files, which a process of another kind might not find; as in load-tfjs.ts. */
const LOAD = `
const util = require("node:util");
if (!util.isArray) util.isArray = Array.isArray;
if (!util.isNullOrUndefined) util.isNullOrUndefined = (value) => value === null || value === undefined;
process.on("disconnect", () => process.exit(1));
const tell = (told) => process.send(told, () => process.exit(0));
const failed = (error) => tell({ failure: String(error && error.message || error).split("\\n")[0] });
try {
  const tf = require(process.argv[1]);
  tf.ready().then(() => {
    const { binding, isUsingGpuDevice } = tf.backend();
    tell({ facts: { tensorflow: binding.TF_Version ?? null, usesGpu: isUsingGpuDevice === true } });
  }).catch(failed);
} catch (error) {
  failed(error);
}
`;

function loadApart(folder: string, timeLimitMs: number): Promise<Loading> {
  return new Promise((resolve) => {
    const stdio = ["ignore", "ignore", "pipe", "ipc"] as const;
    const child = spawn(process.execPath, ["-e", LOAD, folder], { stdio: [...stdio] });
    let facts: TensorFlowFacts | null = null;
    let failure = "";
    let words = "";
    const timer = setTimeout(() => {
      failure = `it took longer than ${timeLimitMs / 1000} s`;
      child.kill("SIGKILL");
    }, timeLimitMs);
    // With this process gone nobody would end that one.
    const end = (): void => void child.kill("SIGKILL");
    process.once("exit", end);
    child.stderr?.setEncoding("utf8").on("data", (piece: string) => {
      words += piece;
    });
    child.on("message", (told) => {
      const { facts: found = null, failure: why = "" } = told as Partial<Loading>;
      facts = found;
      failure = why;
    });
    child.on("error", (error) => {
      failure = error.message;
      if (child.pid === undefined) finish();
    });
    child.on("close", (status, signal) => {
      failure ||= `its process ended with ${signal ?? `status ${status}`}`;
      finish();
    });
    function finish(): void {
      clearTimeout(timer);
      process.off("exit", end);
      resolve({ facts, words, failure });
    }
  });
}
