import type {
  ConditionalNode,
  ConstantNode,
  FunctionNode,
  MathNode,
  OperatorNode,
  ParenthesisNode,
  RelationalNode,
  SymbolNode,
} from "mathjs";
import { nearestName } from "../data/nearest-name.ts";
import { CalibrantError, errorMessage } from "../errors.ts";
import type { Expression } from "./expression-evaluate.ts";
import { EXPRESSION_CONSTANTS, EXPRESSION_FUNCTIONS, EXPRESSION_OPERATORS } from "./expression-functions.ts";
import type { ExpressionKernelName } from "./expression-kernels.ts";

/** Longest text of an expression, in UTF-16 units. */
const MAX_LENGTH = 1000;
/** Deepest nesting: a sum of this many terms is the longest chain of one operator. */
const MAX_DEPTH = 250;
/** Most operations, names and numbers, chained comparisons written out. */
const MAX_NODES = 2000;
/** Most names that an error lists. */
const MAX_LISTED = 40;

interface Reading {
  readonly text: string;
  readonly names: ReadonlySet<string>;
  /** Names that the expression uses, in order of first use. */
  readonly used: Set<string>;
  nodes: number;
}

/** An expression that was read, and the names in it. */
export interface ParsedExpression {
  readonly expression: Expression;
  readonly names: readonly string[];
}

/**
 * Reads the text of an expression: mathjs parses it, and only the node types, operators and functions listed here
 * are accepted from it. Nothing is evaluated.
 *
 * @param names columns that it may name
 * @throws CalibrantError `option` for anything that is not part of the language.
 */
export async function parseExpression(text: string, names: readonly string[]): Promise<ParsedExpression> {
  if (text.length > MAX_LENGTH) {
    throw new CalibrantError(
      "option",
      `an expression may be ${MAX_LENGTH} characters long, got ${text.length}`,
      {
        length: text.length,
      },
    );
  }
  const reading: Reading = { text, names: new Set(names), used: new Set(), nodes: 0 };
  if (text.trim() === "") throw refusal(reading, "is empty");
  if (text.includes("#")) throw refusal(reading, "has a comment");
  const root = await parseText(reading);
  return { expression: read(reading, root, 0), names: [...reading.used] };
}

async function parseText(reading: Reading): Promise<MathNode> {
  const math = await loadMathjs();
  try {
    return math.parse(reading.text);
  } catch (error) {
    throw refusal(reading, `cannot be read: ${errorMessage(error)}`, { cause: error });
  }
}

/** An instance of our own: whoever reconfigures mathjs's shared one cannot change what an expression means. */
async function loadMathjs(): Promise<Pick<typeof import("mathjs"), "parse">> {
  // @ts-expect-error The single-file bundle starts in a tenth of the time of the package's modules, but has no types.
  const { default: math } = await import("mathjs/lib/browser/math.js");
  return (math as typeof import("mathjs")).create({} as never);
}

function read(reading: Reading, node: MathNode, depth: number): Expression {
  reading.nodes += 1;
  if (reading.nodes > MAX_NODES) throw refusal(reading, `has more than ${MAX_NODES} parts`);
  if (depth > MAX_DEPTH) throw refusal(reading, `is nested more than ${MAX_DEPTH} deep`);
  switch (node.type) {
    case "ConstantNode":
      return readNumber(reading, node as ConstantNode);
    case "SymbolNode":
      return readName(reading, (node as SymbolNode).name);
    case "ParenthesisNode":
      return read(reading, (node as ParenthesisNode).content, depth + 1);
    case "OperatorNode":
      return readOperator(reading, node as OperatorNode, depth);
    case "RelationalNode":
      return readChain(reading, node as RelationalNode, depth);
    case "ConditionalNode": {
      const { condition, trueExpr, falseExpr } = node as ConditionalNode;
      return call(
        "select",
        ...[condition, trueExpr, falseExpr].map((part) => read(reading, part, depth + 1)),
      );
    }
    case "FunctionNode":
      return readFunction(reading, node as FunctionNode, depth);
    default:
      throw refusal(
        reading,
        `may hold numbers, names, operators and functions only, not ${describe(node.type)}`,
      );
  }
}

function readNumber(reading: Reading, node: ConstantNode): Expression {
  const value: unknown = node.value;
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw refusal(reading, `has a constant that is no finite number, ${JSON.stringify(value) ?? "nothing"}`);
  }
  return { kind: "number", value };
}

function readName(reading: Reading, name: string): Expression {
  if (reading.names.has(name)) {
    reading.used.add(name);
    return { kind: "name", name };
  }
  const constant = EXPRESSION_CONSTANTS.get(name);
  if (constant === undefined) throw unknownWord(reading, "name", name, [...reading.names]);
  return { kind: "number", value: constant };
}

function readOperator(reading: Reading, node: OperatorNode, depth: number): Expression {
  const { fn, op, args, implicit, isPercentage } = node as OperatorNode & { readonly isPercentage: boolean };
  const kernel = EXPRESSION_OPERATORS.get(fn);
  if (implicit) throw refusal(reading, "needs an operator between two values; write * to multiply");
  if (isPercentage) throw refusal(reading, "has a percentage; write % only between two values");
  if (fn !== "unaryPlus" && kernel === undefined) {
    throw refusal(reading, `has an operator that is none of + - * / ^ % < <= > >= == != and or not, ${op}`);
  }
  if (!["and", "or", "not"].includes(fn)) refuseBareNot(reading, args);
  const operands = args.map((arg) => read(reading, arg, depth + 1));
  return kernel === undefined ? (operands[0] as Expression) : call(kernel, ...operands);
}

/** `not a > b` parses as `(not a) > b`, which nobody means. */
function refuseBareNot(reading: Reading, args: readonly MathNode[]): void {
  for (const arg of args) {
    if ((arg as { fn?: unknown }).fn === "not" && arg.type === "OperatorNode") {
      throw refusal(
        reading,
        "uses not on a part of a comparison or calculation; write not (…) around all of it",
      );
    }
  }
}

/** `a < b <= c` is `a < b and b <= c`. */
function readChain(reading: Reading, node: RelationalNode, depth: number): Expression {
  const { conditionals, params } = node as unknown as { conditionals: string[]; params: MathNode[] };
  refuseBareNot(reading, params);
  const pairs = conditionals.map((fn, index) => {
    const kernel = EXPRESSION_OPERATORS.get(fn);
    if (kernel === undefined)
      throw refusal(reading, `has a comparison that is none of < <= > >= == !=, ${fn}`);
    const sides = [params[index], params[index + 1]] as MathNode[];
    return call(kernel, ...sides.map((side) => read(reading, side, depth + 1)));
  });
  return pairs.reduce((all, pair) => call("and", all, pair));
}

function readFunction(reading: Reading, node: FunctionNode, depth: number): Expression {
  const name = node.fn.type === "SymbolNode" ? (node.fn as unknown as SymbolNode).name : "";
  const known = EXPRESSION_FUNCTIONS.get(name);
  if (known === undefined) {
    throw unknownWord(reading, "function", name || "a computed one", [...EXPRESSION_FUNCTIONS.keys()]);
  }
  const { least, most, kernel } = known;
  if (node.args.length < least || node.args.length > most) {
    const range = least === most ? `${least}` : `${least} to ${most}`;
    throw refusal(reading, `calls ${name}, which takes ${range} arguments, with ${node.args.length}`);
  }
  const args = node.args.map((arg) => read(reading, arg, depth + 1)) as [Expression, ...Expression[]];
  if (kernel === "clamp") {
    const [value, low, high] = args as [Expression, Expression, Expression];
    return call("min", call("max", value, low), high);
  }
  return kernel === "min" || kernel === "max"
    ? args.reduce((all, arg) => call(kernel, all, arg))
    : call(kernel, ...args);
}

function call(kernel: ExpressionKernelName, ...args: readonly Expression[]): Expression {
  return { kind: "call", kernel, args };
}

/** `FunctionAssignmentNode` in words: `a function assignment`. */
function describe(type: string): string {
  const words = type.replace(/Node$/, "").replace(/\B[A-Z]/g, (letter) => ` ${letter}`);
  return `${/^[AEIO]/.test(words) ? "an" : "a"} ${words.toLowerCase()}`;
}

function unknownWord(
  reading: Reading,
  what: "name" | "function",
  word: string,
  known: readonly string[],
): CalibrantError {
  const near = nearestName(word, known);
  const listed = known.slice(0, MAX_LISTED).join(", ");
  const rest = known.length > MAX_LISTED ? ` and ${known.length - MAX_LISTED} more` : "";
  const hint = near === null ? "" : `; did you mean ${near}?`;
  return refusal(
    reading,
    `has an unknown ${what}, ${word}${hint}; known: ${listed || "none"}${rest}`,
    {},
    { [what]: word },
  );
}

function refusal(
  reading: Reading,
  reason: string,
  options: { readonly cause?: unknown } = {},
  details: Readonly<Record<string, unknown>> = {},
): CalibrantError {
  const { text } = reading;
  const shown = (text.length > 100 ? `${text.slice(0, 99)}…` : text).replace(/\s+/g, " ");
  return new CalibrantError(
    "option",
    `the expression ${reason}; got ${shown}`,
    { expression: text, ...details },
    options,
  );
}
