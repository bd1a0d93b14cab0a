import { createRowSchema, recordBatchFromRows } from "../../src/data/arrow/rows-to-arrow.ts";
import { createArrowWriter } from "../../src/data/arrow/write-arrow.ts";
import { createParquetWriter } from "../../src/data/parquet/write-parquet.ts";
import { seededRandom } from "../../src/math/seeded-random.ts";
import { memorySink, type Row } from "./sample-files.ts";

/** How well a checkpoint's perplexities tell wrong rows from correct ones, in standard deviations of ln PPL. */
const CHECKPOINTS = { base: 1.3, grpo: 0.45, trust: 1.3 } as const;

/**
 * Scored rows of three checkpoints on the same prompts, four rollouts a prompt: `grpo` is more often right and sure of
 * everything, `trust` is more often right and knows when it is not.
 */
export function reportRows(prompts: number): Row[] {
  const random = seededRandom(7);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Object.entries(CHECKPOINTS).flatMap(([checkpoint, shift], index) =>
    Array.from({ length: 4 * prompts }, (_, row) => {
      const correct = random() < 0.55 + 0.1 * index;
      const margin = 0.2 * normal() + (correct ? 0.1 : -0.1);
      return {
        group_id: `prompt-${Math.floor(row / 4)}`,
        checkpoint,
        step: 100 * index,
        subset: row % 8 < 4 ? "irrelevance" : "live",
        correct,
        ppl: Math.exp(Math.abs(0.6 + 0.1 * normal() + (correct ? 0 : 0.1 * shift))),
        margin,
        certainty: 1 / (1 + Math.exp(-margin / 0.1)),
        reward: (correct ? 3 : 0) + margin,
      };
    }),
  );
}

/** Rows as JSON Lines. */
export function jsonLines(rows: readonly Row[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** Rows as an Arrow file or stream or Parquet, in batches of 100 rows. */
export async function binaryRows(
  format: "file" | "stream" | "parquet",
  rows: readonly Row[],
): Promise<Buffer> {
  const builder = createRowSchema();
  builder.add(rows, "rows");
  const schema = builder.finish();
  const sink = memorySink();
  const writer =
    format === "parquet" ? await createParquetWriter(sink, schema) : createArrowWriter(sink, schema, format);
  for (let at = 0; at < rows.length; at += 100)
    await writer.write(recordBatchFromRows(rows.slice(at, at + 100), schema));
  await writer.close();
  return sink.bytes();
}
