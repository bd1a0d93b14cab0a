import { type CompressionType, compressionRegistry } from "apache-arrow";
import { CalibrantError, errorMessage } from "../../errors.ts";
import { loadZstd } from "./read-zstd.ts";

/** Unpacks one compressed buffer to `size` bytes. */
type Decoder = (frame: Uint8Array, size: number) => Uint8Array;

const LZ4 = 0;
const ZSTD = 1;
/** In front of a compressed buffer stands the size it unpacks to, as a 64-bit integer. */
const SIZE_BYTES = 8;

/**
 * Makes apache-arrow able to unpack a compression: registers a decoder in its global registry unless one is there.
 * Call it before a message compressed so is decoded.
 *
 * @param codec - CompressionType of the Arrow format: 0 LZ4 frames (needs the optional package `lz4-napi`), 1 ZSTD.
 * @throws CalibrantError `missing-package` without `lz4-napi`; `data` for an unknown codec.
 */
export async function ensureArrowCodec(codec: number, name: string): Promise<void> {
  if (compressionRegistry.get(codec as CompressionType)?.decode !== undefined) return;
  const decode = await loadDecoder(codec, name);
  compressionRegistry.set(codec as CompressionType, { decode: (frame) => unpack(decode, frame) });
}

function loadDecoder(codec: number, name: string): Promise<Decoder> {
  if (codec === LZ4) return loadLz4(name);
  if (codec === ZSTD) return loadZstd();
  throw new CalibrantError("data", `${name}: unknown Arrow compression, expected LZ4 or ZSTD: ${codec}`, {
    name,
    codec,
  });
}

async function loadLz4(name: string): Promise<Decoder> {
  try {
    const { decompressFrameSync } = await import("lz4-napi");
    return (frame) => decompressFrameSync(Buffer.from(frame.buffer, frame.byteOffset, frame.length));
  } catch (error) {
    throw new CalibrantError(
      "missing-package",
      `${name} is compressed with LZ4, which needs an optional package: npm install lz4-napi`,
      { name, package: "lz4-napi", reason: errorMessage(error) },
      { cause: error },
    );
  }
}

/** The reader's buffers must begin at a multiple of 8 bytes, which no decoder promises: hence the copy. */
function unpack(decode: Decoder, frame: Uint8Array): Uint8Array {
  const size = announcedSize(frame);
  const unpacked = new Uint8Array(decode(frame, size));
  if (unpacked.length === size) return unpacked;
  throw new RangeError(`a compressed buffer unpacks to ${unpacked.length} bytes instead of ${size}`);
}

/** Arrow hands a decoder the frame alone, but as a view of the message, in which the size stands in front of it. */
function announcedSize(frame: Uint8Array): number {
  const size = new DataView(frame.buffer, frame.byteOffset - SIZE_BYTES, SIZE_BYTES).getBigInt64(0, true);
  if (size < 0n || size > 0x7fffffffn)
    throw new RangeError(`impossible size of a compressed buffer: ${size}`);
  return Number(size);
}
