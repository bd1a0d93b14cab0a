import { posix } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { importsOf, packageOf } from "./imports.ts";
import { exists, filesBelow, markdownFiles, readPackageJson, readText, trackedFiles } from "./repository.ts";

const sources = filesBelow("src", ".ts");

/** Addresses of package registries and mirrors; in pieces, so that this file does not match itself. */
const REGISTRY = new RegExp(
  [
    ["registry", "(npmjs|yarnpkg|npmmirror)"].join("\\."),
    ["npm", "pkg", "github"].join("\\."),
    ["files", "pythonhosted"].join("\\."),
    ["pypi", "org/simple"].join("\\."),
    "https?://[^\\s\"']*/(artifactory|nexus|verdaccio|repository/npm)",
    "https?://[^\\s\"'/]*\\bregistry\\b",
    ["//[^\\s\"']+", "_authToken"].join(":"),
    "^\\s*(registry|index-url)\\s*=",
  ].join("|"),
  "m",
);

describe("the lock file", () => {
  it("names no place that packages were fetched from", () => {
    const lock = readText("package-lock.json");
    expect(lock).not.toContain('"resolved"');
    expect(lock).toContain('"integrity"');
  });

  it("is at the version of package.json", () => {
    const lock = JSON.parse(readText("package-lock.json")) as { version: string };
    expect(lock.version).toBe(readPackageJson().version);
  });
});

const tracked = trackedFiles();

describe.skipIf(tracked === null)("tracked files", () => {
  it("hold no registry's address", () => {
    const texts = (tracked ?? []).filter((path) => !/\.(parquet|arrows?|png|gz|zst)$/.test(path));
    expect(texts.filter((path) => REGISTRY.test(readText(path)))).toEqual([]);
  });

  it("hold no build output", () => {
    expect(
      (tracked ?? []).filter((path) => /^(dist|node_modules|docs\/api|bench\/\.data)\//.test(path)),
    ).toEqual([]);
  });
});

describe("the registry pattern", () => {
  it.each([
    `https://${"registry"}.example.org/zod/-/zod-4.tgz`,
    `https://host/${"artifactory"}/api/npm/x`,
    `${"registry"}=http://10.0.0.1:4873/`,
  ])("finds %s", (line) => {
    expect(REGISTRY.test(line)).toBe(true);
  });
});

describe("source files", () => {
  it("are at most 400 lines, but for the list of public names", () => {
    const long = sources
      .filter((path) => path !== "src/index.ts")
      .map((path) => [path, readText(path).split("\n").length - 1] as const);
    expect(long.filter(([, lines]) => lines > 400)).toEqual([]);
  });

  it("have functions of at most 60 lines", () => {
    expect(sources.flatMap((path) => longFunctions(path, readText(path), 60))).toEqual([]);
  });

  it("are named in kebab case", () => {
    expect(sources.filter((path) => !/^src(\/[a-z0-9]+(-[a-z0-9]+)*)+\.ts$/.test(path))).toEqual([]);
  });
});

/** Functions of more than `limit` lines, as `path:line (lines)`. */
function longFunctions(path: string, text: string, limit: number): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const found: string[] = [];
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      const lines = lineAt(node.end) - lineAt(node.getStart(source)) + 1;
      if (lines > limit) found.push(`${path}:${lineAt(node.getStart(source))} (${lines} lines)`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe("dependencies", () => {
  const manifest = readPackageJson();
  const fields = ["dependencies", "optionalDependencies", "peerDependencies", "devDependencies"] as const;
  const namesIn = (field: (typeof fields)[number]): string[] =>
    Object.keys((manifest[field] ?? {}) as object);

  it("are each explained in docs/dependencies.md", () => {
    const text = readText("docs/dependencies.md");
    expect(fields.flatMap(namesIn).filter((name) => !text.includes(`| \`${name}\` |`))).toEqual([]);
  });

  it("are each used by the source", () => {
    const used = new Set(
      sources.flatMap((path) => importsOf(path, readText(path)).map((i) => packageOf(i.specifier))),
    );
    const shipped = [...namesIn("dependencies"), ...namesIn("optionalDependencies")];
    expect(shipped.filter((name) => !used.has(name))).toEqual([]);
  });
});

describe("test files", () => {
  it("mirror a source file, outside golden, laws, guards and e2e", () => {
    const strays = filesBelow("test", ".test.ts")
      .filter((path) => !/^test\/(golden|laws|guards|e2e)\//.test(path))
      .filter((path) => !exists(path.replace(/^test\//, "src/").replace(/\.test\.ts$/, ".ts")));
    expect(strays).toEqual([]);
  });
});

describe("docs/formulas.md", () => {
  const path = "docs/formulas.md";
  it.skipIf(!exists(path))("mentions files that exist", () => {
    const mentioned = readText(path).match(/\b(src|test|docs|bench|examples)\/[\w./-]*\w/g) ?? [];
    expect(mentioned.length).toBeGreaterThan(0);
    expect(mentioned.filter((file) => !exists(file))).toEqual([]);
  });
});

describe("Markdown", () => {
  it.each(markdownFiles())("%s links to files that exist", (path) => {
    const text = readText(path).replace(/```[\s\S]*?```/g, "");
    const targets = [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)].map((match) => match[1] as string);
    const local = targets.filter((target) => !/^[a-z]+:/.test(target));
    const broken = local.filter((target) => !exists(posix.join(posix.dirname(path), target)));
    // API pages are generated by `npm run docs`.
    expect(broken.filter((target) => !/(^|\/)api\//.test(target))).toEqual([]);
  });
});
