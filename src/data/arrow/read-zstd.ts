/** Unpacks ZSTD data that should unpack to `size` bytes; the caller checks that it did. */
export type ZstdDecoder = (frame: Uint8Array, size: number) => Uint8Array;

/** The part of `node:zlib` that Node has since 22.15. */
interface ZstdZlib {
  readonly zstdDecompressSync?: (
    frame: Uint8Array,
    options: { readonly maxOutputLength: number },
  ) => Uint8Array;
}

/** Node's own ZSTD where it has one (about ten times as fast), else `fzstd`; both loaded on the first call. */
export async function loadZstd(): Promise<ZstdDecoder> {
  const { zstdDecompressSync } = (await import("node:zlib")) as unknown as ZstdZlib;
  if (typeof zstdDecompressSync === "function") {
    return (frame, size) => zstdDecompressSync(frame, { maxOutputLength: Math.max(1, size) });
  }
  const { decompress } = await import("fzstd");
  // Given an output buffer, fzstd returns all of it however few bytes the frame holds, and drops what is too much.
  return (frame) => decompress(frame);
}
