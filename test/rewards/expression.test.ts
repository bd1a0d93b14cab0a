import fc from "fast-check";
import * as mathjs from "mathjs/number";
import { describe, expect, it } from "vitest";
import type { CalibrantError } from "../../src/errors.ts";
import { compileExpression } from "../../src/rewards/expression.ts";

/** The value of an expression for one row. */
async function resultOf(text: string, row: Readonly<Record<string, number>> = {}): Promise<number> {
  const compiled = await compileExpression(text, { names: Object.keys(row) });
  const columns = Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, Float64Array.of(value)]),
  );
  return compiled.evaluate(columns, 1)[0] as number;
}

async function refusalOf(
  text: string,
  names: readonly string[] = ["fmt", "ans", "c", "cls"],
): Promise<CalibrantError> {
  const error = await compileExpression(text, { names }).then(
    () => new Error(`accepted: ${text}`),
    (thrown: unknown) => thrown as Error,
  );
  expect(error.message).not.toContain("\n");
  expect((error as CalibrantError).code, error.message).toBe("option");
  return error as CalibrantError;
}

describe("compileExpression", () => {
  it("evaluates columns row by row and says which it names", async () => {
    const reward = await compileExpression("fmt + ans + c * cls", {
      names: ["cls", "c", "ans", "fmt", "other_1"],
    });
    expect(reward.names).toEqual(["fmt", "ans", "c", "cls"]);
    const columns = {
      fmt: Float64Array.of(1, 0, 1),
      ans: Float64Array.of(0.5, 1, NaN),
      c: Float64Array.of(0.25, 0.5, 1),
      cls: Float64Array.of(3, 2, 1),
    };
    expect([...reward.evaluate(columns, 3)]).toEqual([2.25, 2, NaN]);
    expect([...reward.evaluate(columns, 2)]).toEqual([2.25, 2]);
    expect([...reward.evaluate(columns, 0)]).toEqual([]);
    expect([...columns.fmt]).toEqual([1, 0, 1]);
  });

  it("gives a new array for a bare name or number", async () => {
    const x = Float64Array.of(1, 2);
    const bare = (await compileExpression("x", { names: ["x"] })).evaluate({ x }, 2);
    expect([...bare]).toEqual([1, 2]);
    expect(bare).not.toBe(x);
    expect([...(await compileExpression("2.5", { names: [] })).evaluate({}, 3)]).toEqual([2.5, 2.5, 2.5]);
  });

  it.each<[string, number]>([
    ["2 + 3 * 4", 14],
    ["(2 + 3) * 4", 20],
    ["2 ^ 3 ^ 2", 512],
    ["-3 ^ 2", -9],
    ["2 ^ -1", 0.5],
    ["+2 - -3", 5],
    ["7 % 3", 1],
    ["-7 % 3", 2],
    ["7 % (0 - 3)", -2],
    ["1e-3 + .5", 0.501],
    ["1 < 2 and 2 <= 2 and 3 > 2 and 2 >= 2", 1],
    ["1 == 1 and 1 != 2", 1],
    ["not 0", 1],
    ["not (2 > 1)", 0],
    ["1 or 0 and 0", 1],
    ["0 < 1 < 2", 1],
    ["0 < 3 < 2", 0],
    ["1 > 2 ? 10 : 20", 20],
    ["1 ? (0 ? 3 : 4) : 5", 4],
    ["0 ? 1 : 0 ? 2 : 3", 3],
    ["0.1 + 0.2 == 0.3", 0],
    ["abs(-2) + sqrt(9) + exp(0) + log(e) + log2(8) + log10(1000)", 13],
    ["min(3, 1, 2) + max(3, 1, 2) + min(5) + pow(2, 3)", 17],
    ["sign(-3) + floor(-1.5) + ceil(1.2) + round(2.5) + round(-2.5)", -1],
    ["tanh(0) + sigmoid(0)", 0.5],
    ["clamp(5, 0, 1) + clamp(-5, 0, 1) + clamp(0.5, 0, 1)", 1.5],
    ["sigmoid(-10000) + sigmoid(10000)", 1],
    ["1 / 0", Number.POSITIVE_INFINITY],
  ])("%s is %s", async (text, expected) => {
    expect(await resultOf(text)).toBe(expected);
  });

  it("knows pi and e unless a column has that name", async () => {
    expect(await resultOf("pi")).toBe(Math.PI);
    expect(await resultOf("e", { e: 3 })).toBe(3);
  });

  it("takes names with underscores, and those of JavaScript's own properties as what they are", async () => {
    expect(await resultOf("trust_reward + 0.5 * _x2", { trust_reward: 1, _x2: 4 })).toBe(3);
    expect(await resultOf("constructor", { constructor: 7 })).toBe(7);
    await refusalOf("constructor");
    await refusalOf("toString()");
  });

  it.each([
    "x + 1",
    "x * 0",
    "x ^ 0",
    "pow(x, 0)",
    "2 ^ x",
    "x == x",
    "x != x",
    "x < 1",
    "x <= 1",
    "1 > x",
    "1 >= x",
    "x and 0",
    "0 and x",
    "x or 1",
    "1 or x",
    "not x",
    "min(x, 1)",
    "max(1, x)",
    "clamp(x, 0, 1)",
    "clamp(1, 0, x)",
    "x ? 1 : 2",
    "1 ? x : 2",
    "abs(x)",
    "sign(x)",
    "round(x)",
    "floor(x)",
    "ceil(x)",
    "sigmoid(x)",
    "tanh(x)",
    "-x",
    "x % 2",
    "2 % x",
  ])("a missing operand makes %s missing", async (text) => {
    expect(await resultOf(text, { x: Number.NaN })).toBeNaN();
  });

  it("does not read the branch that is not taken", async () => {
    expect(await resultOf("c ? 1 : x", { c: 1, x: Number.NaN })).toBe(1);
    expect(await resultOf("c ? x : 2", { c: 0, x: Number.NaN })).toBe(2);
  });

  it.each(["sqrt(-1)", "log(-1)", "(-8) ^ (1/3)", "5 % 0", "0 / 0"])("%s is missing", async (text) => {
    expect(await resultOf(text)).toBeNaN();
  });

  it("runs over more rows than one block", async () => {
    const rows = 5000;
    const x = Float64Array.from({ length: rows }, (_, i) => i);
    const result = (
      await compileExpression("x * x - (x + 1) * (x - 1) + (x > 10 ? x : -x)", { names: ["x"] })
    ).evaluate({ x }, rows);
    for (const row of [0, 10, 1023, 1024, 4999]) expect(result[row]).toBe(1 + (row > 10 ? row : -row));
  });

  it("asks for the columns it names", async () => {
    const compiled = await compileExpression("x + y", { names: ["x", "y"] });
    const x = Float64Array.of(1);
    expect(() => compiled.evaluate({ x }, 1)).toThrow("the expression needs a column that is not there, y");
    expect(() => compiled.evaluate({ x, y: new Float64Array(0) }, 1)).toThrow(
      "column y must have 1 rows, got 0",
    );
  });
});

describe("what is refused", () => {
  it.each([
    "",
    "   ",
    "fmt ans",
    "2 fmt",
    "2(fmt)",
    "(fmt)(ans)",
    "x = 1",
    "fmt = 1",
    "f(x) = x",
    "fmt; ans",
    "fmt\nans",
    "'text'",
    '"text"',
    "3 cm",
    "fmt to cm",
    "fmt in cm",
    "[1, 2]",
    "[1, 2; 3, 4]",
    "1:3",
    "fmt[1]",
    "fmt.constructor",
    'fmt["constructor"]',
    "{a: 1}",
    "import('fs')",
    "evaluate(fmt)",
    "parse(fmt)",
    "compile(fmt)",
    "createUnit(fmt)",
    "random()",
    "fmt!",
    "fmt'",
    "5%",
    "fmt%",
    "fmt | ans",
    "fmt & ans",
    "~fmt",
    "fmt xor ans",
    "fmt .* ans",
    "fmt << 2",
    "fmt ?? ans",
    "true",
    "null",
    "NaN",
    "Infinity",
    "1e400",
    "-1e999",
    "2i",
    "fmt # comment",
    "fmt +",
    "fmt ? ans",
    "(fmt",
    "fmt)",
    "abs()",
    "abs(1, 2)",
    "pow(2)",
    "clamp(1, 2)",
    "min()",
    "log(8, 2)",
    "round(fmt, 2)",
    "not fmt > 1",
    "1 + not fmt",
    "0 < not fmt < 2",
    "fmt === ans",
    "fmt && ans",
    "__proto__",
    "fmt.abs(1)",
    "(abs)(1)(2)",
    "cos(fmt)",
  ])("%j", async (text) => {
    await refusalOf(text);
  });

  it("with the names there are, and the nearest", async () => {
    const name = await refusalOf("fmt + anss");
    expect(name.message).toBe(
      "the expression has an unknown name, anss; did you mean ans?; known: fmt, ans, c, cls; got fmt + anss",
    );
    expect(name.details).toEqual({ expression: "fmt + anss", name: "anss" });
    expect((await refusalOf("sqroot(4)")).message).toMatch(
      /unknown function, sqroot; did you mean sqrt\?; known: abs, sqrt, exp,/,
    );
    expect((await refusalOf("zzzzzz", [])).message).toBe(
      "the expression has an unknown name, zzzzzz; known: none; got zzzzzz",
    );
    const many = Array.from({ length: 100 }, (_, i) => `column_${i}`);
    expect((await refusalOf("q", many)).message).toContain("column_39 and 60 more; got q");
  });

  it("when it is too long, too deep or too large", async () => {
    expect((await refusalOf(`fmt${" + 1".repeat(250)}`)).message).toContain("1000 characters long, got 1003");
    await refusalOf(`${"(".repeat(450)}1${")".repeat(450)}`);
    await refusalOf("-".repeat(900).concat("1"));
    await refusalOf(`${"1^".repeat(400)}1`);
    await refusalOf(`${"abs(".repeat(199)}1${")".repeat(199)}`.replaceAll("abs", "ab"));
    let chain = "1";
    for (let level = 0; level < 90; level++) chain = `1<(${chain})<1`;
    expect((await refusalOf(chain)).message).toContain("more than 2000 parts");
  });

  it("never for a long sum", async () => {
    expect(await resultOf(`1${"+1".repeat(249)}`)).toBe(250);
  });
});

describe("mathjs as reference", () => {
  const names = ["a", "b", "c_1"];

  const exactLeaf = fc.oneof(
    fc.constantFrom(...names),
    fc.integer({ min: 0, max: 12 }).map((n) => String(n / 4)),
  );
  /** Sums and products of quarters: exact in both, so that mathjs's comparison tolerance makes no difference. */
  const { exact } = fc.letrec<{ exact: string }>((tie) => ({
    exact: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      exactLeaf,
      fc
        .tuple(tie("exact"), fc.constantFrom("+", "-", "*"), exactLeaf)
        .map(([l, op, r]) => `(${l} ${op} ${r})`),
      tie("exact").map((x) => `-${x}`),
      fc.tuple(fc.constantFrom("abs", "sign", "floor", "ceil"), tie("exact")).map(([f, x]) => `${f}(${x})`),
    ),
  }));
  const comparison = fc.tuple(exact, fc.constantFrom("<", "<=", ">", ">=", "==", "!="), exact);
  const truth = fc.oneof(
    comparison.map(([l, op, r]) => `${l} ${op} ${r}`),
    fc.tuple(exact, exact, exact).map(([x, y, z]) => `${x} < ${y} <= ${z}`),
  );
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      exact,
      fc
        .tuple(tie("value"), fc.constantFrom("+", "-", "*", "/", "^"), tie("value"))
        .map(([l, op, r]) => `${l} ${op} ${r}`),
      tie("value").map((x) => `(${x})`),
      fc.tuple(truth, fc.constantFrom("and", "or"), truth).map(([l, op, r]) => `(${l} ${op} ${r})`),
      fc.tuple(truth, tie("value"), tie("value")).map(([t, x, y]) => `(${t} ? ${x} : ${y})`),
      truth.map((t) => `(not (${t}))`),
      fc
        .tuple(fc.constantFrom("sqrt", "exp", "log", "log2", "log10", "tanh"), tie("value"))
        .map(([f, x]) => `${f}(${x})`),
      fc
        .tuple(fc.constantFrom("min", "max", "pow"), tie("value"), tie("value"))
        .map(([f, x, y]) => `${f}(${x}, ${y})`),
      fc.tuple(exact, exact).map(([x, y]) => `(${x} % ${y})`),
    ),
  }));
  const quarter = fc.integer({ min: -12, max: 12 }).map((n) => n / 4);

  it("agrees on what both define", async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        value,
        fc.array(fc.tuple(quarter, quarter, quarter), { minLength: 1, maxLength: 4 }),
        async (text, rows) => {
          fc.pre(text.length <= 1000);
          const ours = await compileExpression(text, { names });
          const columns = Object.fromEntries(
            names.map((name, i) => [name, Float64Array.from(rows, (row) => row[i] as number)]),
          );
          const values = ours.evaluate(columns, rows.length);
          rows.forEach(([a, b, c_1], row) => {
            const mine = values[row] as number;
            if (Number.isNaN(mine)) return;
            const theirs = Number(mathjs.evaluate(text, { a, b, c_1 }));
            compared += 1;
            if (mine === theirs) return;
            expect(
              Math.abs(mine - theirs),
              `${text} of ${a}, ${b}, ${c_1}: ${mine}, ${theirs}`,
            ).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(theirs)));
          });
        },
      ),
      { numRuns: 100 },
    );
    expect(compared).toBeGreaterThan(100);
  });

  it("takes a missing operand for unknown where asked to", async () => {
    const names = ["a", "b"];
    const columns = {
      a: Float64Array.of(Number.NaN, Number.NaN, 0, 1),
      b: Float64Array.of(1, 0, Number.NaN, Number.NaN),
    };
    const of = async (text: string): Promise<number[]> => [
      ...(await compileExpression(text, { names, missing: "unknown" })).evaluate(columns, 4),
    ];
    expect(await of("a or b")).toEqual([1, Number.NaN, Number.NaN, 1]);
    expect(await of("a and b")).toEqual([Number.NaN, 0, 0, Number.NaN]);
    expect(await of("not (a and b) or a")).toEqual([Number.NaN, 1, 1, 1]);
    const plain = await compileExpression("a or b", { names });
    expect([...plain.evaluate(columns, 4)]).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
  });
});
