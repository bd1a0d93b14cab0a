import { CalibrantError } from "../../errors.ts";
import type { ColumnKind } from "../columns.ts";
import type { DuckdbColumn } from "./duckdb-source.ts";

const SMALL_ITEMS = /^(TINYINT|SMALLINT|INTEGER|UTINYINT|USMALLINT|UINTEGER|FLOAT|DOUBLE)\[\]$/;

/**
 * SQL that gives a column as its kind is gathered: `number` as DOUBLE, `key` and `text` as VARCHAR, `list` as a list of
 * numbers that have a typed array, `json` as VARCHAR of JSON text.
 *
 * @param found - its type in the words of {@link foundParquetColumns}, which has allowed the kind.
 * @throws CalibrantError `schema` when the engine takes text for bytes, which it would print with escapes.
 */
export function duckdbExpression({ name, type }: DuckdbColumn, found: string, kind: ColumnKind): string {
  if (type === "BLOB" && kind !== "number") {
    throw new CalibrantError(
      "schema",
      `column ${name} is ${found} by its schema but DuckDB reads it as bytes`,
      { name },
    );
  }
  switch (kind) {
    case "number":
      return found === "null" ? "null::double" : `${name}::double`;
    case "key":
    case "text":
      return found === "null" ? "null::varchar" : `${name}::varchar`;
    case "list":
      if (found === "null") return "null::double[]";
      if (SMALL_ITEMS.test(type)) return name;
      // Integers of 64 bits have no array of numbers; booleans have one of bytes.
      return type === "BOOLEAN[]" ? `${name}::tinyint[]` : `${name}::double[]`;
    case "json":
      if (found === "null") return "null::varchar";
      return type === "VARCHAR" || type === "JSON" ? `${name}::varchar` : `to_json(${name})::varchar`;
  }
}
