import { CalibrantError } from "../errors.ts";
import { type Expression, evaluateExpression } from "./expression-evaluate.ts";
import type { ExpressionKernelName } from "./expression-kernels.ts";
import { parseExpression } from "./expression-parse.ts";

/** Options of {@link compileExpression}. */
export interface ExpressionOptions {
  /** Columns that the expression may name: letters, digits and underscores. */
  readonly names: readonly string[];
  /**
   * What a missing operand (NaN) does to `and` and `or`. `propagates` (default): the result is missing. `unknown`: it is
   * missing only where the other operand does not decide, as in SQL: true or unknown is true, false and unknown is false.
   */
  readonly missing?: "propagates" | "unknown";
}

/** An expression that is ready to run. */
export interface CompiledExpression {
  readonly text: string;
  /** The columns that it names, in order of first use. */
  readonly names: readonly string[];
  /**
   * Its values, `(rows)`.
   *
   * @param columns at least {@link names}, each `(rows)` or longer; NaN = missing
   * @throws CalibrantError `schema` for a column that is not there; `length-mismatch` for one that is too short.
   */
  evaluate(columns: Readonly<Record<string, Float64Array>>, rows: number): Float64Array;
}

/**
 * Compiles a formula over numeric columns, such as `fmt + ans + c * cls` or `iou > 0.5 or ece > 0.1`.
 *
 * - numbers (finite), declared names, parentheses; `pi` and `e` unless a column has that name
 * - `+ - * / %`, `^` (from the right, before the minus: `-x^2` is `-(x^2)`)
 * - `< <= > >= == !=`, giving 1 or 0; chains (`0 < x < 1`) hold when every link does
 * - `and`, `or`, `not` (0 is false), `condition ? a : b`
 * - `abs sqrt exp log log2 log10 min max pow sign floor ceil round tanh sigmoid clamp(x, low, high)`
 *
 * A missing operand (NaN) makes the result missing, also through comparisons, `and`, `or`, `min`, `max`, `x ^ 0` and
 * the condition of `? :` (for `and` and `or` see `missing`); the branch that is not taken may be missing. Arithmetic is IEEE float64: `x / 0` is
 * infinite, the root or logarithm of a negative number is NaN. Comparisons are exact, where mathjs itself compares
 * with a tolerance. `a % b` has the sign of b, and is NaN for b = 0. `round` takes halves away from zero.
 *
 * The text is parsed by mathjs, loaded on first use, and then held against this list; it is never evaluated by
 * mathjs. Everything else is refused: implicit multiplication, assignments, text, units, lists, ranges, properties,
 * other functions; texts over 1,000 characters; nesting over 250.
 *
 * @throws CalibrantError `option` for anything that is not part of the language, with the names it may use.
 *
 * @example
 * ```ts
 * import { compileExpression } from "calibrant/rewards";
 * const reward = await compileExpression("fmt + 2 * (ppl < 1.5)", { names: ["fmt", "ppl"] });
 * const columns = { fmt: Float64Array.of(1, 0), ppl: Float64Array.of(1.2, NaN) };
 * console.log(reward.names, reward.evaluate(columns, 2)); // [ 'fmt', 'ppl' ] Float64Array(2) [ 3, NaN ]
 * ```
 */
export async function compileExpression(
  text: string,
  options: ExpressionOptions,
): Promise<CompiledExpression> {
  const parsed = await parseExpression(text, options.names);
  const { names } = parsed;
  const expression = options.missing === "unknown" ? withUnknowns(parsed.expression) : parsed.expression;
  return {
    text,
    names,
    evaluate: (columns, rows) =>
      evaluateExpression(expression, (name) => columnOf(columns, name, rows), rows),
  };
}

function columnOf(columns: Readonly<Record<string, Float64Array>>, name: string, rows: number): Float64Array {
  const values = Object.hasOwn(columns, name) ? columns[name] : undefined;
  if (values === undefined) {
    throw new CalibrantError("schema", `the expression needs a column that is not there, ${name}`, { name });
  }
  if (values.length >= rows) return values;
  throw new CalibrantError("length-mismatch", `column ${name} must have ${rows} rows, got ${values.length}`, {
    name,
    rows,
    found: values.length,
  });
}

const THREE_VALUED: Readonly<Partial<Record<ExpressionKernelName, ExpressionKernelName>>> = {
  and: "certainAnd",
  or: "certainOr",
};

/** The expression with `and` and `or` of three-valued logic. */
function withUnknowns(expression: Expression): Expression {
  if (expression.kind !== "call") return expression;
  const kernel = THREE_VALUED[expression.kernel] ?? expression.kernel;
  return { kind: "call", kernel, args: expression.args.map(withUnknowns) };
}
