/** A container whose elements are being written. `keys` is null for an array. */
interface Open {
  readonly container: unknown;
  readonly keys: readonly string[] | null;
  readonly length: number;
  index: number;
}

/**
 * One text for all JSON spellings of a value: keys sorted by code point, no whitespace, numbers by value (1 and
 * 1.0 alike, -0 as 0, every digit of an integer however large, bigint or number), array order kept.
 * NaN and the infinities, which Python writes into JSON, keep their names; an undefined property is left out and
 * any other undefined is null. Nesting may be of any depth.
 *
 * @param value - JSON-like data: what a JSON parser returns, with bigint for large integers.
 *
 * @example
 * ```ts
 * import { canonicalJson } from "calibrant/data";
 * console.log(canonicalJson({ b: [1.0, "x"], a: null })); // {"a":null,"b":[1,"x"]}
 * ```
 */
export function canonicalJson(value: unknown): string {
  const open: Open[] = [];
  let text = "";
  let next = value;
  for (;;) {
    if (next !== null && typeof next === "object") {
      open.push(openContainer(next));
      text += Array.isArray(next) ? "[" : "{";
    } else {
      text += scalarText(next);
    }
    let top = open[open.length - 1];
    while (top !== undefined && top.index === top.length) {
      text += top.keys === null ? "]" : "}";
      open.pop();
      top = open[open.length - 1];
    }
    if (top === undefined) return text;
    if (top.index > 0) text += ",";
    if (top.keys === null) {
      next = (top.container as readonly unknown[])[top.index];
    } else {
      const key = top.keys[top.index] as string;
      text += `${JSON.stringify(key)}:`;
      next = (top.container as Readonly<Record<string, unknown>>)[key];
    }
    top.index += 1;
  }
}

function openContainer(container: object): Open {
  if (Array.isArray(container)) return { container, keys: null, length: container.length, index: 0 };
  const fields = container as Readonly<Record<string, unknown>>;
  const keys = Object.keys(fields).filter((key) => fields[key] !== undefined);
  if (keys.length > 1) keys.sort(compareCodePoints);
  return { container, keys, length: keys.length, index: 0 };
}

function scalarText(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    return Math.abs(value) >= 1e21 && Number.isFinite(value) ? BigInt(value).toString() : String(value);
  }
  return value === undefined ? "null" : String(value);
}

/** Order by code point, as Python sorts; JavaScript's own order is by UTF-16 unit, which puts U+10000 before U+E000. */
export function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i += 1) {
    if (a.charCodeAt(i) !== b.charCodeAt(i)) {
      // Two characters may differ in their second unit only; a lone surrogate has none.
      const start = i > 0 && isHighSurrogate(a.charCodeAt(i - 1)) ? i - 1 : i;
      const order = (a.codePointAt(start) as number) - (b.codePointAt(start) as number);
      return order || (a.codePointAt(i) as number) - (b.codePointAt(i) as number);
    }
  }
  return a.length - b.length;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
