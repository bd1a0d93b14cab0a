import { pythonFloatText } from "./python-float.ts";
import { isPythonObject, type PythonJson } from "./python-json.ts";

/** A JSON value as Python's `str` shows it: text as it is, `None`, `True`, `1.0`, `nan`, `['a', {'b': 1}]`. */
export function pythonStr(value: PythonJson): string {
  return typeof value === "string" ? value : pythonRepr(value);
}

/** Whether Python takes the value for false: null, false, 0, 0.0, and empty text, list or object. */
export function isPythonFalse(value: PythonJson): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isPythonObject(value)) return value.size === 0;
  return !value && !Number.isNaN(value);
}

function pythonRepr(value: PythonJson): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return pythonFloatText(value);
  if (typeof value === "string") return textRepr(value);
  if (!isPythonObject(value)) return `[${value.map(pythonRepr).join(", ")}]`;
  return `{${[...value].map(([key, item]) => `${textRepr(key)}: ${pythonRepr(item)}`).join(", ")}}`;
}

/** Every character that Python's repr escapes: those of no shape, and every space but U+0020. */
const ESCAPED = /[\\\p{C}\p{Z}]/gu;

const NAMED: ReadonlyMap<string, string> = new Map([
  [" ", " "],
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function textRepr(text: string): string {
  const escaped = text.replace(ESCAPED, (character) => NAMED.get(character) ?? hexEscape(character));
  if (!text.includes("'")) return `'${escaped}'`;
  return text.includes('"') ? `'${escaped.replaceAll("'", "\\'")}'` : `"${escaped}"`;
}

function hexEscape(character: string): string {
  const code = character.codePointAt(0) as number;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}
