import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { batchFromRows } from "../../src/data/jsonl/rows-columns.ts";
import { trustJob } from "../../src/rewards/trust.ts";

type Row = Readonly<Record<string, unknown>>;

const CALL = '{"name": "ls", "arguments": {}}';

/** Two groups, interleaved, with everything that rows can have. */
const rows: readonly Row[] = [
  {
    group_id: "a",
    gt_action: "tool_call",
    gt_answer: CALL,
    response: `<think>.</think><B><answer>${CALL}</answer>`,
    logprobs: [-0.1, -0.2],
  },
  { group_id: "b", gt_action: "ask", action: "ask", answer: "Who?", gt_answer: "Who?", ppl: 1.5, neg_ppl: 3 },
  {
    group_id: "a",
    gt_action: "tool_call",
    action: "unable",
    logprobs: [-1, -0.5, -9],
    logprob_mask: [1, 1, 0],
  },
  { group_id: "b", gt_action: "ask", action: "tool", logprobs: [-0.7], ref_logprobs: [-0.2] },
  { group_id: null, gt_action: "ask", action: "tool", ppl: 2 },
  {
    group_id: "a",
    gt_action: "tool_call",
    messages: '[{"role":"assistant","content":"Hello"}]',
    ppl: 4,
    ref_ppl: 2,
  },
  { group_id: "a", gt_action: null, action: "ask", ppl: 2 },
];

/** The finished rows of a run that gets them in batches of the given sizes. */
function run(input: readonly Row[], sizes: readonly number[]): { values: number[][]; status: number[] } {
  const job = trustJob();
  const requests = [...job.needs.required.flat(), ...job.needs.optional];
  const state = job.createGroups();
  const keys: string[] = [];
  let start = 0;
  const batches = sizes.map((size) => {
    const part = input.slice(start, start + size);
    start += size;
    const parts = job.scoreRows(batchFromRows(part, requests, "rows"));
    const groups = Int32Array.from(part, ({ group_id }) => {
      if (typeof group_id !== "string") return -1;
      if (!keys.includes(group_id)) keys.push(group_id);
      return keys.indexOf(group_id);
    });
    state.add(parts, groups);
    return { kept: parts.kept, groups };
  });
  const finished = batches.map(({ kept, groups }) => state.finish(kept, groups));
  const values = job.results.map((_, column) =>
    finished.flatMap(({ columns }) => [...(columns[column]?.values ?? [])]),
  );
  return { values, status: finished.flatMap(({ status }) => [...status]) };
}

describe("trustJob", () => {
  it("names what it needs, keeps and gives", () => {
    const job = trustJob();
    expect(job.name).toBe("trust");
    expect(job.needs.required.map((set) => set.map(({ name }) => name))).toEqual([
      ["group_id"],
      ["gt_action"],
      ["action", "response", "messages"],
      ["logprobs", "ppl"],
    ]);
    expect(job.results).toEqual(["ppl", "nll", "margin", "certainty", "r_fmt", "r_ans", "r_cls", "reward"]);
    expect(job.statusNames.slice(0, 7)).toEqual([
      "separated",
      "no_positive",
      "no_negative",
      "no_perplexity",
      "no_group",
      "unparsed",
      "no_gold",
    ]);
    // One more bit is the caller's, and a bit mask has 32.
    expect(job.statusNames.length).toBeLessThanOrEqual(31);
    expect(trustJob({ level: "segment" }).needs.required.at(-1)).toEqual([
      { name: "logprob_segments", kind: "list" },
    ]);
  });

  it("gives its columns in the order of its results, one part per kept name", () => {
    const job = trustJob();
    const parts = job.scoreRows(batchFromRows(rows, job.needs.required.flat(), "rows"));
    expect(parts.kept.length).toBe(job.kept.length);
    const state = job.createGroups();
    const groups = new Int32Array(rows.length);
    state.add(parts, groups);
    expect(state.finish(parts.kept, groups).columns.map(({ name }) => name)).toEqual(job.results);
  });

  it("gives the same numbers however rows are divided", () => {
    const whole = run(rows, [rows.length]);
    expect(run(rows, [1, 1, 1, 1, 1, 1, 1])).toEqual(whole);
    expect(run(rows, [3, 0, 4])).toEqual(whole);
    const [, , margin, , format, answer, ofClass] = whole.values as number[][];
    expect(margin?.[0]).toBeCloseTo((Math.exp(0.75) + 4) / 2 - Math.exp(0.15), 14);
    expect(margin?.[1]).toBeCloseTo(Math.exp(0.7) - 1.5, 14);
    expect(format).toEqual([1, NaN, NaN, NaN, NaN, 0, NaN]);
    expect(answer).toEqual([1, 1, 0, 0, 0, 0, NaN]);
    expect(ofClass).toEqual([3, 3, 1, 1, 1, 1, NaN]);
  });

  it("can finish more than once, and after more rows", () => {
    const job = trustJob();
    const requests = [...job.needs.required.flat(), ...job.needs.optional];
    const state = job.createGroups();
    const first = job.scoreRows(
      batchFromRows([{ group_id: 1, gt_action: "ask", action: "ask", ppl: 2 }], requests, "rows"),
    );
    const groups = new Int32Array(1);
    state.add(first, groups);
    const marginNow = (): number | undefined => state.finish(first.kept, groups).columns[2]?.values[0];
    expect([marginNow(), marginNow()]).toEqual([0, 0]);
    const second = job.scoreRows(
      batchFromRows([{ group_id: 1, gt_action: "ask", action: "unable", ppl: 5 }], requests, "rows"),
    );
    state.add(second, groups);
    expect(marginNow()).toBe(3);
  });

  it("takes columns that a batch lacks as missing", () => {
    const job = trustJob();
    const { kept } = job.scoreRows(batchFromRows([{}], [], "rows"));
    expect(kept.slice(0, 5).map((values) => values[0])).toEqual([NaN, NaN, NaN, NaN, NaN]);
  });
});

const VECTORS = new URL("../../../shared/cases/trust/paper_group.json", import.meta.url);

interface Vector {
  readonly input: {
    readonly gold_action: string;
    readonly rollouts: readonly Row[];
    readonly ref_ppl?: number;
    readonly neg_ppl?: number;
    readonly tau: number;
  };
  readonly expected: { readonly reward: readonly number[] };
}

describe.skipIf(!existsSync(VECTORS))("all golden groups in one run", () => {
  it("gets every reward right", () => {
    const vectors = JSON.parse(readFileSync(VECTORS, "utf8")) as readonly Vector[];
    const usual = vectors.filter(({ input }) => input.tau === 0.1);
    const input = usual.flatMap(({ input }, group) =>
      input.rollouts.map(({ action, logprobs, r_fmt, r_ans }) => ({
        group_id: `g${group}`,
        gt_action: input.gold_action,
        action,
        logprobs,
        judged_r_fmt: r_fmt,
        judged_r_ans: r_ans,
        ref_ppl: input.ref_ppl ?? null,
        neg_ppl: input.neg_ppl ?? null,
      })),
    );
    const expected = usual.flatMap(({ expected }) => expected.reward);
    const { values } = run(input, [10, 1, input.length - 11]);
    expect(expected.length).toBeGreaterThan(50);
    values.at(-1)?.forEach((reward, row) => {
      expect(Math.abs(reward - (expected[row] as number))).toBeLessThanOrEqual(
        1e-12 * Math.max(1, expected[row] as number),
      );
    });
  });
});
