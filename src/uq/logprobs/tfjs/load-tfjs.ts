import util from "node:util";
import { CalibrantError, errorMessage } from "../../../errors.ts";
import type { TensorOps } from "./tensor-flow.ts";
import {
  findTfjs,
  type InstalledTfjs,
  importTfjs,
  notInstalled,
  notLoaded,
  TFJS_PACKAGES,
  type TfjsPackage,
} from "./tfjs-packages.ts";

export { probeTfjs, type TfjsProbe } from "./probe-tfjs.ts";

/** How packages are found and loaded; tests replace it. */
export interface TfjsSource {
  find(name: TfjsPackage): InstalledTfjs | null;
  load(name: TfjsPackage, found: InstalledTfjs): Promise<unknown>;
}

const INSTALLED: TfjsSource = { find: findTfjs, load: importTfjs };

/**
 * Loads the first of some TensorFlow packages that works, and waits until it is ready. One that this process has loaded already comes
 * before all others, asked for or not: a second one would not take its place, only warn about 150 times.
 *
 * @param names - from the one that is wanted most.
 * @throws CalibrantError `missing-package` when none works, naming what is wrong with each that is installed, and the command that gets
 *   what is missing.
 */
export async function loadTfjs(
  names: readonly TfjsPackage[],
  source: TfjsSource = INSTALLED,
): Promise<TensorOps> {
  const problems: string[] = [];
  let cause: unknown;
  const inUse = TFJS_PACKAGES.filter((name) => source.find(name)?.loaded === true);
  for (const name of [...inUse, ...names]) {
    const found = source.find(name);
    if (found === null) continue;
    let reason = "";
    try {
      if (found.binding !== null) return await loadOne(name, found, source);
    } catch (error) {
      // Anything may be thrown, most often a plain Error without a code.
      reason = errorMessage(error);
      cause ??= error;
    }
    const { problem, fix } = notLoaded(name, found, reason);
    problems.push(`${problem}: ${fix}`);
  }
  const message =
    problems.length > 0
      ? problems.join("; ")
      : `the back end tfjs needs the package ${names.join(" or ")}: ${names.map((name) => notInstalled(name).fix).join(", or ")}`;
  throw new CalibrantError("missing-package", message, { packages: names }, { cause });
}

async function loadOne(name: TfjsPackage, found: InstalledTfjs, { load }: TfjsSource): Promise<TensorOps> {
  restoreUtil(util as unknown as Record<string, unknown>);
  const loaded = (await load(name, found)) as Partial<TensorOps> & { readonly default?: TensorOps };
  // A CommonJS module: its exports are sure to be complete in `default` only.
  const tf = loaded.default ?? (loaded as TensorOps);
  await tf.ready();
  return tf;
}

/**
 * Puts back the two functions of `node:util` that Node 23 removed and that tfjs-node 4.22 calls in every reduction. What is still
 * there stays as it is.
 */
export function restoreUtil(target: Record<string, unknown>): void {
  if (typeof target.isArray !== "function") target.isArray = Array.isArray;
  if (typeof target.isNullOrUndefined !== "function")
    target.isNullOrUndefined = (value: unknown): boolean => value === null || value === undefined;
}
