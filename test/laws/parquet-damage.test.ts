import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foundParquetColumns } from "../../src/data/parquet/parquet-schema.ts";
import { readParquetColumns } from "../../src/data/parquet/read-parquet-duckdb.ts";
import { readParquetBatches } from "../../src/data/parquet/read-parquet-wasm.ts";
import { spliceParquet } from "../../src/data/parquet/splice-parquet.ts";
import { CalibrantError } from "../../src/errors.ts";
import {
  ADDED,
  memorySink,
  PARQUET_TESTING,
  takeAdded,
  temporaryFolder,
} from "../data/parquet/parquet-samples.ts";

const folder = temporaryFolder();
const path = join(folder, "damaged.parquet");

/** Small files of many encodings, codecs and shapes. */
const SAMPLES = [
  "alltypes_plain.snappy.parquet",
  "byte_stream_split.zstd.parquet",
  "concatenated_gzip_members.parquet",
  "data_index_bloom_encoding_stats.parquet",
  "datapage_v2.snappy.parquet",
  "list_columns.parquet",
  "lz4_raw_compressed.parquet",
  "nested_maps.snappy.parquet",
  "nullable.impala.parquet",
  "sort_columns.parquet",
];

/** Everything that takes a Parquet file; each reads it to the end. */
const READERS: Readonly<Record<string, () => Promise<void>>> = {
  async foundParquetColumns() {
    await foundParquetColumns(path);
  },
  async readParquetColumns() {
    const found = await foundParquetColumns(path);
    const requests = found.flatMap(({ name, kinds: [kind] }) => (kind === undefined ? [] : [{ name, kind }]));
    for await (const batch of readParquetColumns(path, requests)) expect(batch.rows).toBeGreaterThan(0);
  },
  async readParquetBatches() {
    for await (const batch of readParquetBatches(path)) expect(batch.numRows).toBeGreaterThan(0);
  },
  async spliceParquet() {
    await spliceParquet([path, path], memorySink(), { added: ADDED, take: takeAdded(), note: "" });
  },
};

/** The reader reads the file, or fails with one error of one line that names it. */
async function readsOrRefuses(read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    expect(error).toBeInstanceOf(CalibrantError);
    expect((error as CalibrantError).message).not.toContain("\n");
  }
}

describe.skipIf(!existsSync(PARQUET_TESTING))("a damaged Parquet file", () => {
  const bytesOf = (sample: string): Buffer => readFileSync(join(PARQUET_TESTING, sample));

  it.each(Object.entries(READERS))("cut anywhere is refused by %s", async (_name, read) => {
    for (const sample of SAMPLES.slice(0, 4)) {
      const bytes = bytesOf(sample);
      const step = Math.max(1, Math.floor(bytes.length / 60));
      for (let cut = 0; cut < bytes.length; cut += step) {
        writeFileSync(path, bytes.subarray(0, cut));
        await expect(read(), `${sample} cut at ${cut}`).rejects.toBeInstanceOf(CalibrantError);
      }
    }
  });

  const damage = fc.record({
    sample: fc.constantFrom(...SAMPLES),
    // Most of the meaning of a small file is in its footer, at the end.
    flips: fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), fc.integer({ min: 0, max: 7 })),
      { minLength: 1, maxLength: 4 },
    ),
  });

  it.each(Object.entries(READERS))("with flipped bits is read or refused by %s", async (_name, read) => {
    await fc.assert(
      fc.asyncProperty(damage, async ({ sample, flips }) => {
        const bytes = bytesOf(sample);
        for (const [share, atEnd, bit] of flips) {
          const reach = atEnd ? Math.min(bytes.length, 600) : bytes.length;
          const at = bytes.length - 1 - Math.floor(share * (reach - 1));
          bytes[at] = (bytes[at] as number) ^ (1 << bit);
        }
        writeFileSync(path, bytes);
        await readsOrRefuses(read);
      }),
      { numRuns: 60, seed: 1 },
    );
  });
});
