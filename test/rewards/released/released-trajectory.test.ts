import { describe, expect, it } from "vitest";
import { pythonInt } from "../../../src/rewards/released/python-int.ts";
import {
  type ReleasedTrajectory,
  releasedTrajectory,
} from "../../../src/rewards/released/released-trajectory.ts";
import { HAS_VECTORS, vectors } from "./shared-cases.ts";

interface TrajectoryVector {
  readonly messages: unknown;
  readonly annotations: unknown;
  readonly turn_end_mask: readonly number[];
  readonly reward_weight: number;
}

interface TrajectoryExpected {
  readonly turn_message_indices: readonly (readonly number[])[];
  readonly placements: readonly {
    readonly turn_idx: number;
    readonly token_position: number;
    readonly reward: number;
  }[];
  readonly used_annotations: number;
  readonly raw_sum: number;
}

describe.skipIf(!HAS_VECTORS)("the shared vectors of released_trajectory", () => {
  it.each(vectors<TrajectoryVector, TrajectoryExpected>("released_trajectory"))(
    "$name",
    ({ input, expected }) => {
      const result = releasedTrajectory({
        messages: input.messages,
        annotations: input.annotations,
        turnEndMask: input.turn_end_mask,
        rewardWeight: input.reward_weight,
      });
      expect(result.turnMessageIndices).toEqual(expected.turn_message_indices);
      expect(result.placements.map((at) => [at.turnIdx, at.tokenPosition])).toEqual(
        expected.placements.map((at) => [at.turn_idx, at.token_position]),
      );
      for (const [index, { reward }] of expected.placements.entries()) {
        const error = Math.abs((result.placements[index]?.reward ?? Number.NaN) - reward);
        expect(error).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(reward)));
      }
      expect([result.usedAnnotations, result.rawSum]).toEqual([expected.used_annotations, expected.raw_sum]);
    },
  );
});

const messages = [{ role: "user" }, { role: "assistant" }, { role: "user" }, { role: "assistant" }];
const run = (annotations: unknown, more: object = {}): ReleasedTrajectory =>
  releasedTrajectory({ messages, annotations, turnEndMask: [0, 1, 0, 2], rewardWeight: 1, ...more });

describe("releasedTrajectory", () => {
  it("reads turn_idx by Python's int()", () => {
    const turns = (indices: readonly unknown[]): readonly number[] =>
      indices.map((turn_idx) => run([{ turn_idx, gt_action: "A", score: 1 }]).placements[0]?.turnIdx ?? -1);
    expect(turns([1.9, -0.9, true, false, " 1 ", "+1", "0_1", "\u0661", "\u30001", 1n])).toEqual([
      1, 0, 1, 0, 1, 1, 1, 1, 1, 1,
    ]);
    expect(
      turns([2, -1, "1.0", "1e0", "0x1", "", "1 1", "\u001c1", "\ufeff1", null, Number.NaN, [1], {}]),
    ).toEqual(Array(13).fill(-1));
    expect(pythonInt(Number.POSITIVE_INFINITY)).toBeNull();
    expect(["-\u0661_\u0662", "\u{1d7d8}7", "1__0", "_1", "1_", "\u00b2"].map(pythonInt)).toEqual([
      -12n,
      7n,
      null,
      null,
      null,
      null,
    ]);
    expect(
      run('[{"turn_idx": 1.0, "gt_action": "A"}, {"turn_idx": 1, "turn_idx": Infinity, "gt_action": "A"}]'),
    ).toEqual({
      turnMessageIndices: [
        [0, 1],
        [2, 3],
      ],
      placements: [{ turnIdx: 1, tokenPosition: 3, reward: 0 }],
      usedAnnotations: 1,
      rawSum: 0,
    });
  });

  it("takes letters only, and the label where gt_action is empty", () => {
    const used = (item: object): number => run([{ turn_idx: 0, score: 1, ...item }]).usedAnnotations;
    expect(
      [{ gt_action: "", label: "d" }, { gt_action: null, label: "\u3000B" }, { label: "c" }].map(used),
    ).toEqual([1, 1, 1]);
    const skipped = [
      { gt_action: "E", label: "A" },
      { gt_action: " ", label: "A" },
      { gt_action: "tool_call" },
    ];
    expect([...skipped, { gt_action: "AB" }, { gt_action: 1 }, {}].map(used)).toEqual(Array(6).fill(0));
  });

  it("averages the weighted scores of a turn, 0 where there is none", () => {
    const item = (score: unknown): object => ({ turn_idx: 1, gt_action: "A", score });
    expect(run([item(0.5), item(null), item("0.25"), item("x")], { rewardWeight: 2 })).toMatchObject({
      placements: [{ turnIdx: 1, tokenPosition: 3, reward: 0.375 }],
      usedAnnotations: 4,
      rawSum: 0.375,
    });
    expect(run([item(0.00005), { ...item(0.00025), turn_idx: 0 }]).rawSum).toBe(0.0003);
  });

  it("finds the messages in every form, and places nothing where something is missing", () => {
    const annotations = [{ turn_idx: 1, gt_action: "A", score: 1 }];
    const text = JSON.stringify(messages);
    for (const form of [messages, text, { messages }, { messages: text }]) {
      expect(run(annotations, { messages: form }).placements).toHaveLength(1);
    }
    for (const form of [null, [], "[", "5", 5, {}, { messages: null }, JSON.stringify({ messages })]) {
      const result = run(annotations, { messages: form });
      expect(result).toEqual({ turnMessageIndices: [], placements: [], usedAnnotations: 0, rawSum: 0 });
    }
    for (const form of [null, "", "{}", '{"turn_idx": 0}', annotations[0], ["[1]", "{"]]) {
      expect(run(form).usedAnnotations).toBe(0);
    }
    expect(run(annotations, { turnEndMask: [true] }).placements).toEqual([]);
    expect(run(annotations, { turnEndMask: Uint8Array.of(1, 1) }).placements[0]?.tokenPosition).toBe(1);
    expect(run([], { messages: [5, { role: "user" }, null] }).turnMessageIndices).toEqual([[0, 1, 2]]);
  });

  it("takes a great many of everything in linear time", () => {
    const many = Array.from({ length: 5e4 }, (_, turn_idx) => ({ turn_idx, gt_action: "A", score: 1 }));
    const result = run(many, {
      messages: many.map(() => ({ role: "user" })),
      turnEndMask: new Uint8Array(1e6).fill(1),
    });
    expect([result.usedAnnotations, result.rawSum]).toEqual([5e4, 5e4]);
    expect(run([{ turn_idx: `${" ".repeat(1e6)}x`, gt_action: "A" }]).usedAnnotations).toBe(0);
    expect(run([{ turn_idx: "1".repeat(1e5), gt_action: "A" }]).usedAnnotations).toBe(0);
  });
});
