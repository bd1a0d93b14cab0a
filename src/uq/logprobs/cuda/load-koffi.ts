import { CalibrantError, errorMessage } from "../../../errors.ts";

/** A C function. Pointers are bigint or typed arrays, results of 64 bits number or bigint. */
export type NativeFunction = (...values: readonly unknown[]) => unknown;

/** A shared library that koffi has loaded. */
export interface NativeLibrary {
  func(name: string, result: string, parameters: readonly string[]): NativeFunction;
}

/** What the back end uses of koffi. */
export interface Koffi {
  readonly version: string;
  load(path: string): NativeLibrary;
  alloc(type: string, count: number): bigint;
  free(pointer: bigint): void;
  view(pointer: bigint, bytes: number): ArrayBuffer;
  readonly decode: { string(pointer: bigint): string };
}

/** Pointers are bigint, and strings are read from them, since then. */
const LEAST_VERSION = "3.1";

/**
 * Loads the optional package koffi, which calls functions of shared libraries.
 *
 * @throws CalibrantError `missing-package` saying how to install it.
 */
export async function loadKoffi(): Promise<Koffi> {
  const koffi = await importKoffi();
  const [major = 0, minor = 0] = koffi.version.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = LEAST_VERSION.split(".").map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return koffi;
  throw new CalibrantError(
    "missing-package",
    `the back end cuda needs koffi ${LEAST_VERSION} or newer: npm install koffi@3, got ${koffi.version}`,
    { package: "koffi", version: koffi.version },
  );
}

async function importKoffi(): Promise<Koffi> {
  try {
    const koffi: unknown = (await import("koffi")).default;
    return koffi as Koffi;
  } catch (error) {
    throw new CalibrantError(
      "missing-package",
      `the back end cuda needs the package koffi: npm install koffi (${errorMessage(error)})`,
      { package: "koffi" },
      { cause: error },
    );
  }
}
