import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What Calibrant's package.json says about what it needs. */
export interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** A package that Calibrant can do without. */
export interface OptionalPackage {
  readonly name: string;
  readonly kind: "optional" | "peer";
  readonly wanted: string;
  readonly gives: string;
}

const GIVES: Readonly<Record<string, string>> = {
  "@duckdb/node-api": "reads columns of Parquet in flat memory (else parquet-wasm, which holds a row group)",
  "@modelcontextprotocol/client": "calibrant inject: the side of the server",
  "@modelcontextprotocol/node": "calibrant inject --http",
  "@modelcontextprotocol/server": "calibrant inject: the side of the agent",
  "lz4-napi": "Arrow files compressed with LZ4",
  openai: "asks a model: calibrant toolfault run, annotate, judge",
  "parquet-wasm": "writes Parquet, and passes its columns through",
  vega: "draws the pictures of reports, together with vega-lite",
  "vega-lite": "draws the pictures of reports, together with vega",
  "@resvg/resvg-js": "the pictures of reports as PNG",
  "@tensorflow/tfjs-node-gpu":
    "log-probs by TensorFlow, on an NVIDIA GPU with the libraries of CUDA 11.2 and cuDNN 8.1 (--backend tfjs)",
  "@tensorflow/tfjs-node": "log-probs by TensorFlow on the CPU (--backend tfjs)",
  koffi: "log-probs on an NVIDIA GPU through its driver alone (--backend cuda)",
};

/** The folder of this package. */
export function packageRoot(): string {
  return fileURLToPath(new URL("../../../", import.meta.url));
}

/** Calibrant's own package.json. */
export function ownManifest(): Manifest {
  return JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as Manifest;
}

/** The packages that Calibrant can do without, in the order of package.json. */
export function optionalPackages(manifest: Manifest): OptionalPackage[] {
  const listed = (
    kind: "optional" | "peer",
    names: Readonly<Record<string, string>> = {},
  ): OptionalPackage[] =>
    Object.entries(names).map(([name, wanted]) => {
      return { name, kind, wanted, gives: GIVES[name] ?? "an optional package" };
    });
  return [...listed("optional", manifest.optionalDependencies), ...listed("peer", manifest.peerDependencies)];
}

/** The command that installs a package where Calibrant finds it; quoted, since `^` and `*` mean something to some shells. */
export function installCommand(name: string, wanted: string, isGlobal: boolean): string {
  const spec = `${name}@${wanted}`;
  const quoted = /^[\w@/.-]+$/.test(spec) ? spec : `"${spec}"`;
  return `npm install ${isGlobal ? "--global " : ""}${quoted}`;
}

/**
 * Whether Calibrant was installed for the whole machine, beside no project's package.json: what it needs must be as well.
 *
 * @param root - the folder of the package.
 */
export function isGlobalInstall(root: string): boolean {
  const beside = /^(.*)[\\/]node_modules[\\/][^\\/]+[\\/]?$/.exec(root)?.[1];
  return beside !== undefined && !existsSync(join(beside, "package.json"));
}

/** The version of a package where Calibrant would find it, without loading it; null when it is not there. */
export function installedVersion(name: string): string | null {
  for (const folder of createRequire(import.meta.url).resolve.paths(name) ?? []) {
    try {
      const text = readFileSync(join(folder, name, "package.json"), "utf8");
      return String((JSON.parse(text) as { version?: unknown }).version ?? "unknown");
    } catch {
      // Not in this folder; the next one may have it.
    }
  }
  return null;
}
