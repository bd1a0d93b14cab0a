import type { CorruptionRules } from "./corruption-rules.ts";
import { selectFields, withMembers } from "./field-selector.ts";
import { fieldWords } from "./field-words.ts";
import { type JsonTree, NUMBER, OBJECT, STRING } from "./json-tree.ts";
import { looksLikeCode, looksLikeId, looksLikeListedId } from "./looks-like-id.ts";
import { CODED, CRITICAL, IDENTIFIER, IDENTIFIER_TREE, nameTraits, PAST, wordTraits } from "./name-traits.ts";
import { remembered } from "./remembered.ts";

/** An integer of so many digits under a name that says nothing is an id or a moment. */
const ID_DIGITS = 9;

/** What is known about each node of a tree, (n) entries each. */
export interface FieldMarks {
  /** Bits of {@link nameTraits}; the elements of an array have those of the array. */
  readonly traits: Uint8Array;
  /** 1 where decisions hang on the field: by its name, or below a declared one. 2 where it is declared itself. */
  readonly critical: Uint8Array;
  /** 1 where the node is an identifier, a code or protected. */
  readonly protected: Uint8Array;
  /** 1 where the node, anything below it, or a key in it is protected. */
  readonly holdsProtected: Uint8Array;
  /** The words of a key, {@link fieldWords}. */
  wordsOf(key: string): readonly string[];
}

/** Reads names and values of a whole tree. */
export function markFields(tree: JsonTree, rules: CorruptionRules): FieldMarks {
  const wordsOf = remembered(fieldWords);
  const traits = traitsOf(tree);
  const guarded = withMembers(tree, selectFields(tree, rules.protectedFields ?? [], wordsOf));
  const critical = criticalOf(tree, traits, rules, wordsOf);
  for (let node = 0; node < guarded.length; node += 1) {
    if (isIdentifier(tree, traits, critical, node)) guarded[node] = 1;
  }
  guardNeighbours(tree, guarded);
  return { traits, critical, protected: guarded, holdsProtected: holders(tree, guarded), wordsOf };
}

function criticalOf(
  tree: JsonTree,
  traits: Uint8Array,
  rules: CorruptionRules,
  wordsOf: (key: string) => readonly string[],
): Uint8Array {
  if (rules.criticalFields === undefined) return traits.map((bits) => (bits & CRITICAL ? 1 : 0));
  const selected = selectFields(tree, rules.criticalFields, wordsOf);
  return withMembers(tree, selected.slice()).map((mark, node) => mark + (selected[node] as number));
}

function traitsOf(tree: JsonTree): Uint8Array {
  const traits = new Uint8Array(tree.kinds.length);
  const traitsOfWord = remembered(wordTraits);
  const traitsOfName = remembered((key) =>
    looksLikeId(key) ? 0 : nameTraits(fieldWords(key), traitsOfWord),
  );
  for (let node = 1; node < traits.length; node += 1) {
    const key = tree.keys[node];
    const parent = traits[tree.parents[node] as number] as number;
    if (key === null || key === undefined) traits[node] = parent;
    else
      traits[node] =
        traitsOfName(key) | (parent & PAST) | (parent & IDENTIFIER_TREE ? IDENTIFIER_TREE | IDENTIFIER : 0);
  }
  return traits;
}

function isIdentifier(tree: JsonTree, traits: Uint8Array, critical: Uint8Array, node: number): boolean {
  const bits = traits[node] as number;
  const kind = tree.kinds[node];
  if (bits & IDENTIFIER) return kind !== OBJECT || tree.keys[node] !== null || (bits & IDENTIFIER_TREE) !== 0;
  if (kind === STRING) {
    const text = tree.scalar(node);
    if (looksLikeId(text) || ((bits & CODED) !== 0 && looksLikeCode(text))) return true;
    return tree.keys[node] === null && node > 0 && looksLikeListedId(text);
  }
  if (kind === NUMBER) return critical[node] === 0 && isLongInteger(tree.scalar(node));
  return false;
}

/** A text in an array with an identifier is one too, whatever it looks like. */
function guardNeighbours(tree: JsonTree, guarded: Uint8Array): void {
  const arrays = new Uint8Array(guarded.length);
  const isListed = (node: number): boolean => tree.keys[node] === null && tree.kinds[node] === STRING;
  for (let node = 1; node < guarded.length; node += 1) {
    if (guarded[node] === 1 && isListed(node)) arrays[tree.parents[node] as number] = 1;
  }
  for (let node = 1; node < guarded.length; node += 1) {
    if (arrays[tree.parents[node] as number] === 1 && isListed(node)) guarded[node] = 1;
  }
}

function isLongInteger(spelling: string): boolean {
  return spelling.length >= ID_DIGITS && /^-?\d+$/.test(spelling);
}

/** Objects by id: `{ "paypal_5727330": … }`; or by code, when all keys are codes. */
function hasIdKeys(tree: JsonTree, node: number): boolean {
  const end = tree.ends[node] as number;
  let codes = end > node + 1;
  for (let member = node + 1; member < end; member = tree.ends[member] as number) {
    const key = tree.keys[member] as string;
    if (looksLikeId(key)) return true;
    codes &&= looksLikeCode(key) && key.length === 3;
  }
  return codes;
}

function holders(tree: JsonTree, guarded: Uint8Array): Uint8Array {
  const holds = guarded.slice();
  for (let node = holds.length - 1; node >= 0; node -= 1) {
    if (tree.kinds[node] === OBJECT && hasIdKeys(tree, node)) holds[node] = 1;
    if (node > 0 && holds[node] === 1) holds[tree.parents[node] as number] = 1;
  }
  return holds;
}
