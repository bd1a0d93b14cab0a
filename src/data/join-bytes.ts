/** The pieces one after another; the piece itself when only one holds any bytes. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const filled = pieces.filter((piece) => piece.length > 0);
  if (filled.length === 1) return filled[0] as Uint8Array;
  const bytes = new Uint8Array(filled.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of filled) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
