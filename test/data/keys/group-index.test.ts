import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KeyColumn } from "../../../src/data/columns.ts";
import { createGroupIndex } from "../../../src/data/keys/group-index.ts";

/** A column of texts; `spare` are keys that no row has. */
function keyColumn(texts: readonly (string | null)[], spare: readonly string[] = []): KeyColumn {
  const keys = [...new Set([...spare, ...texts.filter((text) => text !== null)])];
  const codes = Int32Array.from(texts, (text) => (text === null ? -1 : keys.indexOf(text)));
  return { kind: "key", codes, keys };
}

describe("createGroupIndex", () => {
  it("numbers groups by first appearance, over batches with codes of their own", () => {
    const index = createGroupIndex();
    expect(index.size).toBe(0);
    expect([...index.add(keyColumn(["b", "a", null, "b"]), 4)]).toEqual([0, 1, -1, 0]);
    expect([...index.add(keyColumn(["c", "a", "b"]), 3)]).toEqual([2, 1, 0]);
    expect(index.size).toBe(3);
    expect([0, 1, 2].map((group) => index.key(group))).toEqual(["b", "a", "c"]);
  });

  it("knows no group of a key that no row has", () => {
    const index = createGroupIndex();
    expect([...index.add(keyColumn(["x"], ["spare", "other"]), 1)]).toEqual([0]);
    expect(index.size).toBe(1);
    expect([...index.add(keyColumn(["spare"]), 1)]).toEqual([1]);
  });

  it("takes keys that a dictionary lists twice for one, and no key for another", () => {
    const index = createGroupIndex();
    const twice: KeyColumn = {
      kind: "key",
      codes: Int32Array.of(0, 1, 2, 3),
      keys: ["a", "", "a", "__proto__"],
    };
    expect([...index.add(twice, 4)]).toEqual([0, 1, 0, 2]);
    expect([...index.add(keyColumn(["__proto__", "constructor", ""]), 3)]).toEqual([2, 3, 1]);
  });

  it("has no groups without the column", () => {
    const index = createGroupIndex();
    expect([...index.add(undefined, 3)]).toEqual([-1, -1, -1]);
    expect([...index.add(keyColumn([]), 0)]).toEqual([]);
    expect(index.size).toBe(0);
  });

  it("gives every row the place of its key among all keys so far", () => {
    const batches = fc.array(fc.array(fc.option(fc.string({ maxLength: 2 })), { maxLength: 12 }), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(batches, (all) => {
        const index = createGroupIndex();
        const seen: string[] = [];
        for (const texts of all) {
          const column = keyColumn(texts, ["spare"]);
          const codes = column.codes.slice();
          const groups = index.add(column, texts.length);
          texts.forEach((text, row) => {
            if (text !== null && !seen.includes(text)) seen.push(text);
            expect(groups[row]).toBe(text === null ? -1 : seen.indexOf(text));
          });
          expect(column.codes).toEqual(codes);
        }
        expect(Array.from({ length: index.size }, (_, group) => index.key(group))).toEqual(seen);
      }),
    );
  });
});
