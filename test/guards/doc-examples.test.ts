import { beforeAll, describe, expect, it } from "vitest";
import {
  type DocExample,
  type ExampleRun,
  expectationsOf,
  markdownExamples,
  matchesExpectation,
  runExamples,
  sourceExamples,
  typeErrors,
} from "./doc-examples.ts";
import { exists, filesBelow, markdownFiles, readText } from "./repository.ts";

const examples: readonly DocExample[] = [
  ...filesBelow("src", ".ts").flatMap((path) => sourceExamples(path, readText(path))),
  ...markdownFiles().flatMap((path) => markdownExamples(path, readText(path))),
];
const named = examples.map((example, index) => [`${example.path}:${example.line}`, index] as const);
const runnable = examples.filter((example) => example.run);
const still = examples.length - runnable.length;

describe.skipIf(examples.length === 0)("documentation examples", () => {
  let errors: string[][];
  let runs: ExampleRun[];

  beforeAll(() => {
    if (!exists("dist/index.js")) throw new Error("dist/ is missing: npm run build");
    errors = typeErrors(examples);
    runs = runExamples(runnable);
  });

  it.each(named)("%s has the right types", (_name, index) => {
    expect(errors[index]).toEqual([]);
  });

  it.each(named.filter(([, index]) => examples[index]?.run))(
    "%s runs and prints what it says",
    (name, index) => {
      const example = examples[index] as DocExample;
      const run = runs[runnable.indexOf(example)] as ExampleRun;
      expect(run.error).toBeNull();
      const expectations = expectationsOf(example.code);
      if (example.path.startsWith("src/")) expect(expectations, `${name} prints nothing`).not.toEqual([]);
      for (const [order, { line, expected }] of expectations.entries()) {
        const printed = run.printed[order] ?? "";
        if (!matchesExpectation(printed, expected)) {
          expect(printed, `${example.path}:${example.line + line}`).toBe(expected);
        }
      }
    },
  );

  it.skipIf(still > 0)(`are all run (${still} marked no-run are only type-checked)`, () => {
    expect(still).toBe(0);
  });
});

describe("finding examples", () => {
  const fence = "```";

  it("reads ts blocks of Markdown, with their line", () => {
    const text = `# T\n${fence}sh\nls\n${fence}\n${fence}ts\nconst a = 1;\n${fence}\n${fence}ts no-run\nb();\n${fence}\n`;
    expect(markdownExamples("README.md", text)).toEqual([
      { path: "README.md", line: 6, code: "const a = 1;\n", run: true },
      { path: "README.md", line: 9, code: "b();\n", run: false },
    ]);
  });

  it("reads blocks behind @example only", () => {
    const text = `\n/**\n * ${fence}ts\n * no();\n * ${fence}\n * @example\n * ${fence}ts\n * yes(\n *   1,\n * );\n * ${fence}\n */`;
    expect(sourceExamples("src/a.ts", text)).toEqual([
      { path: "src/a.ts", line: 8, code: "yes(\n  1,\n);\n", run: true },
    ]);
  });

  it("takes the comment behind a console.log on the same line as the expectation", () => {
    const code =
      "console.log(1); // 1\nconsole.log(2);\n// not this\nconsole.log(\n  3,\n); // 3\nf(); // nor this\n";
    expect(expectationsOf(code)).toEqual([
      { line: 0, expected: "1" },
      { line: 5, expected: "3" },
    ]);
  });

  it("compares with white space squeezed and … for anything", () => {
    expect(matchesExpectation("[\n  1,\n  2\n]", "[ 1, 2 ]")).toBe(true);
    expect(matchesExpectation("0.12345", "0.12…")).toBe(true);
    expect(matchesExpectation("0.13345", "0.12…")).toBe(false);
    expect(matchesExpectation("1.5", "1*5")).toBe(false);
    expect(matchesExpectation("10", "1")).toBe(false);
  });
});

describe("running examples", () => {
  const example = (code: string): DocExample => ({ path: "docs/x.md", line: 10, code, run: true });

  it("keeps what each expected line printed, and what was thrown", () => {
    const runs = runExamples([
      example("const n: number = 2;\nfor (let i = 0; i < n; i++) console.log(i); // 0 1\nconsole.log(9);\n"),
      example('throw new Error("no");\n'),
    ]);
    expect(runs).toEqual([
      { printed: ["0\n1"], error: null },
      { printed: [], error: "Error: no" },
    ]);
  });

  it("finds type errors with their line", () => {
    expect(typeErrors([example("\nconst a: number = 'x';\n"), example("const a = 1;\n")])).toEqual([
      ["docs/x.md:11 Type 'string' is not assignable to type 'number'."],
      [],
    ]);
  });
});
