import { builtinModules } from "node:module";
import ts from "typescript";
import { importsOf, packageOf, resolveRelative } from "./imports.ts";

const VOCABULARY = ["errors", "types"];
const KERNELS = [...VOCABULARY, "data", "math"];

/**
 * What each layer may import besides itself (docs/design.md draws the picture). A layer is a folder of src/, or the
 * name of a file directly in it; a new one needs a row here.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  types: ["errors"],
  data: VOCABULARY,
  math: VOCABULARY,
  metrics: KERNELS,
  uq: [...KERNELS, "inference"],
  recovery: KERNELS,
  inference: KERNELS,
  rewards: [...KERNELS, "metrics", "uq"],
  judge: [...KERNELS, "metrics", "uq", "inference", "rewards"],
  report: [...KERNELS, "metrics", "uq", "rewards", "recovery", "judge"],
  index: [...KERNELS, "metrics", "uq", "inference", "rewards", "recovery", "judge", "report"],
  server: [...KERNELS, "metrics", "uq", "rewards", "recovery", "judge", "report"],
  cli: [
    ...KERNELS,
    "metrics",
    "uq",
    "inference",
    "rewards",
    "recovery",
    "judge",
    "report",
    "index",
    "server",
  ],
};

/** Which layers may use the values of a package; anyone may name its types. A package not listed is an error. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "apache-arrow": ["data"],
  "parquet-wasm": ["data"],
  "@duckdb/node-api": ["data"],
  fzstd: ["data"],
  "lz4-napi": ["data"],
  tinyglobby: ["data"],
  openai: ["inference"],
  zod: ["data", "inference", "judge", "recovery", "report", "server"],
  vega: ["report"],
  "vega-lite": ["report"],
  "@resvg/resvg-js": ["report"],
  mathjs: ["rewards"],
  "@tensorflow/tfjs-node": ["uq"],
  "@tensorflow/tfjs-node-gpu": ["uq"],
  koffi: ["uq"],
  commander: ["cli"],
  "@modelcontextprotocol/client": ["cli"],
  "@modelcontextprotocol/node": ["cli"],
  "@modelcontextprotocol/server": ["cli"],
};

/** Where `node:` modules and `process` may appear: data's readers and writers, log-prob back ends, server, cli. */
const NODE_FILES: readonly RegExp[] = [
  /^src\/data\/([a-z]+\/)?(read|write)-[a-z0-9-]+\.ts$/,
  /^src\/data\/([a-z]+\/)?(append-log|atomic-file|expand-inputs|file-bytes|file-lock|json-documents|parquet-footer|parse-jsonl-chunk|splice-parquet)\.ts$/,
  /^src\/uq\/logprobs\//,
  /^src\/server\//,
  /^src\/cli\//,
];

const BUILTINS = new Set(builtinModules);
const CLOCK_AND_CONSOLE = /^src\/(server|cli)\//;

/** The layer of a path of src/: `src/data/read-jsonl.ts` -> `data`, `src/errors.ts` -> `errors`. */
export function layerOf(path: string): string {
  const [, first = ""] = path.split("/");
  return first.replace(/\.ts$/, "");
}

/** Imports that point upwards or sideways, use a package outside its home, or use Node where it is not allowed. */
export function layerViolations(path: string, text: string): string[] {
  const layer = layerOf(path);
  const allowed = MAY_IMPORT[layer];
  if (allowed === undefined)
    return [`${path}: the layer ${layer} is not in the table of test/guards/layers.ts`];
  const problems: string[] = [];
  for (const { specifier, line, typeOnly } of importsOf(path, text)) {
    const problem = specifier.startsWith(".")
      ? relativeProblem(layer, allowed, resolveRelative(path, specifier))
      : packageProblem(path, layer, specifier, typeOnly);
    if (problem !== null) problems.push(`${path}:${line} ${problem}`);
  }
  return problems;
}

function relativeProblem(layer: string, allowed: readonly string[], target: string): string | null {
  if (!target.startsWith("src/")) return `${layer} may not import from outside src: ${target}`;
  const other = layerOf(target);
  return other === layer || allowed.includes(other) ? null : `${layer} may not import ${other}: ${target}`;
}

function packageProblem(path: string, layer: string, specifier: string, typeOnly: boolean): string | null {
  if (specifier.startsWith("node:") || BUILTINS.has(packageOf(specifier))) {
    if (!specifier.startsWith("node:")) return `write node:${specifier} for the built-in module ${specifier}`;
    return isNodeFile(path) ? null : `Node modules are for file access, server and cli only: ${specifier}`;
  }
  const homes = PACKAGES[packageOf(specifier)];
  if (homes === undefined) return `the package is not in the table of test/guards/layers.ts: ${specifier}`;
  return typeOnly || homes.includes(layer) ? null : `${layer} may only name the types of ${specifier}`;
}

function isNodeFile(path: string): boolean {
  return NODE_FILES.some((pattern) => pattern.test(path));
}

/** Uses of the console, the clock, unseeded randomness or the environment below server and cli. */
export function ambientUses(path: string, text: string): string[] {
  if (CLOCK_AND_CONSOLE.test(path)) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const problems: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
      const name = `${node.expression.text}.${node.name.text}`;
      if (isAmbient(name, isNodeFile(path))) problems.push(`${path}:${lineOf(source, node)} ${name}`);
    } else if (ts.isNewExpression(node) && node.expression.getText(source) === "Date") {
      if ((node.arguments ?? []).length === 0) problems.push(`${path}:${lineOf(source, node)} new Date()`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return problems;
}

function isAmbient(name: string, mayUseProcess: boolean): boolean {
  if (/^process\./.test(name)) return !mayUseProcess || name === "process.env";
  return /^(console|performance)\.|^Date\.now$|^Math\.random$/.test(name);
}

function lineOf(source: ts.SourceFile, node: ts.Node): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}
