import type { Field, Schema } from "apache-arrow";

/** Where Arrow writers keep the Arrow schema of a Parquet file: base64 of an IPC schema message. */
export const ARROW_SCHEMA_KEY: string = "ARROW:schema";

/**
 * Reads the value of {@link ARROW_SCHEMA_KEY}.
 *
 * @returns `undefined` when it is damaged or has a type that apache-arrow does not know (list views): readers then
 * take the types from the Parquet schema, which is always right, if less particular.
 */
export async function decodeArrowSchema(base64: string): Promise<Schema | undefined> {
  const { openArrow } = await import("../arrow/open-arrow.ts");
  try {
    const source = await openArrow(once(Buffer.from(base64, "base64")), "ARROW:schema");
    await source.close();
    return source.schema;
  } catch {
    return undefined;
  }
}

/** The value of {@link ARROW_SCHEMA_KEY} for a schema. */
export async function encodeArrowSchema(schema: Schema): Promise<string> {
  const [{ Message }, { framed }] = await Promise.all([
    import("apache-arrow"),
    import("../arrow/arrow-framing.ts"),
  ]);
  return Buffer.from(framed(Message.encode(Message.from(schema)))).toString("base64");
}

/** The schema with these fields in place of its own and everything else kept. */
export function withArrowFields(
  arrow: typeof import("apache-arrow"),
  schema: Schema,
  fields: readonly Field[],
): Schema {
  return new arrow.Schema([...fields], schema.metadata, undefined, schema.metadataVersion);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
