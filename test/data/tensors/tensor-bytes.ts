/** A `.npy` file of version 1. */
export function npyBytes(descr: string, shape: readonly number[], data: ArrayBufferView): Uint8Array {
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape.join(", ")}${shape.length === 1 ? "," : ""}), }`;
  const header = Buffer.from(`${text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11)}\n`);
  const lead = Buffer.from([0x93, ...Buffer.from("NUMPY"), 1, 0, header.length & 255, header.length >> 8]);
  return Buffer.concat([lead, header, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)]);
}

/** One tensor of {@link safetensorsBytes}. */
export interface NewTensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data: ArrayBufferView;
}

/** A `.safetensors` file; `change` may spoil the header. */
export function safetensorsBytes(
  tensors: Readonly<Record<string, NewTensor>>,
  change: (header: Record<string, unknown>) => unknown = (header) => header,
): Uint8Array {
  let at = 0;
  const header: Record<string, unknown> = {};
  for (const [name, { dtype, shape, data }] of Object.entries(tensors)) {
    header[name] = { dtype, shape, data_offsets: [at, at + data.byteLength] };
    at += data.byteLength;
  }
  const text = Buffer.from(JSON.stringify(change(header)));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const parts = Object.values(tensors).map(
    ({ data }) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
  );
  return Buffer.concat([length, text, ...parts]);
}
