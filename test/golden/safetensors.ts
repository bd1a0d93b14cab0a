import { readFileSync } from "node:fs";

/** One tensor of a file, as its numbers are stored: 16-bit ones as patterns. */
export interface Tensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data: Float32Array | Uint16Array | BigInt64Array;
}

interface Entry {
  readonly dtype: "F32" | "BF16" | "I64";
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

/** The tensors of a small safetensors file of float32, bfloat16 and int64 numbers, by name. */
export function readSafetensors(url: URL): ReadonlyMap<string, Tensor> {
  const bytes = readFileSync(url);
  const start = 8 + Number(bytes.readBigUInt64LE(0));
  const header: Record<string, Entry> = JSON.parse(bytes.subarray(8, start).toString());
  const kinds = { F32: Float32Array, BF16: Uint16Array, I64: BigInt64Array };
  return new Map(
    Object.entries(header).map(
      ([
        name,
        {
          dtype,
          shape,
          data_offsets: [from, to],
        },
      ]) => {
        // A copy lies at an address that every kind of number can have.
        const data = new kinds[dtype](Uint8Array.from(bytes.subarray(start + from, start + to)).buffer);
        return [name, { dtype, shape, data }];
      },
    ),
  );
}
