import { Float64, type RecordBatch, type Schema, Utf8 } from "apache-arrow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appendArrowColumns, appendedSchema } from "../../../src/data/arrow/append-arrow-columns.ts";
import { arrowJsonRows } from "../../../src/data/arrow/arrow-json-rows.ts";
import { readArrowBatches } from "../../../src/data/arrow/read-arrow-batches.ts";
import type { ResultColumn } from "../../../src/data/columns.ts";
import { CalibrantError } from "../../../src/errors.ts";
import { collect, EXPECTED_ARROW, goldenArrow, inPieces } from "../../golden/arrow-files.ts";

async function read(file: string): Promise<{ schema: Schema; batches: RecordBatch[] }> {
  const { schema, batches } = await readArrowBatches(inPieces(goldenArrow(file)), file);
  return { schema, batches: await collect(batches) };
}

const COLUMNS: readonly ResultColumn[] = [
  { name: "reward", type: "float64", values: new Float64Array([0.5, Number.NaN, -1]) },
  { name: "status", type: "utf8", codes: Int32Array.of(1, -1, 0), dictionary: ["ok", "kein Gewicht, 🙂"] },
];

describe("appendedSchema", () => {
  it("adds nullable columns and metadata, and keeps what is there", async () => {
    const { schema } = await read("polars.arrow");
    const added = appendedSchema(schema, COLUMNS, new Map([["calibrant", "{}"]]));
    expect(added.fields.slice(0, -2)).toEqual(schema.fields);
    expect(added.fields.at(-2)).toMatchObject({ name: "reward", nullable: true, type: new Float64() });
    expect(added.fields.at(-1)).toMatchObject({ name: "status", nullable: true, type: new Utf8() });
    expect(added.metadata.get("calibrant")).toBe("{}");
    expect([...added.dictionaries.keys()]).toEqual([...schema.dictionaries.keys()]);
    expect([schema.metadata.has("calibrant"), schema.fields.length]).toEqual([false, 15]);
  });

  it("refuses a name that is there, or comes twice", async () => {
    const { schema } = await read("rollouts.arrow");
    expect(() => appendedSchema(schema, [{ name: "action", type: "utf8" }])).toThrow(
      expect.objectContaining({
        code: "data",
        message: "the input already has a column of this name, rename or drop it: action",
      }),
    );
    const twice = { name: "reward", type: "float64" } as const;
    expect(() => appendedSchema(schema, [twice, twice])).toThrow(CalibrantError);
  });
});

describe("appendArrowColumns", () => {
  it("appends numbers and text with their nulls", async () => {
    const { schema, batches } = await read("rollouts.arrow");
    const batch = appendArrowColumns(batches[0] as RecordBatch, COLUMNS, appendedSchema(schema, COLUMNS));
    expect(arrowJsonRows(batch).map((row) => JSON.parse(row).reward)).toEqual([0.5, null, -1]);
    expect(arrowJsonRows(batch).map((row) => JSON.parse(row).status)).toEqual([
      "kein Gewicht, 🙂",
      null,
      "ok",
    ]);
    expect([batch.getChild("reward")?.nullCount, batch.getChild("status")?.nullCount]).toEqual([1, 1]);
    expect(batch.getChild("reward")?.get(0)).toBe(0.5);
    expect(batch.getChild("status")?.get(1)).toBeNull();
  });

  it.each(Object.keys(EXPECTED_ARROW))("keeps the memory of every column of %s", async (file) => {
    const { schema, batches } = await read(file);
    const columns = [{ name: "reward", type: "float64" }] as const;
    for (const batch of batches) {
      const values = new Float64Array(batch.numRows);
      const added = appendArrowColumns(batch, [{ ...columns[0], values }], appendedSchema(schema, columns));
      expect(added.numCols).toBe(batch.numCols + 1);
      for (const [i, child] of batch.data.children.entries()) expect(added.data.children[i]).toBe(child);
      expect(added.data.children.at(-1)?.values).toBe(values);
      expect(added.data.children.at(-1)?.nullCount).toBe(0);
      expect(added.schema.fields.map((field) => [field.name, field.nullable])).toEqual([
        ...batch.schema.fields.map((field) => [field.name, field.nullable]),
        ["reward", true],
      ]);
    }
  });

  it("marks exactly the NaN as null, whatever the number of rows", async () => {
    const { schema } = await read("no-batches.arrow");
    const only = appendedSchema(schema.select([]), [{ name: "x", type: "float64" }]);
    const numbers = fc.array(fc.oneof(fc.double(), fc.constant(Number.NaN)), { maxLength: 200 });
    const { RecordBatch, makeData, Struct } = await import("apache-arrow");
    fc.assert(
      fc.property(numbers, (list) => {
        const rows = new RecordBatch(
          schema.select([]),
          makeData({ type: new Struct([]), length: list.length, children: [] }),
        );
        const values = Float64Array.from(list);
        const vector = appendArrowColumns(rows, [{ name: "x", type: "float64", values }], only).getChild("x");
        expect([...(vector ?? [])]).toEqual(list.map((value) => (Number.isNaN(value) ? null : value)));
        expect(vector?.nullCount).toBe(list.filter(Number.isNaN).length);
      }),
    );
  });

  it("refuses a column with another number of rows", async () => {
    const { schema, batches } = await read("rollouts.arrow");
    const added = appendedSchema(schema, COLUMNS);
    expect(() => appendArrowColumns(batches[1] as RecordBatch, COLUMNS, added)).toThrow(
      expect.objectContaining({
        code: "length-mismatch",
        message: "result column reward must have 5 values, one a row, got 3",
      }),
    );
  });
});
