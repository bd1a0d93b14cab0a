import type { AppendedColumn } from "../arrow/append-arrow-columns.ts";
import { ARROW_SCHEMA_KEY, decodeArrowSchema, encodeArrowSchema } from "./parquet-arrow-schema.ts";
import type { ParquetFooter } from "./parquet-footer.ts";
import type { ThriftStruct } from "./thrift-compact.ts";
import { textField, thriftStructs, thriftText, withField } from "./thrift-fields.ts";

/** The key under which Calibrant keeps what made a file. */
export const CALIBRANT_KEY = "calibrant" as const;
/** Spark reads this JSON in place of the Parquet schema, so columns it does not list would stay unseen. */
const SPARK_KEY = "org.apache.spark.sql.parquet.row.metadata";

/**
 * A file's key-value metadata after columns were added: the Arrow and the Spark schema, where there is one, list them
 * too; the value of `calibrant` is replaced; everything else stays as it is, in order.
 *
 * An Arrow schema that cannot be rewritten, or is of other columns than the file's, is dropped, because readers fail on one with fewer columns than the file;
 * they then derive the types from the Parquet schema.
 */
export async function splicedKeyValues(
  footer: ParquetFooter,
  added: readonly AppendedColumn[],
  calibrant: string,
): Promise<ThriftStruct[]> {
  const pairs: ThriftStruct[] = [];
  for (const pair of thriftStructs(footer.thrift, 5) ?? []) {
    const key = thriftText(pair, 1);
    const value = thriftText(pair, 2) ?? "";
    if (key === CALIBRANT_KEY) continue;
    if (key === ARROW_SCHEMA_KEY) {
      const extended = await extendedArrowSchema(value, footer, added, calibrant);
      if (extended !== undefined) pairs.push(withField(pair, textField(2, extended)));
    } else if (key === SPARK_KEY)
      pairs.push(withField(pair, textField(2, extendedSparkSchema(value, added))));
    else pairs.push(pair);
  }
  pairs.push(keyValue(CALIBRANT_KEY, calibrant));
  return pairs;
}

/** A KeyValue struct. */
export function keyValue(key: string, value: string): ThriftStruct {
  return [textField(1, key), textField(2, value)];
}

async function extendedArrowSchema(
  base64: string,
  { root }: ParquetFooter,
  added: readonly AppendedColumn[],
  calibrant: string,
): Promise<string | undefined> {
  const schema = await decodeArrowSchema(base64);
  const isOfFile = schema?.fields.every((field, i) => field.name === root.children[i]?.name) ?? false;
  if (schema === undefined || !isOfFile || schema.fields.length !== root.children.length) return undefined;
  const { appendedSchema } = await import("../arrow/append-arrow-columns.ts");
  // pyarrow shows the metadata of the Arrow schema, where there is one, in place of the file's.
  return encodeArrowSchema(appendedSchema(schema, added, new Map([[CALIBRANT_KEY, calibrant]])));
}

function extendedSparkSchema(json: string, added: readonly AppendedColumn[]): string {
  let schema: { fields?: unknown };
  try {
    schema = JSON.parse(json);
  } catch {
    return json;
  }
  if (!Array.isArray(schema?.fields)) return json;
  const fields = added.map(({ name, type }) => ({
    name,
    type: sparkType(type),
    nullable: true,
    metadata: {},
  }));
  return JSON.stringify({ ...schema, fields: [...schema.fields, ...fields] });
}

function sparkType(type: AppendedColumn["type"]): unknown {
  if (type === "float64") return "double";
  if (type === "utf8") return "string";
  return {
    type: "array",
    elementType: type === "list<float64>" ? "double" : "integer",
    containsNull: true,
  };
}
