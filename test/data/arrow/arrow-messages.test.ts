import { Message, makeTable, RecordBatchStreamWriter, Table, tableToIPC } from "apache-arrow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arrowChunks, openArrowChunks, readArrowSchema } from "../../../src/data/arrow/arrow-messages.ts";
import { foundArrowColumns } from "../../../src/data/arrow/arrow-types.ts";
import { CalibrantError } from "../../../src/errors.ts";
import { collect, EXPECTED_ARROW, goldenArrow, inPieces } from "../../golden/arrow-files.ts";

const FILES = Object.keys(EXPECTED_ARROW);
const MARKER = [0xff, 0xff, 0xff, 0xff];

async function rowsOf(bytes: Uint8Array, size?: number): Promise<number[]> {
  return (await collect(arrowChunks(inPieces(bytes, size), "x"))).map((chunk) => chunk.rows);
}

/** The error of reading all chunks; fails when there is none or it is not one line naming the source. */
async function errorOf(bytes: Uint8Array): Promise<CalibrantError> {
  const error = await rowsOf(bytes).then(
    (rows) => new Error(`read ${rows} without an error`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CalibrantError)) throw error;
  expect(error.code).toBe("data");
  expect(error.message).toMatch(/^x\b.*$/);
  return error;
}

function patched(bytes: Uint8Array, at: number, values: readonly number[]): Uint8Array {
  const copy = bytes.slice();
  copy.set(values, at);
  return copy;
}

/** Where the messages of an uncompressed stream without dictionaries begin, and the end marker. */
function messageStarts(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer);
  const starts = [0];
  for (let at = 0; view.getInt32(at + 4, true) > 0; starts.push(at)) {
    const length = view.getInt32(at + 4, true);
    at += 8 + length + Message.decode(bytes.subarray(at + 8, at + 8 + length)).bodyLength;
  }
  return starts;
}

describe("arrowChunks", () => {
  it.each(FILES)("finds the record batches of %s", async (file) => {
    expect(await rowsOf(goldenArrow(file))).toEqual(EXPECTED_ARROW[file]?.batches);
  });

  it.each([1, 3, 8, 1000])("gives the same chunks from pieces of %i bytes", async (size) => {
    for (const file of ["rollouts.arrow", "rollouts.arrows", "legacy.arrows", "polars-lz4.arrow"]) {
      const bytes = goldenArrow(file);
      const whole = await collect(arrowChunks(inPieces(bytes), file));
      expect(await collect(arrowChunks(inPieces(bytes, size), file))).toEqual(whole);
    }
  });

  it("gives each batch a buffer of its own, so that it can be transferred", async () => {
    for (const { batch } of await collect(arrowChunks(inPieces(goldenArrow("legacy.arrow")), "x"))) {
      expect(batch.byteOffset).toBe(0);
      expect(batch.buffer.byteLength).toBe(batch.length);
    }
  });

  it("keeps one prefix object while no dictionary changes", async () => {
    const same = await collect(arrowChunks(inPieces(goldenArrow("rollouts.arrow")), "x"));
    expect(new Set(same.map((chunk) => chunk.prefix)).size).toBe(1);
    const replaced = await collect(arrowChunks(inPieces(goldenArrow("replaced.arrows")), "x"));
    expect(new Set(replaced.map((chunk) => chunk.prefix)).size).toBe(3);
    const lengths = (await collect(arrowChunks(inPieces(goldenArrow("delta.arrows")), "x"))).map(
      (chunk) => chunk.prefix.length,
    );
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
  });

  it("drops a dictionary that was replaced from the prefix", async () => {
    const [first, , last] = await collect(arrowChunks(inPieces(goldenArrow("replaced.arrows")), "x"));
    expect(last?.prefix.length).toBeLessThanOrEqual(first?.prefix.length ?? 0);
  });

  it("reads a file of apache-arrow, which has its schema in the footer only", async () => {
    const table = makeTable({ a: new Float64Array([1, 2, 3]) });
    expect(await rowsOf(tableToIPC(table, "file"))).toEqual([3]);
    expect(await rowsOf(tableToIPC(table.slice(0, 0), "file"))).toEqual([0]);
    expect(await rowsOf(tableToIPC(new Table(table.schema, []), "file"))).toEqual([]);
    const cut = tableToIPC(table, "file").slice(0, -1);
    expect((await errorOf(cut)).message).toContain("without the closing footer");
  });

  it("lets go of the source when it is left early", async () => {
    let closed = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        yield* inPieces(goldenArrow("rollouts.arrows"), 100);
      } finally {
        closed = true;
      }
    }
    for await (const chunk of arrowChunks(source(), "x")) {
      expect(chunk.rows).toBe(3);
      break;
    }
    expect(closed).toBe(true);
  });
});

describe("arrowChunks, dictionaries behind the batches", () => {
  it("reads a source a second time when it can be opened again", async () => {
    for (const file of ["polars.arrow", "polars-lz4.arrow"]) {
      const bytes = goldenArrow(file);
      let opened = 0;
      const reopen = (): AsyncIterable<Uint8Array> => {
        opened += 1;
        return inPieces(bytes);
      };
      const twice = await collect(arrowChunks(inPieces(bytes), file, { reopen }));
      expect(opened).toBe(1);
      expect(twice).toEqual(await collect(arrowChunks(inPieces(bytes), file)));
    }
  });

  it("does not open a source again whose dictionaries come first", async () => {
    const reopen = (): never => {
      throw new Error("not needed");
    };
    const chunks = await collect(arrowChunks(inPieces(goldenArrow("rollouts.arrow")), "x", { reopen }));
    expect(chunks.length).toBe(2);
  });
});

describe("arrowChunks, cut off", () => {
  it.each(["rollouts.arrow", "rollouts.arrows", "legacy.arrow", "legacy.arrows", "polars.arrow"])(
    "refuses %s cut after any byte",
    async (file) => {
      const bytes = goldenArrow(file);
      const step = file.startsWith("polars") ? 7 : 1;
      for (let length = 0; length < bytes.length; length += step) await errorOf(bytes.slice(0, length));
    },
  );

  it("refuses any file cut anywhere", async () => {
    const cut = fc.record({
      file: fc.constantFrom(...FILES),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(cut, async ({ file, part }) => {
        const bytes = goldenArrow(file);
        await errorOf(bytes.slice(0, Math.floor(part * (bytes.length - 1))));
      }),
      { numRuns: 150 },
    );
  });

  it("says how many batches and rows came before a cut between two batches", async () => {
    const bytes = goldenArrow("nested.arrows");
    const stream = await plainStream();
    const [, first, second, end] = messageStarts(stream) as [number, number, number, number];
    expect(await rowsOf(stream)).toEqual([2, 1]);
    expect((await errorOf(stream.slice(0, first))).message).toBe(
      "x is cut off: it ends without the end-of-stream marker after 0 record batches (0 rows); " +
        "write it again and close the writer",
    );
    const { message, details } = await errorOf(stream.slice(0, second));
    expect(message).toContain("without the end-of-stream marker after 1 record batch (2 rows);");
    expect(details).toMatchObject({ batches: 1, rows: 2 });
    expect((await errorOf(stream.slice(0, end))).message).toContain("after 2 record batches (3 rows);");
    expect((await errorOf(bytes.slice(0, bytes.length - 8))).message).toContain(
      "after 3 record batches (5 rows)",
    );
  });

  it("yields the batches before the cut first", async () => {
    const stream = await plainStream();
    const cut = stream.slice(0, messageStarts(stream)[2]);
    const rows: number[] = [];
    await expect(async () => {
      for await (const chunk of arrowChunks(inPieces(cut), "x")) rows.push(chunk.rows);
    }).rejects.toThrow("1 record batch (2 rows)");
    expect(rows).toEqual([2]);
  });
});

async function plainStream(): Promise<Uint8Array> {
  const table = makeTable({ a: new Int32Array([1, 2]) }).concat(makeTable({ a: new Int32Array([3]) }));
  return RecordBatchStreamWriter.writeAll(table).toUint8Array();
}

describe("arrowChunks, not Arrow", () => {
  it.each([
    ["nothing", [], "x is empty"],
    ["Parquet", Buffer.from("PAR1...."), "x is not Arrow IPC data: Parquet"],
    [
      "Feather 1",
      Buffer.from("FEA1...."),
      "x is not Arrow IPC data: Feather version 1, write it again as Arrow IPC (Feather version 2)",
    ],
    ["JSON", Buffer.from('{"a": 1}'), 'x is not Arrow IPC data: it begins with "{\\"a\\": 1}"'],
    ["a few bytes", Buffer.from("ab"), 'x is not Arrow IPC data: it begins with "ab"'],
    ["zeros", new Uint8Array(64), "x is not Arrow IPC data"],
  ])("refuses %s", async (_, bytes, message) => {
    expect((await errorOf(Uint8Array.from(bytes))).message).toContain(message);
  });

  it("refuses random bytes behind a marker without allocating what they announce", async () => {
    const random = fc.uint8Array({ minLength: 1, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(random, async (bytes) => {
        await errorOf(Uint8Array.from([...MARKER, 64, 0, 0, 0, ...bytes]));
      }),
    );
  });

  it("refuses impossible lengths", async () => {
    const stream = goldenArrow("rollouts.arrows");
    expect((await errorOf(patched(stream, 4, [0xff, 0xff, 0xff, 0x7f]))).message).toContain("is cut off");
    expect((await errorOf(patched(stream, 4, [0, 0, 0, 0x80]))).message).toContain(
      "impossible message length",
    );
    const body = bodyLengthAt(stream);
    expect((await errorOf(patched(stream, body, [0, 0, 0, 0, 0, 0, 4, 0]))).message).toContain("is cut off");
    expect((await errorOf(patched(stream, body, MARKER.concat(MARKER)))).message).toContain(
      "impossible length -1",
    );
  });
});

/** Where the body length of a stream's last record batch stands. */
function bodyLengthAt(bytes: Uint8Array): number {
  const start = messageStarts(bytes).at(-2) as number;
  const length = Message.decode(bytes.subarray(start + 8)).bodyLength;
  const view = new DataView(bytes.buffer);
  for (let at = start + 8; ; at += 4) if (view.getBigInt64(at, true) === BigInt(length)) return at;
}

describe("arrowChunks, damaged", () => {
  it("refuses bytes behind the end of a stream: a second stream would be lost", async () => {
    const stream = goldenArrow("rollouts.arrows");
    const { message } = await errorOf(Uint8Array.from([...stream, ...stream]));
    expect(message).toContain("more bytes follow the end-of-stream marker");
  });

  it("refuses a second schema and a stream without one", async () => {
    const stream = goldenArrow("no-batches.arrows");
    const schema = stream.slice(0, -8);
    expect((await errorOf(Uint8Array.from([...schema, ...stream]))).message).toContain(
      "a second schema begins",
    );
    const batches = goldenArrow("rollouts.arrows");
    const headless = batches.slice(messageStarts(batches)[1]);
    expect((await errorOf(headless)).message).toContain("does not begin with a schema");
  });

  it("refuses a file whose footer lists other batches", async () => {
    const file = goldenArrow("rollouts.arrow");
    const other = goldenArrow("legacy.arrow");
    const end = (bytes: Uint8Array): number =>
      Buffer.from(bytes).lastIndexOf(Buffer.from([...MARKER, 0, 0, 0, 0])) + 8;
    const none = goldenArrow("no-batches.arrow");
    const mixed = Uint8Array.from([...file.slice(0, end(file)), ...none.slice(end(none))]);
    expect((await errorOf(mixed)).message).toContain("its footer lists 0 record batches");
    expect(await rowsOf(other)).toEqual([2, 1]);
  });

  it.each([
    ["list_view.arrows", "x: column bad has an Arrow type that cannot be read, write it as list: list_view"],
    [
      "run_end.arrows",
      "x: column bad has an Arrow type that cannot be read, write it as its plain values: run_end_encoded",
    ],
    [
      "int128.arrow",
      "x: column bad has an Arrow type that cannot be read, write it as int64 or decimal: int128",
    ],
    ["twice.arrows", "x: two columns have the same name, rename one of them: same"],
  ])("refuses %s", async (file, message) => {
    expect((await errorOf(goldenArrow(file))).message).toBe(message);
  });

  it("never fails otherwise than by a CalibrantError", async () => {
    const flips = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("rollouts.arrow", "polars.arrow", "nested.arrows"),
        flips,
        async (file, changes) => {
          const bytes = goldenArrow(file);
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          await readAll(bytes).catch((error: unknown) => expect(error).toBeInstanceOf(CalibrantError));
        },
      ),
      { numRuns: 300 },
    );
  });
});

async function readAll(bytes: Uint8Array): Promise<void> {
  const { schema, chunks } = await openArrowChunks(inPieces(bytes), "x");
  expect(foundArrowColumns(schema).length).toBe(schema.fields.length);
  await collect(chunks);
}

describe("openArrowChunks and readArrowSchema", () => {
  it.each(FILES)("read the schema of %s", async (file) => {
    const names = Object.keys(EXPECTED_ARROW[file]?.types ?? {});
    const opened = await openArrowChunks(inPieces(goldenArrow(file)), file);
    expect(opened.schema.fields.map((field) => field.name)).toEqual(names);
    await opened.close();
    const schema = await readArrowSchema(inPieces(goldenArrow(file)), file);
    expect(schema.fields.map((field) => field.name)).toEqual(names);
  });

  it("keep field metadata", async () => {
    const schema = await readArrowSchema(inPieces(goldenArrow("polars.arrow")), "x");
    expect(schema.fields.find((field) => field.name === "enum")?.metadata.get("_PL_ENUM_VALUES2")).toBe(
      "1;x1;y1;z",
    );
  });

  it("read no further than the schema and let go of the source", async () => {
    let pulled = 0;
    let closed = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        for await (const piece of inPieces(goldenArrow("nested.arrows"), 1000)) {
          pulled += 1;
          yield piece;
        }
      } finally {
        closed = true;
      }
    }
    await readArrowSchema(source(), "x");
    expect(closed).toBe(true);
    expect(pulled).toBeLessThan(10);
  });
});
