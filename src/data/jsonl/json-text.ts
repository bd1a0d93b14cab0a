/**
 * Compact JSON text of parsed JSON: keys in their order, BigInt as its digits, and NaN, Infinity and -Infinity as the
 * strings `"NaN"`, `"Infinity"` and `"-Infinity"` (`JSON.stringify` would write null). `undefined` is null; undefined
 * properties are left out. Nesting may be of any depth.
 */
export function jsonText(value: unknown): string {
  if (!isPlain(value)) return exactText(value);
  try {
    return JSON.stringify(value) ?? "null";
  } catch (error) {
    if (error instanceof RangeError) return exactText(value);
    throw error;
  }
}

/** Whether `JSON.stringify` writes the value without loss: no BigInt and no non-finite number at any depth. */
function isPlain(root: unknown): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "bigint") return false;
    if (typeof value === "number" && !Number.isFinite(value)) return false;
    if (value !== null && typeof value === "object") {
      for (const inner of Array.isArray(value) ? value : Object.values(value)) open.push(inner);
    }
  }
  return true;
}

/** Text that is ready, or a value still to be written. */
type Piece = { readonly text: string } | { readonly value: unknown };

function exactText(root: unknown): string {
  const parts: string[] = [];
  const open: Piece[] = [{ value: root }];
  for (let piece = open.pop(); piece !== undefined; piece = open.pop()) {
    if ("text" in piece) parts.push(piece.text);
    else if (piece.value === null || typeof piece.value !== "object") parts.push(scalarText(piece.value));
    else for (const inner of containerPieces(piece.value).reverse()) open.push(inner);
  }
  return parts.join("");
}

function containerPieces(container: object): Piece[] {
  const pieces: Piece[] = [];
  if (Array.isArray(container)) {
    for (const value of container) pieces.push({ text: pieces.length === 0 ? "[" : "," }, { value });
    return pieces.length === 0 ? [{ text: "[]" }] : [...pieces, { text: "]" }];
  }
  for (const [key, value] of Object.entries(container)) {
    if (value === undefined) continue;
    pieces.push({ text: `${pieces.length === 0 ? "{" : ","}${JSON.stringify(key)}:` }, { value });
  }
  return pieces.length === 0 ? [{ text: "{}" }] : [...pieces, { text: "}" }];
}

function scalarText(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number" && !Number.isFinite(value)) return `"${value}"`;
  return JSON.stringify(value) ?? "null";
}
