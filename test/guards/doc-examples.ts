import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { exists, ROOT } from "./repository.ts";

/** One fenced ```ts block of a doc comment or a Markdown page. */
export interface DocExample {
  readonly path: string;
  /** Line of the block's first code line, from 1. */
  readonly line: number;
  readonly code: string;
  /** False for a block fenced ```ts no-run, which is only type-checked. */
  readonly run: boolean;
}

/** A `console.log(…); // expected` of an example. */
export interface Expectation {
  readonly line: number;
  readonly expected: string;
}

/** What running one example gave: the printed text of each expectation, in order, or what it threw. */
export interface ExampleRun {
  readonly printed: readonly string[];
  readonly error: string | null;
}

/** The ```ts blocks of a Markdown page. */
export function markdownExamples(path: string, text: string): DocExample[] {
  return fencedBlocks(path, text.split("\n"), 1);
}

/** The ```ts blocks that follow an `@example` tag in a source file's doc comments. */
export function sourceExamples(path: string, text: string): DocExample[] {
  const examples: DocExample[] = [];
  for (const comment of text.matchAll(/\/\*\*[\s\S]*?\*\//g)) {
    const line = text.slice(0, comment.index).split("\n").length;
    const lines = comment[0].split("\n").map((row) => row.replace(/^\s*(\/\*\*|\*\/|\*) ?/, ""));
    const start = lines.findIndex((row) => row.startsWith("@example"));
    if (start >= 0) examples.push(...fencedBlocks(path, lines.slice(start), line + start));
  }
  return examples;
}

function fencedBlocks(path: string, lines: readonly string[], firstLine: number): DocExample[] {
  const blocks: DocExample[] = [];
  let open: { info: string; indent: number; start: number } | null = null;
  for (const [index, row] of lines.entries()) {
    const fence = /^(\s*)```\s*(.*)$/.exec(row);
    if (fence === null) continue;
    if (open === null) {
      open = { info: (fence[2] as string).trim(), indent: (fence[1] as string).length, start: index + 1 };
      continue;
    }
    const { info, indent, start } = open;
    open = null;
    if (info !== "ts" && info !== "ts no-run") continue;
    const code = lines.slice(start, index).map((text) => text.slice(Math.min(indent, text.search(/\S|$/))));
    blocks.push({ path, line: firstLine + start, code: `${code.join("\n")}\n`, run: info === "ts" });
  }
  return blocks;
}

/** The calls of `console.log` with a comment behind them on the same line, in source order. */
export function expectationsOf(code: string): Expectation[] {
  return expectedCalls(code).map(({ line, expected }) => ({ line, expected }));
}

function expectedCalls(code: string): (Expectation & { callee: ts.Node })[] {
  const source = ts.createSourceFile("example.ts", code, ts.ScriptTarget.ES2023, true);
  const found: (Expectation & { callee: ts.Node })[] = [];
  const visit = (node: ts.Node): void => {
    const callee = consoleLogOf(node, source);
    const comment = callee === null ? undefined : ts.getTrailingCommentRanges(code, node.end)?.[0];
    if (callee !== null && comment !== undefined) {
      const expected = code.slice(comment.pos, comment.end).replace(/^\/\/\s?|^\/\*|\*\/$/g, "");
      found.push({ line: source.getLineAndCharacterOfPosition(node.end).line, expected, callee });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function consoleLogOf(node: ts.Node, source: ts.SourceFile): ts.Node | null {
  if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return null;
  const callee = node.expression.expression;
  return callee.getText(source) === "console.log" ? callee : null;
}

/** Whether a printed text is the expected one: white space counts once, `…` stands for anything. */
export function matchesExpectation(printed: string, expected: string): boolean {
  const squeeze = (text: string): string => text.replace(/\s+/g, " ").trim();
  const parts = squeeze(expected)
    .split("…")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(squeeze(printed));
}

const RUNNER = fileURLToPath(new URL("./run-examples.mjs", import.meta.url));

/** Gives `use` an empty folder inside the package, where `calibrant/…` resolves to dist/ as it does for a user. */
function withFolder<Result>(use: (folder: string) => Result): Result {
  mkdirSync(join(ROOT, ".vitest"), { recursive: true });
  const folder = mkdtempSync(join(ROOT, ".vitest/doc-examples-"));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Type errors of each example, as `path:line message`, against the built declarations. */
export function typeErrors(examples: readonly DocExample[]): string[][] {
  return withFolder((folder) => {
    const files = examples.map((example, index) => {
      const file = join(folder, `example-${index}.ts`);
      writeFileSync(file, `${example.code}export {};\n`);
      return file;
    });
    const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
    const program = ts.createProgram(files, { ...options, noUnusedLocals: false });
    return examples.map((example, index) => errorsIn(program, files[index] as string, example));
  });
}

function errorsIn(program: ts.Program, file: string, { path, line }: DocExample): string[] {
  const source = program.getSourceFile(file) as ts.SourceFile;
  const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  return found.map((diagnostic) => {
    const offset = source.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line;
    return `${path}:${line + offset} ${ts.flattenDiagnosticMessageText(diagnostic.messageText, " ")}`;
  });
}

/** Runs the examples one after the other in one Node process, in a folder with the files of examples/. */
export function runExamples(examples: readonly DocExample[]): ExampleRun[] {
  return withFolder((folder) => {
    const files = examples.map((example, index) => {
      const file = join(folder, `example-${index}.mjs`);
      writeFileSync(file, javascriptOf(example.code));
      return file;
    });
    const cwd = join(folder, "files");
    mkdirSync(cwd);
    if (exists("examples")) {
      cpSync(join(ROOT, "examples"), cwd, { recursive: true });
      cpSync(join(ROOT, "examples"), join(cwd, "examples"), { recursive: true });
    }
    const node = spawnSync(process.execPath, [RUNNER, ...files], {
      cwd,
      encoding: "utf8",
      maxBuffer: 1 << 26,
    });
    const answer = node.stdout.slice(node.stdout.lastIndexOf("\n{") + 1);
    if (node.status !== 0 || answer === "") throw new Error(`the examples ended early: ${node.stderr}`);
    return (JSON.parse(answer) as { runs: ExampleRun[] }).runs;
  });
}

/** JavaScript of an example in which each expected console.log reports to run-examples.mjs under its number. */
function javascriptOf(code: string): string {
  let text = code;
  for (const [index, { callee }] of [...expectedCalls(code).entries()].reverse()) {
    text = `${text.slice(0, callee.getStart())}globalThis.printed(${index})${text.slice(callee.end)}`;
  }
  return ts.transpileModule(text, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    },
  }).outputText;
}
