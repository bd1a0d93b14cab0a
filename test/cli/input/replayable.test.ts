import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Replayable, replayable } from "../../../src/cli/input/replayable.ts";
import { collect } from "../../golden/arrow-files.ts";

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
const text = (pieces: readonly Uint8Array[]): string => Buffer.concat(pieces).toString();

function stream(pieces: readonly string[]): { once: Replayable; read: () => number; closed: () => boolean } {
  let read = 0;
  let closed = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for (const piece of pieces) {
        read += 1;
        yield bytes(piece);
      }
    } finally {
      closed = true;
    }
  }
  return { once: replayable(source()), read: () => read, closed: () => closed };
}

async function first(pieces: AsyncIterable<Uint8Array>, count: number): Promise<string> {
  const taken: Uint8Array[] = [];
  if (count === 0) return "";
  for await (const piece of pieces) if (taken.push(piece) === count) break;
  return text(taken);
}

describe("replayable", () => {
  it("gives the whole stream after any looks at its beginning", async () => {
    const looks = fc.array(fc.nat(6), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string(), { maxLength: 5 }), looks, async (pieces, counts) => {
        const { once } = stream(pieces);
        for (const count of counts) {
          expect(await first(once.peek(), count)).toBe(text(pieces.slice(0, count).map(bytes)));
        }
        expect(text(await collect(once.all()))).toBe(text(pieces.map(bytes)));
      }),
    );
  });

  it("reads no further than it was looked at", async () => {
    const { once, read } = stream(["a", "b", "c"]);
    expect(await first(once.peek(), 2)).toBe("ab");
    expect(await first(once.peek(), 1)).toBe("a");
    expect(read()).toBe(2);
  });

  it("keeps the stream open after a look, and lets go of it when the reading is left early", async () => {
    const { once, closed } = stream(["a", "b", "c"]);
    await first(once.peek(), 1);
    expect(closed()).toBe(false);
    expect(await first(once.all(), 2)).toBe("ab");
    expect(closed()).toBe(true);
  });

  it("holds nothing that was given out", async () => {
    const { once } = stream(["a", "b"]);
    await collect(once.peek());
    await collect(once.all());
    expect(await collect(once.all())).toEqual([]);
  });

  it("passes on that the stream broke", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield bytes("a");
      throw new Error("the pipe broke");
    }
    const once = replayable(broken());
    expect(await first(once.peek(), 1)).toBe("a");
    await expect(collect(once.all())).rejects.toThrow("the pipe broke");
  });
});
