import { sigmoid } from "../math/sigmoid.ts";

/**
 * One operation over `n` rows: `out[o + i]` from `a[p + i]`, `b[q + i]` and `c[r + i]`. `out` may be one of the
 * operands at the same place. A NaN operand makes the result NaN in every one of them but `certainAnd` and `certainOr`.
 */
export type ExpressionKernel = (
  out: Float64Array,
  o: number,
  n: number,
  a: Float64Array,
  p: number,
  b: Float64Array,
  q: number,
  c: Float64Array,
  r: number,
) => void;

/** The name of an operation. */
export type ExpressionKernelName =
  | "add"
  | "subtract"
  | "multiply"
  | "divide"
  | "mod"
  | "pow"
  | "min"
  | "max"
  | "smaller"
  | "smallerEq"
  | "larger"
  | "largerEq"
  | "equal"
  | "unequal"
  | "and"
  | "or"
  | "certainAnd"
  | "certainOr"
  | "select"
  | "copy"
  | "unaryMinus"
  | "not"
  | "abs"
  | "sqrt"
  | "exp"
  | "log"
  | "log2"
  | "log10"
  | "sign"
  | "floor"
  | "ceil"
  | "round"
  | "tanh"
  | "sigmoid";

// Each kernel is a loop of its own: a shared loop that calls the operation would box every number.

const add: ExpressionKernel = (out, o, n, a, p, b, q) => {
  for (let i = 0; i < n; i++) out[o + i] = (a[p + i] as number) + (b[q + i] as number);
};

const subtract: ExpressionKernel = (out, o, n, a, p, b, q) => {
  for (let i = 0; i < n; i++) out[o + i] = (a[p + i] as number) - (b[q + i] as number);
};

const multiply: ExpressionKernel = (out, o, n, a, p, b, q) => {
  for (let i = 0; i < n; i++) out[o + i] = (a[p + i] as number) * (b[q + i] as number);
};

const divide: ExpressionKernel = (out, o, n, a, p, b, q) => {
  for (let i = 0; i < n; i++) out[o + i] = (a[p + i] as number) / (b[q + i] as number);
};

const mod: ExpressionKernel = (out, o, n, a, p, b, q) => {
  for (let i = 0; i < n; i++) {
    const y = b[q + i] as number;
    const rest = (a[p + i] as number) % y;
    out[o + i] = rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest;
  }
};

const pow: ExpressionKernel = (out, o, n, a, p, b, q) => {
  for (let i = 0; i < n; i++) {
    const x = a[p + i] as number;
    // NaN ** 0 is 1.
    out[o + i] = Number.isNaN(x) ? x : x ** (b[q + i] as number);
  }
};

const min: ExpressionKernel = (out, o, n, a, p, b, q) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.min(a[p + i] as number, b[q + i] as number);
};

const max: ExpressionKernel = (out, o, n, a, p, b, q) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.max(a[p + i] as number, b[q + i] as number);
};

// A comparison and its opposite are both false exactly when an operand is NaN.

const smaller: ExpressionKernel = (out, o, n, a, p, b, q) => {
  for (let i = 0; i < n; i++) {
    const x = a[p + i] as number;
    const y = b[q + i] as number;
    out[o + i] = x < y ? 1 : x >= y ? 0 : Number.NaN;
  }
};

const smallerEq: ExpressionKernel = (out, o, n, a, p, b, q) => {
  for (let i = 0; i < n; i++) {
    const x = a[p + i] as number;
    const y = b[q + i] as number;
    out[o + i] = x <= y ? 1 : x > y ? 0 : Number.NaN;
  }
};

const larger: ExpressionKernel = (out, o, n, a, p, b, q) => smaller(out, o, n, b, q, a, p, a, p);

const largerEq: ExpressionKernel = (out, o, n, a, p, b, q) => smallerEq(out, o, n, b, q, a, p, a, p);

const equal: ExpressionKernel = (out, o, n, a, p, b, q) => {
  for (let i = 0; i < n; i++) {
    const x = a[p + i] as number;
    const y = b[q + i] as number;
    out[o + i] = x === y ? 1 : x < y || x > y ? 0 : Number.NaN;
  }
};

const unequal: ExpressionKernel = (out, o, n, a, p, b, q) => {
  for (let i = 0; i < n; i++) {
    const x = a[p + i] as number;
    const y = b[q + i] as number;
    out[o + i] = x === y ? 0 : x < y || x > y ? 1 : Number.NaN;
  }
};

const and: ExpressionKernel = (out, o, n, a, p, b, q) => {
  for (let i = 0; i < n; i++) {
    const x = a[p + i] as number;
    const y = b[q + i] as number;
    out[o + i] = Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : x !== 0 && y !== 0 ? 1 : 0;
  }
};

const or: ExpressionKernel = (out, o, n, a, p, b, q) => {
  for (let i = 0; i < n; i++) {
    const x = a[p + i] as number;
    const y = b[q + i] as number;
    out[o + i] = Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : x !== 0 || y !== 0 ? 1 : 0;
  }
};

// Three-valued logic: a missing operand matters only where the other does not decide.
const certainAnd: ExpressionKernel = (out, o, n, a, p, b, q) => {
  for (let i = 0; i < n; i++) {
    const x = a[p + i] as number;
    const y = b[q + i] as number;
    out[o + i] = x === 0 || y === 0 ? 0 : Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : 1;
  }
};

const certainOr: ExpressionKernel = (out, o, n, a, p, b, q) => {
  for (let i = 0; i < n; i++) {
    const x = a[p + i] as number;
    const y = b[q + i] as number;
    const isTrue = (x !== 0 && !Number.isNaN(x)) || (y !== 0 && !Number.isNaN(y));
    out[o + i] = isTrue ? 1 : Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : 0;
  }
};

const select: ExpressionKernel = (out, o, n, a, p, b, q, c, r) => {
  for (let i = 0; i < n; i++) {
    const condition = a[p + i] as number;
    const chosen = condition !== 0 ? b[q + i] : c[r + i];
    out[o + i] = Number.isNaN(condition) ? condition : (chosen as number);
  }
};

const copy: ExpressionKernel = (out, o, n, a, p) => {
  for (let i = 0; i < n; i++) out[o + i] = a[p + i] as number;
};

const unaryMinus: ExpressionKernel = (out, o, n, a, p) => {
  for (let i = 0; i < n; i++) out[o + i] = -(a[p + i] as number);
};

const not: ExpressionKernel = (out, o, n, a, p) => {
  for (let i = 0; i < n; i++) {
    const x = a[p + i] as number;
    out[o + i] = Number.isNaN(x) ? x : x === 0 ? 1 : 0;
  }
};

const abs: ExpressionKernel = (out, o, n, a, p) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.abs(a[p + i] as number);
};

const sqrt: ExpressionKernel = (out, o, n, a, p) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.sqrt(a[p + i] as number);
};

const exp: ExpressionKernel = (out, o, n, a, p) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.exp(a[p + i] as number);
};

const log: ExpressionKernel = (out, o, n, a, p) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.log(a[p + i] as number);
};

const log2: ExpressionKernel = (out, o, n, a, p) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.log2(a[p + i] as number);
};

const log10: ExpressionKernel = (out, o, n, a, p) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.log10(a[p + i] as number);
};

const sign: ExpressionKernel = (out, o, n, a, p) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.sign(a[p + i] as number);
};

const floor: ExpressionKernel = (out, o, n, a, p) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.floor(a[p + i] as number);
};

const ceil: ExpressionKernel = (out, o, n, a, p) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.ceil(a[p + i] as number);
};

const round: ExpressionKernel = (out, o, n, a, p) => {
  for (let i = 0; i < n; i++) {
    const x = a[p + i] as number;
    // Math.round takes halves upwards; away from zero they are the same on both sides.
    out[o + i] = x < 0 ? -Math.round(-x) : Math.round(x);
  }
};

const tanh: ExpressionKernel = (out, o, n, a, p) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.tanh(a[p + i] as number);
};

const logistic: ExpressionKernel = (out, o, n, a, p) => {
  for (let i = 0; i < n; i++) out[o + i] = sigmoid(a[p + i] as number);
};

/** The operations of the expression language, by the names that mathjs gives operators and functions. */
export const EXPRESSION_KERNELS: Readonly<Record<ExpressionKernelName, ExpressionKernel>> = {
  add,
  subtract,
  multiply,
  divide,
  mod,
  pow,
  min,
  max,
  smaller,
  smallerEq,
  larger,
  largerEq,
  equal,
  unequal,
  and,
  or,
  certainAnd,
  certainOr,
  select,
  copy,
  unaryMinus,
  not,
  abs,
  sqrt,
  exp,
  log,
  log2,
  log10,
  sign,
  floor,
  ceil,
  round,
  tanh,
  sigmoid: logistic,
};
