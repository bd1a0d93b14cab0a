import {
  EXPRESSION_KERNELS,
  type ExpressionKernel,
  type ExpressionKernelName,
} from "./expression-kernels.ts";

/** An expression after it was read: numbers, named columns, and operations on one to three of either. */
export type Expression =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "call"; readonly kernel: ExpressionKernelName; readonly args: readonly Expression[] };

/** Rows per pass: a few operands of this many float64 stay in a first-level cache. */
const BLOCK = 1024;

/** Where an operation reads or writes: a column, which moves on with every block, or a buffer, which does not. */
interface Operand {
  readonly values: Float64Array;
  readonly moves: boolean;
}

interface Step {
  readonly kernel: ExpressionKernel;
  readonly out: Operand;
  readonly a: Operand;
  readonly b: Operand;
  readonly c: Operand;
}

/**
 * The values of an expression for rows 0 … rows - 1, one operation at a time over blocks of rows.
 *
 * @param column the values of a named column, at least `rows` long
 */
export function evaluateExpression(
  expression: Expression,
  column: (name: string) => Float64Array,
  rows: number,
): Float64Array {
  const result: Operand = { values: new Float64Array(rows), moves: true };
  const steps = planSteps(expression, column, result);
  for (let start = 0; start < rows; start += BLOCK) {
    const n = Math.min(BLOCK, rows - start);
    for (const { kernel, out, a, b, c } of steps) {
      kernel(
        out.values,
        out.moves ? start : 0,
        n,
        a.values,
        a.moves ? start : 0,
        b.values,
        b.moves ? start : 0,
        c.values,
        c.moves ? start : 0,
      );
    }
  }
  return result.values;
}

function planSteps(expression: Expression, column: (name: string) => Float64Array, result: Operand): Step[] {
  const steps: Step[] = [];
  const buffers: Operand[] = [];
  const constants = new Map<number, Operand>();
  const buffer = (level: number): Operand => {
    const known = buffers[level] ?? { values: new Float64Array(BLOCK), moves: false };
    buffers[level] = known;
    return known;
  };
  const constant = (value: number): Operand => {
    const known = constants.get(value) ?? { values: new Float64Array(BLOCK).fill(value), moves: false };
    constants.set(value, known);
    return known;
  };
  // Level = buffers in use by operands that wait for their siblings; a call may write over its own first operand.
  const plan = (node: Expression, level: number, target: Operand | null): Operand => {
    if (node.kind === "number") return constant(node.value);
    if (node.kind === "name") return { values: column(node.name), moves: true };
    const operands = node.args.map((arg, index) => plan(arg, level + index, null));
    const [a, b, c] = [0, 1, 2].map((index) => (operands[index] ?? operands[0]) as Operand) as [
      Operand,
      Operand,
      Operand,
    ];
    const out = target ?? buffer(level);
    steps.push({ kernel: EXPRESSION_KERNELS[node.kernel], out, a, b, c });
    return out;
  };
  const root: Expression =
    expression.kind === "call" ? expression : { kind: "call", kernel: "copy", args: [expression] };
  plan(root, 0, result);
  return steps;
}
