import { encodeThrift, type ThriftStruct } from "./thrift-compact.ts";

/** The four bytes that a Parquet file begins and ends with. */
export function parquetMagic(): Uint8Array {
  return Buffer.from("PAR1", "latin1");
}

/** The end of a Parquet file: its FileMetaData struct, the struct's length, the magic. */
export function parquetTail(fileMetaData: ThriftStruct): Uint8Array {
  const footer = encodeThrift(fileMetaData);
  const tail = new Uint8Array(footer.length + 8);
  tail.set(footer);
  new DataView(tail.buffer).setUint32(footer.length, footer.length, true);
  tail.set(parquetMagic(), footer.length + 4);
  return tail;
}
