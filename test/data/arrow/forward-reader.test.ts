import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createForwardReader } from "../../../src/data/arrow/forward-reader.ts";
import { inPieces } from "../../golden/arrow-files.ts";

const TEN = Uint8Array.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

describe("createForwardReader", () => {
  it("reads the same bytes whatever the pieces and the counts", async () => {
    const counts = fc.array(fc.nat(20), { maxLength: 20 });
    const input = fc.tuple(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 50 }), counts);
    await fc.assert(
      fc.asyncProperty(input, async ([bytes, size, asked]) => {
        const reader = createForwardReader(inPieces(bytes, size));
        let at = 0;
        for (const count of asked) {
          const expected = bytes.slice(at, at + count);
          expect([...(await reader.peek(count))]).toEqual([...expected]);
          const read = await reader.read(count, Uint8Array.of(7));
          expect([...read]).toEqual([7, ...expected]);
          expect(read.buffer.byteLength).toBe(read.length);
          at = Math.min(bytes.length, at + count);
        }
        expect([...(await reader.rest())]).toEqual([...bytes.slice(at)]);
        expect((await reader.rest()).length).toBe(0);
      }),
    );
  });

  it("gives what there is when more is announced than any memory holds", async () => {
    const reader = createForwardReader(inPieces(TEN, 3));
    expect([...(await reader.read(2 ** 50))]).toEqual([...TEN]);
  });

  it("skips empty pieces and leaves the source's pieces alone", async () => {
    const pieces = [new Uint8Array(0), TEN.slice(), new Uint8Array(0)];
    async function* source(): AsyncGenerator<Uint8Array> {
      yield* pieces;
    }
    const read = await createForwardReader(source()).read(4);
    read.fill(99);
    expect(pieces[1]).toEqual(TEN);
  });

  it("closes the source once it is told to, and then gives nothing", async () => {
    let closed = 0;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        yield TEN;
        yield TEN;
      } finally {
        closed += 1;
      }
    }
    const reader = createForwardReader(source());
    await reader.read(2);
    await reader.close();
    await reader.close();
    expect(closed).toBe(1);
    expect((await reader.read(5)).length).toBe(0);
  });
});
