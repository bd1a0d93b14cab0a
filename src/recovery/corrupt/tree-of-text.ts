import { parseJsonLine } from "../../data/jsonl/parse-json-line.ts";
import { ARRAY, type JsonEdit, type JsonTree, NUMBER, OBJECT, OTHER, STRING } from "./json-tree.ts";

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** The lists of a tree, longer than it, and where each node's token begins and ends. */
interface Scan {
  readonly kinds: Uint8Array;
  readonly parents: Int32Array;
  readonly ends: Int32Array;
  readonly starts: Int32Array;
  readonly stops: Int32Array;
  /** As long as the tree. */
  readonly keys: (string | null)[];
}

/**
 * The tree of a text that holds a JSON object or array (Python's bare NaN and infinities too); null for any other text. Edits replace tokens where they stand: every other character of the text stays as it is.
 *
 * @param numbers - also reads one number with a decimal point; an integer alone may be an identifier.
 */
export function treeOfText(text: string, numbers: boolean): JsonTree | null {
  if (!/^[ \t\r\n]*[{[]/.test(text) && !(numbers && /^-?\d+\.\d+\s*$/.test(text))) return null;
  if (!isValid(text)) return null;
  const scan = scanned(text);
  const { kinds, parents, ends, keys, starts, stops } = scan;
  const tokenOf = (node: number): string => text.slice(starts[node], stops[node]);
  return {
    kinds: kinds.subarray(0, keys.length),
    parents,
    ends,
    keys,
    hidden: hiddenMembers(scan),
    scalar: (node) => (kinds[node] === STRING ? stringOf(tokenOf(node)) : tokenOf(node)),
    value: (node) => parsed(tokenOf(node)),
    valueOf: (_, token) => parsed(token),
    edited: (edits) => spliced(text, edits, scan),
  };
}

function isValid(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return /NaN|Infinity/.test(text) && isPythonJson(text);
  }
}

function isPythonJson(text: string): boolean {
  try {
    parseJsonLine(text);
    return true;
  } catch {
    return false;
  }
}

/** The nodes of a text that is known to be valid. */
function scanned(text: string): Scan {
  const scan = emptyScan(text.length);
  const { kinds, parents, ends, keys, starts, stops } = scan;
  let parent = -1;
  let key: string | null = null;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === COMMA || code === COLON) {
      at += 1;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      at += 1;
      stops[parent] = at;
      ends[parent] = keys.length;
      parent = parents[parent] as number;
    } else {
      const stop = tokenEnd(text, at, code);
      if (code === QUOTE && key === null && kinds[parent] === OBJECT) {
        key = stringOf(text.slice(at, stop));
      } else {
        const node = keys.push(key) - 1;
        kinds[node] = kindOf(code, text, at);
        parents[node] = parent;
        ends[node] = node + 1;
        starts[node] = at;
        stops[node] = stop;
        key = null;
        if (code === OPEN_BRACE || code === OPEN_BRACKET) parent = node;
      }
      at = stop;
    }
  }
  return scan;
}

/** Two characters and more make a node: `1,` or `[]`. */
function emptyScan(characters: number): Scan {
  const room = (characters >> 1) + 1;
  return {
    kinds: new Uint8Array(room),
    parents: new Int32Array(room),
    ends: new Int32Array(room),
    starts: new Int32Array(room),
    stops: new Int32Array(room),
    keys: [],
  };
}

function kindOf(code: number, text: string, at: number): number {
  if (code === OPEN_BRACE) return OBJECT;
  if (code === OPEN_BRACKET) return ARRAY;
  if (code === QUOTE) return STRING;
  const digit = code === 45 ? text.charCodeAt(at + 1) : code;
  return digit >= 48 && digit <= 57 ? NUMBER : OTHER;
}

/** Where a token ends; an opening brace or bracket is a token of its own. */
function tokenEnd(text: string, start: number, first: number): number {
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return start + 1;
  let at = start + 1;
  if (first === QUOTE) {
    for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at))
      at += code === BACKSLASH ? 2 : 1;
    return at + 1;
  }
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET) break;
  }
  return at;
}

function stringOf(token: string): string {
  return token.includes("\\") ? (JSON.parse(token) as string) : token.slice(1, -1);
}

function parsed(token: string): unknown {
  return parseJsonLine(token, { exactIntegers: true }).value;
}

/** Every parser keeps the last of several members with one key: a change of an earlier one would not be seen. */
function hiddenMembers(scan: Scan): Uint8Array | null {
  const { kinds, ends, keys } = scan;
  let hidden: Uint8Array | null = null;
  for (let node = 0; node < keys.length; node += 1) {
    if (kinds[node] !== OBJECT || !hasTwice(scan, node)) continue;
    hidden ??= new Uint8Array(keys.length);
    const end = ends[node] as number;
    const seen = new Map<string, number>();
    for (let member = node + 1; member < end; member = ends[member] as number) {
      const key = keys[member] as string;
      const earlier = seen.get(key);
      if (earlier !== undefined) hidden.fill(1, earlier, ends[earlier]);
      seen.set(key, member);
    }
  }
  return hidden;
}

/** Whether an object holds a key twice. */
function hasTwice({ ends, keys }: Scan, node: number): boolean {
  const end = ends[node] as number;
  const names: string[] = [];
  for (let member = node + 1; member < end; member = ends[member] as number)
    names.push(keys[member] as string);
  // A set costs more than a look at the few keys of an ordinary object.
  return names.length > 12
    ? new Set(names).size < names.length
    : names.some((name, i) => names.indexOf(name) < i);
}

function spliced(text: string, edits: readonly JsonEdit[], scan: Scan): string {
  let result = "";
  let at = 0;
  for (const { node, token } of edits) {
    result += text.slice(at, scan.starts[node]) + token;
    at = scan.stops[node] as number;
  }
  return result + text.slice(at);
}
