import { InvalidArgumentError } from "commander";

/** A parser of an option's value as a number in [min, max]. */
export function numberBetween(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !(value >= min && value <= max)) {
      throw new InvalidArgumentError(`expected a number from ${min} to ${max}.`);
    }
    return value;
  };
}

/** A parser of an option's value as an integer in [min, max]. */
export function integerBetween(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || text.trim() === "" || value < min || value > max) {
      throw new InvalidArgumentError(`expected an integer from ${min} to ${max}.`);
    }
    return value;
  };
}

/** Gathers the values of an option that may be given several times. */
export function gather(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

/** `a=b` as a column and its value, which may hold `=` itself. */
export function parsePair(text: string): { readonly column: string; readonly value: string } {
  const at = text.indexOf("=");
  const column = text.slice(0, Math.max(at, 0)).trim();
  if (column === "") throw new InvalidArgumentError(`expected column=value, got ${text}.`);
  return { column, value: text.slice(at + 1) };
}

/** `a=b,c=d` as a map; used by `--columns needed=present`. */
export function parsePairs(text: string): ReadonlyMap<string, string> {
  const pairs = text.split(",").map((pair): [string, string] => {
    const at = pair.indexOf("=");
    const name = pair.slice(0, Math.max(at, 0)).trim();
    if (name === "")
      throw new InvalidArgumentError(`expected name=value pairs separated by commas, got ${pair}.`);
    return [name, pair.slice(at + 1).trim()];
  });
  const named = new Map(pairs);
  if (named.size < pairs.length) throw new InvalidArgumentError(`expected each name once, got ${text}.`);
  return named;
}

/** `format=1,answer=0.5` as numbers under the allowed names. */
export function parseWeights(allowed: readonly string[]): (text: string) => Record<string, number> {
  return (text) => {
    const weights: Record<string, number> = {};
    for (const [name, value] of parsePairs(text)) {
      const weight = Number(value);
      if (!allowed.includes(name) || value === "" || !Number.isFinite(weight)) {
        throw new InvalidArgumentError(`expected numbers for ${allowed.join(", ")}, got ${name}=${value}.`);
      }
      weights[name] = weight;
    }
    return weights;
  };
}

/** A comma-separated list of numbers. */
export function parseNumbers(text: string): number[] {
  return text.split(",").map((piece) => {
    const value = Number(piece);
    if (piece.trim() === "" || Number.isNaN(value))
      throw new InvalidArgumentError(`expected numbers separated by commas, got ${piece}.`);
    return value;
  });
}

/** A number; the library says which ones are legal. */
export function anyNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || Number.isNaN(value))
    throw new InvalidArgumentError(`expected a number, got ${text}.`);
  return value;
}

/** Names separated by commas, added to those of the same option before. */
export function gatherNames(text: string, previous: readonly string[] | undefined): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.includes("")) throw new InvalidArgumentError(`expected names separated by commas, got ${text}.`);
  return [...(previous ?? []), ...names];
}
