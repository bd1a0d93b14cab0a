import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createGroupOrder } from "../../../src/cli/score/group-order.ts";
import { createGroupIndex, type GroupIndex } from "../../../src/data/keys/group-index.ts";

/** An index that knows the groups `a`, `b`, `c`, …, in this order. */
function letters(count: number): GroupIndex {
  const index = createGroupIndex();
  const keys = Array.from({ length: count }, (_, group) => String.fromCharCode(97 + group));
  index.add({ kind: "key", codes: Int32Array.from(keys.keys()), keys }, count);
  return index;
}

function follow(...batches: readonly (readonly number[])[]): number[] {
  const order = createGroupOrder(letters(26));
  return batches.map((groups) => order.follow(Int32Array.from(groups)));
}

describe("createGroupOrder", () => {
  it("counts the rows before the group that is still open", () => {
    expect(follow([0, 0, 0])).toEqual([0]);
    expect(follow([0, 0, 1])).toEqual([2]);
    expect(follow([0, 1, 2, 2])).toEqual([2]);
    expect(follow([0, 0], [0, 0], [0, 1], [1, 2])).toEqual([0, 0, 5, 7]);
  });

  it("closes a group when the next one begins with the next rows", () => {
    expect(follow([0, 0], [1])).toEqual([0, 2]);
  });

  it("has rows without a group complete at once, and the group before them", () => {
    expect(follow([-1])).toEqual([1]);
    expect(follow([-1, -1], [-1], [0])).toEqual([2, 3, 3]);
    expect(follow([0, 0, -1, -1, 1])).toEqual([4]);
    expect(follow([0, -1])).toEqual([2]);
  });

  it("is where it was after no rows", () => {
    expect(follow([], [0, 1], [], [1])).toEqual([0, 1, 1, 1]);
  });

  it.each([
    [[[0, 0, 1, 0]], "a", 3],
    [
      [
        [0, 1],
        [1, 2],
        [3, 1],
      ],
      "b",
      5,
    ],
    [[[0, -1, 0]], "a", 2],
    [[[0, 1], [0]], "a", 2],
  ])("names the group of %j that comes back, and its row", (batches, group, row) => {
    expect(() => follow(...batches)).toThrow(
      expect.objectContaining({
        code: "data",
        message: `a pipe is read once, so the rows of a group must lie together: group_id ${group} comes back at row ${row}; sort by group_id, or give a file`,
        details: { group, row },
      }),
    );
  });

  it("finds the same rows complete however a stream is cut", () => {
    const run = fc.record({ size: fc.integer({ min: 1, max: 4 }), grouped: fc.boolean() });
    fc.assert(
      fc.property(fc.array(run, { maxLength: 10 }), fc.array(fc.nat(6), { maxLength: 20 }), (runs, cuts) => {
        let group = 0;
        const groups = runs.flatMap(({ size, grouped }) => {
          const number = grouped ? group++ : -1;
          return Array.from({ length: size }, () => number);
        });
        const open = groups.at(-1) ?? -1;
        const expected = open < 0 ? groups.length : groups.indexOf(open);
        const order = createGroupOrder(letters(26));
        let at = 0;
        let complete = 0;
        for (const cut of [...cuts, groups.length]) {
          const next = order.follow(Int32Array.from(groups.slice(at, at + cut)));
          expect(next).toBeGreaterThanOrEqual(complete);
          complete = next;
          at += cut;
        }
        expect(complete).toBe(expected);
      }),
    );
  });
});
