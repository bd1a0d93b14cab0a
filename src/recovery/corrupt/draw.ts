/** An integer from 0 to `below` − 1, each with the same probability; takes one random number. */
export function drawIndex(below: number, random: () => number): number {
  return Math.min(below - 1, Math.floor(random() * below));
}

/** Like {@link drawIndex} for numbers of any size; takes one random number for 32 bits, with 16 bits to spare. */
export function drawBigInt(below: bigint, random: () => number): bigint {
  const words = Math.ceil((below.toString(2).length + 16) / 32);
  let bits = 0n;
  for (let i = 0; i < words; i += 1) bits = (bits << 32n) | BigInt(drawIndex(4294967296, random));
  return (bits * below) >> BigInt(32 * words);
}

/** How many of the candidates: 1 to 3, each with the same probability, and no more than there are. */
export function drawCount(candidates: number, random: () => number): number {
  return Math.min(candidates, 1 + drawIndex(3, random));
}
