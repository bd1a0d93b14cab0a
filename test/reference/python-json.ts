import { floatText } from "./python-text.ts";

/** A value of Python's JSON dialect: `bigint` is an int, `number` a float, a `Map` keeps each key's last value. */
export type PythonJson = null | boolean | string | bigint | number | PythonJson[] | Map<string, PythonJson>;

/** Python's `json.loads(text)`; undefined where Python raises. */
export function parsePythonJson(text: string): PythonJson | undefined {
  try {
    const reader = new Reader(text);
    reader.skipSpace();
    const value = reader.value();
    reader.skipSpace();
    return reader.atEnd() ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const CONSTANTS: readonly (readonly [string, PythonJson])[] = [
  ["null", null],
  ["true", true],
  ["false", false],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
];

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

class Reader {
  readonly text: string;
  at: number;

  constructor(text: string) {
    this.text = text;
    this.at = 0;
  }

  atEnd(): boolean {
    return this.at === this.text.length;
  }

  skipSpace(): void {
    while (!this.atEnd() && " \t\n\r".includes(this.text.charAt(this.at))) this.at++;
  }

  takes(expected: string): boolean {
    if (!this.text.startsWith(expected, this.at)) return false;
    this.at += expected.length;
    return true;
  }

  needs(expected: string): void {
    if (!this.takes(expected)) throw new SyntaxError(`no ${expected} at ${this.at}`);
  }

  value(): PythonJson {
    if (this.takes('"')) return this.stringRest();
    if (this.takes("{")) return this.objectRest();
    if (this.takes("[")) return this.listRest();
    for (const [name, constant] of CONSTANTS) if (this.takes(name)) return constant;
    return this.number();
  }

  number(): bigint | number {
    const match = /^(-?(?:0|[1-9][0-9]*))((?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)/.exec(this.text.slice(this.at));
    if (match === null) throw new SyntaxError(`no value at ${this.at}`);
    const [whole, integer = "", rest = ""] = match;
    this.at += whole.length;
    return rest === "" ? BigInt(integer) : Number(whole);
  }

  stringRest(): string {
    let result = "";
    while (!this.takes('"')) {
      if (this.atEnd()) throw new SyntaxError("open string");
      const character = this.text.charAt(this.at++);
      if (character < " ") throw new SyntaxError("control character in a string");
      result += character === "\\" ? this.escape() : character;
    }
    return result;
  }

  escape(): string {
    const letter = this.text.charAt(this.at++);
    if (letter === "u") {
      const digits = this.text.slice(this.at, this.at + 4);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new SyntaxError("bad \\u escape");
      this.at += 4;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const plain = SIMPLE_ESCAPES[letter];
    if (plain === undefined) throw new SyntaxError("bad escape");
    return plain;
  }

  objectRest(): Map<string, PythonJson> {
    const result = new Map<string, PythonJson>();
    this.skipSpace();
    if (this.takes("}")) return result;
    do {
      this.skipSpace();
      this.needs('"');
      const key = this.stringRest();
      this.skipSpace();
      this.needs(":");
      this.skipSpace();
      result.set(key, this.value());
      this.skipSpace();
    } while (this.takes(","));
    this.needs("}");
    return result;
  }

  listRest(): PythonJson[] {
    const result: PythonJson[] = [];
    this.skipSpace();
    if (this.takes("]")) return result;
    do {
      this.skipSpace();
      result.push(this.value());
      this.skipSpace();
    } while (this.takes(","));
    this.needs("]");
    return result;
  }
}

/** Python's `json.dumps(value, ensure_ascii=False, sort_keys=True)`. */
export function pythonJsonText(value: PythonJson): string {
  if (value === null) return "null";
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? floatText(value) : String(value);
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(pythonJsonText).join(", ")}]`;
  const entries = [...value].sort(([left], [right]) => compareCodePoints(left, right));
  return `{${entries.map(([key, inner]) => `${quoted(key)}: ${pythonJsonText(inner)}`).join(", ")}}`;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function quoted(text: string): string {
  let result = "";
  for (const character of text) {
    const short = SHORT_ESCAPES[character];
    if (short !== undefined) result += short;
    else if (character < " ") result += `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
    else result += character;
  }
  return `"${result}"`;
}

function compareCodePoints(left: string, right: string): number {
  const a = [...left].map((character) => character.codePointAt(0) as number);
  const b = [...right].map((character) => character.codePointAt(0) as number);
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = (a[index] as number) - (b[index] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
