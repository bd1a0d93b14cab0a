import type { ExpressionKernelName } from "./expression-kernels.ts";

/** A function of the expression language: how many arguments it takes, and what it is made of. */
export interface ExpressionFunction {
  readonly least: number;
  readonly most: number;
  readonly kernel: ExpressionKernelName | "clamp";
}

const one = (kernel: ExpressionKernelName): ExpressionFunction => ({ least: 1, most: 1, kernel });

/** The functions that an expression may call, by name. */
export const EXPRESSION_FUNCTIONS: ReadonlyMap<string, ExpressionFunction> = new Map([
  ["abs", one("abs")],
  ["sqrt", one("sqrt")],
  ["exp", one("exp")],
  ["log", one("log")],
  ["log2", one("log2")],
  ["log10", one("log10")],
  ["min", { least: 1, most: 100, kernel: "min" }],
  ["max", { least: 1, most: 100, kernel: "max" }],
  ["pow", { least: 2, most: 2, kernel: "pow" }],
  ["sign", one("sign")],
  ["floor", one("floor")],
  ["ceil", one("ceil")],
  ["round", one("round")],
  ["tanh", one("tanh")],
  ["sigmoid", one("sigmoid")],
  ["clamp", { least: 3, most: 3, kernel: "clamp" }],
]);

/** The operators that an expression may use, by mathjs's names; `unaryPlus` is its operand. */
export const EXPRESSION_OPERATORS: ReadonlyMap<string, ExpressionKernelName> = new Map([
  ["add", "add"],
  ["subtract", "subtract"],
  ["multiply", "multiply"],
  ["divide", "divide"],
  ["mod", "mod"],
  ["pow", "pow"],
  ["unaryMinus", "unaryMinus"],
  ["not", "not"],
  ["and", "and"],
  ["or", "or"],
  ["smaller", "smaller"],
  ["smallerEq", "smallerEq"],
  ["larger", "larger"],
  ["largerEq", "largerEq"],
  ["equal", "equal"],
  ["unequal", "unequal"],
]);

/** Constants, unless a column has their name. */
export const EXPRESSION_CONSTANTS: ReadonlyMap<string, number> = new Map([
  ["pi", Math.PI],
  ["e", Math.E],
]);
