/**
 * F1 over the words of two texts as the released code counts them: tokens are maximal runs of ASCII letters, digits and
 * `_` in the lower-cased text, so that `café` is `caf`; with precision p and recall r of their multiset overlap it is
 * 2pr / (p + r), in that order of operations. 0 when a side has no token. The paper variant's `tokenF1` counts words of
 * all scripts.
 */
export function releasedF1(a: string, b: string): number {
  return tokensF1(releasedTokens(a), releasedTokens(b));
}

/** {@link releasedF1} of texts whose tokens are known. */
export function tokensF1(left: ReleasedTokens, right: ReleasedTokens): number {
  const isShort = left.ends.length <= FEW && right.ends.length <= FEW;
  const overlap = isShort ? countFew(left, right) : countOverlap(left, right);
  if (overlap === 0) return 0;
  const precision = overlap / left.ends.length;
  const recall = overlap / right.ends.length;
  return (2 * precision * recall) / (precision + recall);
}

/** The tokens of a text where they stand, which saves a string each: token i is `text[starts[i] … ends[i])`. */
export interface ReleasedTokens {
  /** Lower-cased. */
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly hashes: readonly number[];
}

const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The tokens of a text; a reference that is compared often is worth reading once. */
export function releasedTokens(text: string): ReleasedTokens {
  return lowerTokens(text.toLowerCase());
}

/** {@link releasedTokens} of a text that is lower-cased already. */
export function lowerTokens(text: string): ReleasedTokens {
  const starts: number[] = [];
  const ends: number[] = [];
  const hashes: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (!isTokenUnit(text.charCodeAt(at))) continue;
    starts.push(at);
    let hash = FNV_BASIS;
    for (; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (!isTokenUnit(unit)) break;
      hash = Math.imul(hash ^ unit, FNV_PRIME);
    }
    ends.push(at);
    hashes.push(hash ^ (hash >>> 15));
  }
  return { text, starts, ends, hashes };
}

function isTokenUnit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || unit === 0x5f;
}

/** Up to so many tokens, which are the bits of a number, comparing each with each costs less than a table. */
const FEW = 31;

function countFew(left: ReleasedTokens, right: ReleasedTokens): number {
  let taken = 0;
  let overlap = 0;
  for (let l = 0; l < left.ends.length; l += 1) {
    for (let r = 0; r < right.ends.length; r += 1) {
      if ((taken & (1 << r)) !== 0 || !isSameToken(left, l, right, r)) continue;
      taken |= 1 << r;
      overlap += 1;
      break;
    }
  }
  return overlap;
}

/** Counts the left tokens in an open hash table, then takes the right ones out of it. */
function countOverlap(left: ReleasedTokens, right: ReleasedTokens): number {
  const size = 2 ** Math.ceil(Math.log2(2 * left.ends.length + 2));
  const owners = new Int32Array(size).fill(-1);
  const counts = new Int32Array(size);
  for (let i = 0; i < left.ends.length; i += 1) {
    const slot = slotOf(owners, left, left, i);
    if (owners[slot] === -1) owners[slot] = i;
    counts[slot] = (counts[slot] as number) + 1;
  }
  let overlap = 0;
  for (let i = 0; i < right.ends.length; i += 1) {
    const slot = slotOf(owners, left, right, i);
    const count = counts[slot] as number;
    if (count === 0) continue;
    counts[slot] = count - 1;
    overlap += 1;
  }
  return overlap;
}

/** The slot of the left token that equals token i, else the empty slot where it belongs. */
function slotOf(owners: Int32Array, left: ReleasedTokens, tokens: ReleasedTokens, i: number): number {
  const mask = owners.length - 1;
  let slot = (tokens.hashes[i] as number) & mask;
  for (;;) {
    const owner = owners[slot] as number;
    if (owner === -1 || isSameToken(left, owner, tokens, i)) return slot;
    slot = (slot + 1) & mask;
  }
}

function isSameToken(left: ReleasedTokens, l: number, right: ReleasedTokens, r: number): boolean {
  if (left.hashes[l] !== right.hashes[r]) return false;
  const from = left.starts[l] as number;
  const other = right.starts[r] as number;
  const length = (left.ends[l] as number) - from;
  if ((right.ends[r] as number) - other !== length) return false;
  for (let k = 0; k < length; k += 1) {
    if (left.text.charCodeAt(from + k) !== right.text.charCodeAt(other + k)) return false;
  }
  return true;
}
