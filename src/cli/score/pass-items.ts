import type { RecordBatch, Schema } from "apache-arrow";
import { CalibrantError } from "../../errors.ts";
import { arrowOptions, type RunInput } from "../input/run-input.ts";
import type { PassItem } from "./scored-target.ts";

/** The schema that all inputs' rows have as Arrow, and the rows again from the first. */
export interface PassInput {
  /** Null when the output is JSONL and no schema was asked for. */
  readonly schema: Schema | null;
  readonly items: () => AsyncGenerator<PassItem>;
}

/**
 * Reads inputs a second time to carry their columns into the output.
 *
 * @param needsSchema - whether the output needs one Arrow schema for all rows.
 * @throws CalibrantError `schema` naming the first two inputs whose columns differ.
 */
export async function passInput(inputs: readonly RunInput[], needsSchema: boolean): Promise<PassInput> {
  const schema = needsSchema ? await commonSchema(inputs) : null;
  return {
    schema,
    async *items() {
      for (const input of inputs) yield* inputItems(input);
    },
  };
}

async function* inputItems(input: RunInput): AsyncGenerator<PassItem> {
  if (input.format === "jsonl") {
    yield* lineItems(input);
    return;
  }
  for await (const batch of await recordBatches(input)) yield { kind: "batch", batch, name: input.name };
}

async function* lineItems(input: RunInput): AsyncGenerator<PassItem> {
  const { jsonlChunks } = await import("../../data/jsonl/jsonl-chunks.ts");
  let firstLine = 1;
  for await (const bytes of jsonlChunks(input.bytes(), input.name)) {
    yield { kind: "lines", bytes, name: input.name, firstLine };
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) firstLine += 1;
  }
}

async function recordBatches(input: RunInput): Promise<AsyncIterable<RecordBatch>> {
  if (input.format === "arrow") {
    const { readArrowBatches } = await import("../../data/arrow/read-arrow-batches.ts");
    return (await readArrowBatches(input.bytes(), input.name, arrowOptions(input))).batches;
  }
  const { readParquetBatches } = await import("../../data/parquet/read-parquet-wasm.ts");
  return readParquetBatches(input.path as string);
}

async function commonSchema(inputs: readonly RunInput[]): Promise<Schema> {
  const json = inputs.filter((input) => input.format === "jsonl");
  const other = inputs.filter((input) => input.format !== "jsonl");
  const schemas: { name: string; schema: Schema }[] = [];
  if (json.length > 0) schemas.push({ name: (json[0] as RunInput).name, schema: await rowSchema(json) });
  for (const input of other) schemas.push({ name: input.name, schema: await fileSchema(input) });
  const first = schemas[0] as { name: string; schema: Schema };
  for (const { name, schema } of schemas.slice(1)) assertSameSchema(first.schema, first.name, schema, name);
  return first.schema;
}

async function rowSchema(inputs: readonly RunInput[]): Promise<Schema> {
  const { jsonlChunks } = await import("../../data/jsonl/jsonl-chunks.ts");
  const { parseJsonlChunk } = await import("../../data/jsonl/parse-jsonl-chunk.ts");
  const { createRowSchema } = await import("../../data/arrow/rows-to-arrow.ts");
  const schema = createRowSchema();
  for (const input of inputs) {
    let firstLine = 1;
    for await (const bytes of jsonlChunks(input.bytes(), input.name)) {
      const chunk = parseJsonlChunk(bytes, input.name, firstLine, { exactIntegers: true });
      schema.add(chunk.rows, input.name, chunk.lineNumbers);
      firstLine += chunk.lines;
    }
  }
  return schema.finish();
}

async function fileSchema(input: RunInput): Promise<Schema> {
  if (input.format === "arrow") {
    const { readArrowSchema } = await import("../../data/arrow/arrow-messages.ts");
    return readArrowSchema(input.bytes(), input.name, arrowOptions(input));
  }
  const { readParquetArrowSchema } = await import("../../data/parquet/read-parquet-wasm.ts");
  return readParquetArrowSchema(input.path as string);
}

function assertSameSchema(a: Schema, aName: string, b: Schema, bName: string): void {
  const fields = (schema: Schema): string[] =>
    schema.fields.map((field) => `${field.name}: ${String(field.type)}`);
  const left = fields(a);
  const right = fields(b);
  const at = left.findIndex((field, index) => field !== right[index]);
  if (at < 0 && left.length === right.length) return;
  const index = at < 0 ? left.length : at;
  throw new CalibrantError(
    "schema",
    `${aName} and ${bName} have different columns and cannot share one Arrow or Parquet output: ${left[index] ?? "no column"} against ${right[index] ?? "no column"}; score them apart or write .jsonl`,
    { files: [aName, bName] },
  );
}
