import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The packages that run TensorFlow in Node. The name says what was meant to be installed, not which device computes. */
export const TFJS_PACKAGES = ["@tensorflow/tfjs-node-gpu", "@tensorflow/tfjs-node"] as const;

/** The name of such a package. */
export type TfjsPackage = (typeof TFJS_PACKAGES)[number];

/** Where a package lies. */
export interface InstalledTfjs {
  readonly version: string;
  /** Its folder. */
  readonly folder: string;
  /** The file of its native binding; null when it is not there: npm installs the package without it when the install script does not run. */
  readonly binding: string | null;
  /** Whether this process has loaded it. */
  readonly loaded: boolean;
}

const require = createRequire(import.meta.url);

/** Looks a package up without loading it; null when it is not installed. */
export function findTfjs(name: TfjsPackage): InstalledTfjs | null {
  try {
    const manifest = require.resolve(`${name}/package.json`);
    const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
    const folder = dirname(manifest);
    const loaded = require.cache[require.resolve(name)]?.loaded === true;
    return { version, folder, binding: findBinding(join(folder, "lib")), loaded };
  } catch {
    return null;
  }
}

/** The binding lies in a folder by the version of Node-API that it was built for: `lib/napi-v8/tfjs_binding.node`. */
function findBinding(lib: string): string | null {
  if (!existsSync(lib)) return null;
  const files = readdirSync(lib).map((folder) => join(lib, folder, "tfjs_binding.node"));
  return files.find((file) => existsSync(file)) ?? null;
}

/** Loads a package that is installed. Throws whatever it throws. */
export async function importTfjs(name: TfjsPackage, { binding }: InstalledTfjs): Promise<unknown> {
  // The package itself would register half of its parts before it finds out that a library is missing.
  if (binding !== null) require(binding);
  // It may be missing, so neither the compiler nor a bundler is to look for it.
  return import(/* @vite-ignore */ name);
}

/** Why a package does not work, and what to do. */
export interface TfjsProblem {
  readonly problem: string;
  /** What to type. */
  readonly fix: string;
}

/** For a package that is not there. */
export function notInstalled(name: TfjsPackage): TfjsProblem {
  return { problem: `${name} is not installed`, fix: `npm install ${name}` };
}

/** For a package that is there, but threw when it was loaded. */
export function notLoaded(
  name: TfjsPackage,
  { version, binding }: InstalledTfjs,
  reason: string,
): TfjsProblem {
  if (binding)
    return { problem: `${name} ${version} cannot be loaded: ${reason}`, fix: `npm rebuild ${name}` };
  return {
    problem: `${name} ${version} is installed without its native binding, since its install script was blocked or failed`,
    fix: `npm rebuild ${name} (npm 12 and newer first: npm install-scripts approve ${name})`,
  };
}
