import { CalibrantError } from "../../errors.ts";
import {
  type FlatTable,
  int8Of,
  int16Of,
  int32Of,
  rootTable,
  structsOf,
  tableOf,
  tablesOf,
  textOf,
} from "./flat-table.ts";

/** Names of Schema.fbs type numbers that apache-arrow cannot read, with what to write instead. */
const UNREADABLE: Readonly<Record<number, readonly [name: string, instead: string]>> = {
  22: ["run_end_encoded", "its plain values"],
  25: ["list_view", "list"],
  26: ["large_list_view", "large_list"],
};
const LAST_KNOWN_TYPE = 26;
const INT = 2;
/** Types whose number of children is fixed: lists of three layouts, and maps. */
const ONE_CHILD: readonly number[] = [12, 16, 17, 21];
const MAP = 17;

/**
 * Refuses a schema message that apache-arrow would misread or stumble over: big-endian data, column names that occur
 * twice, types it does not know.
 *
 * @param metadata - the flatbuffer of the schema message.
 * @throws CalibrantError `data` naming the file and the column; RangeError when the bytes are no such flatbuffer.
 */
export function checkArrowSchema(metadata: Uint8Array, name: string): void {
  const schema = tableOf(rootTable(metadata), 2);
  if (schema === null) throw new RangeError("the message has no header");
  const fields = tablesOf(schema, 1);
  const seen = new Set<string>();
  for (const field of fields) {
    const column = textOf(field, 0);
    checkType(field, column, name);
    if (seen.has(column)) throw repeated(column, name);
    seen.add(column);
  }
  checkMetadata(schema, 2);
  if (int16Of(schema, 0) !== 0) throw bigEndian(name);
}

/** apache-arrow trusts the length of this vector. */
function checkMetadata(table: FlatTable, slot: number): void {
  structsOf(table, slot, 4);
}

function checkType(field: FlatTable, column: string, name: string): void {
  const type = int8Of(field, 2);
  const unreadable = UNREADABLE[type];
  if (unreadable !== undefined) throw unsupported(column, unreadable[0], unreadable[1], name);
  if (type < 0 || type > LAST_KNOWN_TYPE)
    throw unsupported(column, `type number ${type}`, "another type", name);
  if (type === INT) checkInt(field, column, name);
  const children = tablesOf(field, 5);
  if (ONE_CHILD.includes(type) && children.length !== 1)
    throw new RangeError(`column ${column} lacks its values`);
  const entries = children[0];
  if (type === MAP && entries !== undefined && tablesOf(entries, 5).length !== 2) {
    throw new RangeError(`column ${column} lacks its keys or values`);
  }
  checkMetadata(field, 6);
  for (const child of children) checkType(child, column, name);
}

function checkInt(field: FlatTable, column: string, name: string): void {
  const int = tableOf(field, 3);
  const bits = int === null ? 0 : int32Of(int, 0);
  if (bits === 8 || bits === 16 || bits === 32 || bits === 64) return;
  throw unsupported(column, `int${bits}`, "int64 or decimal", name);
}

function unsupported(column: string, type: string, instead: string, name: string): CalibrantError {
  return new CalibrantError(
    "data",
    `${name}: column ${column} has an Arrow type that cannot be read, write it as ${instead}: ${type}`,
    { name, column, type },
  );
}

function repeated(column: string, name: string): CalibrantError {
  return new CalibrantError(
    "data",
    `${name}: two columns have the same name, rename one of them: ${column}`,
    {
      name,
      column,
    },
  );
}

function bigEndian(name: string): CalibrantError {
  return new CalibrantError("data", `${name}: Arrow data of a big-endian machine cannot be read`, { name });
}
