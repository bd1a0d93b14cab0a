const NO_WORDS = new Int32Array(0);

/**
 * Whether every byte of `bytes[begin … end)` is ASCII. Reads four bytes at a time where they lie on a word of memory:
 * a look at a whole column must cost little against decoding it.
 */
export function isAscii(bytes: Uint8Array, begin: number, end: number): boolean {
  const aligned = begin + (-(bytes.byteOffset + begin) & 3);
  const count = Math.max(0, Math.floor((end - aligned) / 4));
  const words = count === 0 ? NO_WORDS : new Int32Array(bytes.buffer, bytes.byteOffset + aligned, count);
  let seen = 0;
  for (let i = 0; i < count; i += 1) seen |= words[i] as number;
  if ((seen & 0x80808080) !== 0) return false;
  for (let i = begin; i < Math.min(aligned, end); i += 1) seen |= bytes[i] as number;
  for (let i = aligned + 4 * count; i < end; i += 1) seen |= bytes[i] as number;
  return (seen & 0x80808080) === 0;
}
