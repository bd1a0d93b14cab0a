import { posix } from "node:path";
import ts from "typescript";

/** One import or re-export of a module, static, type-only or dynamic. */
export interface ImportReference {
  readonly specifier: string;
  /** From 1. */
  readonly line: number;
  /** True when nothing of it is left in the JavaScript. */
  readonly typeOnly: boolean;
}

/** Every module that a file's text names: `import`, `export … from`, `import("…")` as a value and as a type. */
export function importsOf(path: string, text: string): ImportReference[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const found: ImportReference[] = [];
  const add = (literal: ts.Node | undefined, typeOnly: boolean): void => {
    if (literal === undefined || !ts.isStringLiteralLike(literal)) return;
    const line = source.getLineAndCharacterOfPosition(literal.getStart(source)).line + 1;
    found.push({ specifier: literal.text, line, typeOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnlyImport(node));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node)) add((node.argument as ts.LiteralTypeNode).literal, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** `import type …` only: under verbatimModuleSyntax `import { type A } from "a"` still loads a. */
function isTypeOnlyImport(node: ts.ImportDeclaration): boolean {
  return node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
}

/** The path that a relative import of `from` means. */
export function resolveRelative(from: string, specifier: string): string {
  return posix.normalize(posix.join(posix.dirname(from), specifier));
}

/** `lodash/fp` -> `lodash`, `@scope/name/part` -> `@scope/name`. */
export function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Cycles among the files (path -> text), each once, as `a -> b -> a`; type-only imports count. */
export function importCycles(files: ReadonlyMap<string, string>): string[] {
  const edges = new Map<string, string[]>();
  for (const [path, text] of files) {
    const targets = importsOf(path, text)
      .filter(({ specifier }) => specifier.startsWith("."))
      .map(({ specifier }) => resolveRelative(path, specifier))
      .filter((target) => files.has(target));
    edges.set(path, [...new Set(targets)]);
  }
  const cycles: string[] = [];
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): void => {
    const seenAt = trail.indexOf(path);
    if (seenAt >= 0) {
      cycles.push([...trail.slice(seenAt), path].join(" -> "));
      return;
    }
    if (done.has(path)) return;
    for (const next of edges.get(path) ?? []) walk(next, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) walk(path, []);
  return cycles;
}
