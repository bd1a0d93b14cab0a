/**
 * A seed from several parts, for streams of randomness that must not depend on each other: FNV-1a with 32 bits over the UTF-16 code
 * units of the parts (low byte first), each closed by 0xFF 0xFF 0xFF, and Murmur3's finaliser. Numbers count by their decimal text.
 * The same parts give the same seed on any machine.
 *
 * @returns an integer in [0, 2^32).
 */
export function deriveSeed(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const part of parts) {
    const text = String(part);
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
      hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
    }
    // Not a code unit, so that ("a", "b") and ("ab") differ.
    for (let end = 0; end < 3; end++) hash = Math.imul(hash ^ 0xff, 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
