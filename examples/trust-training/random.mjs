/** Uniform numbers in [0, 1) from a seed (Mulberry32): the same seed gives the same numbers on any machine. */
export function uniforms(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Standard normal numbers from uniform ones (Box and Muller). */
export function gaussians(uniform) {
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** A stream of its own for each purpose of a run, so that runs of one seed differ in the reward alone. */
export function streamOf(seed, ...purpose) {
  return purpose.reduce((mixed, part) => Math.imul(mixed ^ (part + 1), 0x9e3779b1) >>> 0, seed + 1);
}
