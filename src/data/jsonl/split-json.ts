import { CalibrantError } from "../../errors.ts";
import { withoutBom } from "./without-bom.ts";

/** The text of one element of a JSON array, or of one of the objects that follow each other in a file. */
export interface JsonPiece {
  readonly bytes: Uint8Array;
  /** `FILE: element 3` of an array (from 0), else `FILE:LINE` where the object begins (from 1). */
  readonly place: string;
}

/** Options of `splitJson`. */
export interface JsonPieceOptions {
  /** Most bytes of one element or object. Default 512,000,000, what a JavaScript string can still hold. */
  readonly maxBytes?: number;
}

const NEWLINE = 10;
const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const ARRAY_OPEN = 91;
const ARRAY_CLOSE = 93;
const OBJECT_OPEN = 123;
const OBJECT_CLOSE = 125;

/**
 * Cuts a byte stream of JSON into the elements of its one array or the objects that follow each other, by brackets and
 * quotes alone: whether a piece is valid JSON is for its parser to say.
 *
 * @throws CalibrantError `data` when there is no piece, the text ends within one, something else stands between pieces,
 * or a piece is larger than `maxBytes`.
 */
export async function* splitJson(
  source: AsyncIterable<Uint8Array>,
  name: string,
  options: JsonPieceOptions = {},
): AsyncGenerator<JsonPiece> {
  const splitter = new JsonSplitter(name, options.maxBytes ?? 512_000_000);
  for await (const bytes of withoutBom(source)) yield* splitter.add(bytes);
  splitter.end();
}

/** What may come next between pieces, and how an error says so. */
const EXPECTED = {
  start: "expected a JSON array or object",
  object: "expected another object or the end",
  "value or end": "expected a value or the end of the array",
  value: "expected a value",
  separator: "expected a comma or the end of the array",
  nothing: "expected nothing after the array",
} as const;

class JsonSplitter {
  private readonly name: string;
  private readonly maxBytes: number;
  private expected: keyof typeof EXPECTED = "start";
  private isArray = false;
  private count = 0;
  private line = 1;
  private pieceLine = 1;
  private inPiece = false;
  private inString = false;
  private escaped = false;
  private depth = 0;
  private parts: Uint8Array[] = [];
  private held = 0;

  constructor(name: string, maxBytes: number) {
    this.name = name;
    this.maxBytes = maxBytes;
  }

  *add(bytes: Uint8Array): Generator<JsonPiece> {
    let at = 0;
    for (;;) {
      if (!this.inPiece) at = this.pieceStart(bytes, at);
      if (!this.inPiece) return;
      const end = this.pieceEnd(bytes, at);
      if (end < 0) {
        // The source may use its buffer again, so what is held over is a copy.
        this.keep(bytes.slice(at));
        return;
      }
      yield this.finish(bytes.subarray(at, end));
      at = end;
    }
  }

  end(): void {
    if (this.inPiece)
      throw this.error("the file ends inside this object: it is cut short, or misses a closing mark");
    if (this.count === 0 && (!this.isArray || this.expected === "nothing")) {
      throw new CalibrantError("data", `${this.name} is empty`, { name: this.name });
    }
    if (this.isArray && this.expected !== "nothing") {
      throw new CalibrantError("data", `${this.name}: the file is cut short: its array is not closed`, {
        name: this.name,
      });
    }
  }

  /** Goes over what stands between pieces; the position where a piece begins, with `inPiece` set, or the length. */
  private pieceStart(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (byte === NEWLINE) this.line += 1;
      else if (byte !== 32 && byte !== 9 && byte !== 13 && this.begins(byte)) return at;
    }
    return bytes.length;
  }

  /** Takes a visible byte between pieces; true when a piece begins with it. */
  private begins(byte: number): boolean {
    const { expected } = this;
    const mayEnd = expected === "separator" || expected === "value or end";
    const wants =
      expected === "start" || expected === "object" ? byte === OBJECT_OPEN : expected.startsWith("value");
    if (expected === "start" && byte === ARRAY_OPEN) {
      this.isArray = true;
      this.expected = "value or end";
    } else if (expected === "separator" && byte === COMMA) this.expected = "value";
    else if (mayEnd && byte === ARRAY_CLOSE) this.expected = "nothing";
    else if (!wants || byte === COMMA || byte === ARRAY_CLOSE) {
      throw this.error(`${EXPECTED[expected]}, found ${JSON.stringify(String.fromCharCode(byte))}`);
    } else {
      this.inPiece = true;
      this.pieceLine = this.line;
    }
    return this.inPiece;
  }

  /** The position after the piece that the bytes from `from` belong to; -1 when they end within it. */
  private pieceEnd(bytes: Uint8Array, from: number): number {
    let { depth, line } = this;
    let at = from;
    let end = -1;
    while (end < 0 && at < bytes.length) {
      if (this.inString) {
        at = this.stringEnd(bytes, at);
        continue;
      }
      const byte = bytes[at] as number;
      at += 1;
      if (byte === QUOTE) this.inString = true;
      else if (byte === NEWLINE) line += 1;
      else if (byte === OBJECT_OPEN || byte === ARRAY_OPEN) depth += 1;
      else if (depth > 0 && (byte === OBJECT_CLOSE || byte === ARRAY_CLOSE)) {
        depth -= 1;
        if (depth === 0 && !this.isArray) end = at;
      } else if (depth === 0 && (byte === COMMA || byte === ARRAY_CLOSE)) end = at - 1;
    }
    this.depth = depth;
    this.line = line;
    return end;
  }

  /** The position after the string that the bytes from `from` are inside of, or the length when it goes on. */
  private stringEnd(bytes: Uint8Array, from: number): number {
    const first = this.escaped ? from + 1 : from;
    this.escaped = false;
    for (let search = first; ; ) {
      const quote = bytes.indexOf(QUOTE, search);
      const end = quote < 0 ? bytes.length : quote;
      let slashes = 0;
      while (end - slashes > first && bytes[end - 1 - slashes] === BACKSLASH) slashes += 1;
      const escapes = slashes % 2 === 1;
      if (quote < 0) {
        this.escaped = escapes;
        return end;
      }
      search = quote + 1;
      if (escapes) continue;
      this.inString = false;
      return search;
    }
  }

  private finish(bytes: Uint8Array): JsonPiece {
    this.keep(bytes);
    const piece = { bytes: this.parts.length === 1 ? bytes : Buffer.concat(this.parts), place: this.place() };
    this.parts = [];
    this.held = 0;
    this.count += 1;
    this.inPiece = false;
    this.expected = this.isArray ? "separator" : "object";
    return piece;
  }

  private keep(bytes: Uint8Array): void {
    this.held += bytes.length;
    if (this.held > this.maxBytes) {
      throw this.error(
        `one object may hold ${this.maxBytes} bytes at most; write its records as JSON Lines, one a line`,
      );
    }
    this.parts.push(bytes);
  }

  private place(): string {
    if (this.isArray) return `${this.name}: element ${this.count}`;
    return `${this.name}:${this.inPiece ? this.pieceLine : this.line}`;
  }

  private error(problem: string): CalibrantError {
    return new CalibrantError("data", `${this.place()}: ${problem}`, { name: this.name });
  }
}
