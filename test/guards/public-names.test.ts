import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { exists, ROOT, readPackageJson, readText } from "./repository.ts";

/** The source file of each public entry: "." -> src/index.ts, "./uq" -> src/uq/index.ts. */
const entries: readonly (readonly [string, string])[] = Object.keys(readPackageJson().exports)
  .filter((entry) => !entry.endsWith(".json"))
  .map((entry) => [entry, join("src", entry, "index.ts")]);

const built = entries.filter(([, path]) => exists(path));
const missing = entries.filter(([, path]) => !exists(path));

let program: ts.Program;

beforeAll(() => {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  program = ts.createProgram(
    built.map(([, path]) => join(ROOT, path)),
    options,
  );
});

/** Exported names with their nature, sorted: `scoreTrust function`, `Action type`. */
function publicNames(path: string): string[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(join(ROOT, path)) as ts.SourceFile;
  const module = checker.getSymbolAtLocation(source);
  if (module === undefined) return [];
  return checker
    .getExportsOfModule(module)
    .map((symbol) => `${symbol.name} ${natureOf(symbol, checker)}`)
    .sort();
}

function natureOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  if (target.flags & ts.SymbolFlags.Function) return "function";
  if (target.flags & ts.SymbolFlags.Class) return "class";
  return target.flags & ts.SymbolFlags.Value ? "const" : "type";
}

describe("public names", () => {
  // A change here is a change for users: update with `npx vitest run test/guards/public-names.test.ts -u`.
  it.each(built)("of %s are the recorded ones", async (entry, path) => {
    const file = entry === "." ? "index" : entry.slice(2);
    await expect(`${publicNames(path).join("\n")}\n`).toMatchFileSnapshot(`./public-names/${file}.txt`);
  });

  it.each(built)("of %s are listed one by one", (_entry, path) => {
    expect(readText(path)).not.toMatch(/export\s*\*/);
  });

  it.skipIf(missing.length > 0)("cover every entry of package.json", () => {
    expect(missing).toEqual([]);
  });
});
