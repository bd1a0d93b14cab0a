/**
 * A seeded source of uniform numbers in [0, 1) with 32 bits: the Mulberry32 generator (T. Ettinger). For sampling and
 * resampling; the same seed gives the same numbers on any machine.
 *
 * @param seed - an integer; its low 32 bits count.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
