/** Told of a member of an object: where its key and its value begin and end, quotes included. */
export type OnMember = (keyStart: number, keyEnd: number, valueStart: number, valueEnd: number) => void;

/**
 * Reads the JSON object (RFC 8259, nothing looser) that begins at `start`, of which the text after it is no concern.
 *
 * Objects inside it are not read again: reading a text's braces from the last to the first makes the whole text linear,
 * however deep it nests and however often it breaks off.
 *
 * @param start - the position of a `{`.
 * @param ends - (length of the text) what this function returned for every `{` behind `start`.
 * @param onMember - called for each member of the object itself, in order, also where the object turns out broken.
 * @returns the position after the object's `}`; 0 when no object begins there.
 */
export function readJsonObject(text: string, start: number, ends: Int32Array, onMember: OnMember): number {
  let at = afterSpace(text, start + 1);
  if (text.charCodeAt(at) === CLOSE_OBJECT) return at + 1;
  for (;;) {
    const keyEnd = stringEnd(text, at);
    if (keyEnd === 0) return 0;
    const colon = afterSpace(text, keyEnd);
    if (text.charCodeAt(colon) !== COLON) return 0;
    const value = afterSpace(text, colon + 1);
    const valueEnd =
      text.charCodeAt(value) === OPEN_ARRAY ? arrayEnd(text, value, ends) : plainEnd(text, value, ends);
    if (valueEnd === 0) return 0;
    onMember(at, keyEnd, value, valueEnd);
    at = afterSpace(text, valueEnd);
    if (text.charCodeAt(at) === CLOSE_OBJECT) return at + 1;
    if (text.charCodeAt(at) !== COMMA) return 0;
    at = afterSpace(text, at + 1);
  }
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const [MINUS, PLUS, DOT, ZERO, NINE] = [0x2d, 0x2b, 0x2e, 0x30, 0x39];

function afterSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

/** The end of an array, whatever its depth, without recursion; 0 when it is broken. */
function arrayEnd(text: string, start: number, ends: Int32Array): number {
  let depth = 0;
  let at = start;
  for (;;) {
    if (text.charCodeAt(at) === OPEN_ARRAY) {
      depth += 1;
      at = afterSpace(text, at + 1);
      if (text.charCodeAt(at) !== CLOSE_ARRAY) continue;
    } else {
      const end = plainEnd(text, at, ends);
      if (end === 0) return 0;
      at = afterSpace(text, end);
    }
    while (text.charCodeAt(at) === CLOSE_ARRAY) {
      depth -= 1;
      if (depth === 0) return at + 1;
      at = afterSpace(text, at + 1);
    }
    if (text.charCodeAt(at) !== COMMA) return 0;
    at = afterSpace(text, at + 1);
  }
}

/** The end of a value that is no array; 0 when there is none. */
function plainEnd(text: string, at: number, ends: Int32Array): number {
  const code = text.charCodeAt(at);
  if (code === QUOTE) return stringEnd(text, at);
  if (code === OPEN_OBJECT) return ends[at] as number;
  for (const word of ["true", "false", "null"]) if (text.startsWith(word, at)) return at + word.length;
  return numberEnd(text, at);
}

function stringEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== QUOTE) return 0;
  for (let i = at + 1; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i + 1;
    if (code < 0x20) return 0;
    if (code !== BACKSLASH) continue;
    i += 1;
    const escaped = text[i] ?? "";
    if (escaped === "u" && /^[0-9a-fA-F]{4}$/.test(text.slice(i + 1, i + 5))) i += 4;
    else if (!'"\\/bfnrt'.includes(escaped)) return 0;
  }
  return 0;
}

function numberEnd(text: string, start: number): number {
  const first = text.charCodeAt(start) === MINUS ? start + 1 : start;
  let end = digitsEnd(text, first);
  if (end === first || (text.charCodeAt(first) === ZERO && end > first + 1)) return 0;
  if (text.charCodeAt(end) === DOT) {
    const fraction = end + 1;
    end = digitsEnd(text, fraction);
    if (end === fraction) return 0;
  }
  if (!/[eE]/.test(text[end] ?? "")) return end;
  const sign = text.charCodeAt(end + 1);
  const exponent = end + (sign === MINUS || sign === PLUS ? 2 : 1);
  end = digitsEnd(text, exponent);
  return end === exponent ? 0 : end;
}

function digitsEnd(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) >= ZERO && text.charCodeAt(at) <= NINE) at += 1;
  return at;
}
