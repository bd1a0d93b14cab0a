import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KeyColumn } from "../../src/data/columns.ts";
import { batchFromRows } from "../../src/data/jsonl/rows-columns.ts";
import { type AdvantageOptions, groupAdvantages } from "../../src/rewards/advantage.ts";
import type { AgreementMethod } from "../../src/rewards/answer-agreement.ts";
import { scoreTrust, type TrustRollout } from "../../src/rewards/score-trust.ts";
import { statusTexts } from "../../src/rewards/status-text.ts";
import { trustGroup } from "../../src/rewards/trust-group.ts";
import type { TrustGroupInput, TrustGroupRollout } from "../../src/rewards/trust-group-rows.ts";
import { trustReleasedJob } from "../../src/rewards/trust-released.ts";
import type { TrustWeights } from "../../src/rewards/trust-settings.ts";
import { wireMessage } from "../../src/rewards/wire-message.ts";

const CASES = new URL("../../../shared/cases/trust/", import.meta.url);

function readCases<T>(name: string): readonly T[] {
  const url = new URL(`${name}.json`, CASES);
  return existsSync(url) ? JSON.parse(readFileSync(url, "utf8")) : [];
}

function expectNear(actual: number | undefined, expected: number | null): void {
  if (expected === null) expect(actual).toBeNaN();
  else
    expect(Math.abs((actual as number) - expected)).toBeLessThanOrEqual(
      1e-12 * Math.max(1, Math.abs(expected)),
    );
}

interface PaperCase {
  readonly name: string;
  readonly input: {
    readonly gold_action: string;
    readonly rollouts: readonly {
      readonly action: string | null;
      readonly logprobs: readonly number[];
      readonly r_fmt: number;
      readonly r_ans: number;
    }[];
    readonly tau: number;
    readonly ref_ppl?: number | null;
    readonly neg_ppl?: number | null;
  };
  readonly expected: {
    readonly ppl: readonly (number | null)[];
    readonly positive_mean: number;
    readonly negative_mean: number;
    readonly margin: number;
    readonly certainty: number;
    readonly r_cls: readonly number[];
    readonly reward: readonly number[];
  };
}

const paperCases = readCases<PaperCase>("paper_group");

describe.skipIf(paperCases.length === 0)("golden vectors of the paper's group reward", () => {
  it.each(paperCases.map((vector) => [vector.name, vector] as const))("%s", (_name, { input, expected }) => {
    for (const form of ["plain", "typed"]) {
      const scores = trustGroup(
        {
          goldAction: input.gold_action,
          refPpl: input.ref_ppl,
          negPpl: input.neg_ppl,
          rollouts: input.rollouts.map(({ action, logprobs, r_fmt, r_ans }) => ({
            action,
            logprobs: form === "typed" ? Float64Array.from(logprobs) : logprobs,
            rFmt: r_fmt,
            rAns: r_ans,
          })),
        },
        { tau: input.tau },
      );
      expectNear(scores.positive, expected.positive_mean);
      expectNear(scores.negative, expected.negative_mean);
      expectNear(scores.margin, expected.margin);
      expectNear(scores.certainty, expected.certainty);
      expected.ppl.forEach((ppl, row) => {
        expectNear(scores.ppl[row], ppl);
        expect(scores.rCls[row]).toBe(expected.r_cls[row]);
        expectNear(scores.reward[row], expected.reward[row] as number);
      });
    }
  });
});

/** The same rollouts as `scoreTrust` takes them, in one group. */
function asRollouts(group: TrustGroupInput): TrustRollout[] {
  const {
    goldAction: gtAction,
    goldAnswer: gtAnswer,
    goldActions,
    refPpl,
    refLogprobs,
    negPpl,
    rollouts,
  } = group;
  const shared = { groupId: "g", gtAction, gtAnswer, goldActions, refPpl, refLogprobs, negPpl };
  return rollouts.map((rollout) => ({ ...rollout, ...shared }));
}

const CALL = '{"name": "cd", "arguments": {"folder": "a", "force": true}}';
const TEXTS = [
  "",
  "  ",
  "Hello.",
  `<think>Go.</think><tool_call><answer>${CALL}</answer>`,
  `<think>Go.</think>tool_call<B><answer>${CALL.replace(', "force": true', "")}</answer>`,
  `<think>Go.</think><tool_call>${CALL}</tool_call>`,
  "<think>Vague.</think><ask><answer>Which city?</answer>",
  "<think>Vague.</think><ask><answer>Which town or city?</answer> really",
  "<think>No.</think>unable<B><answer>Sorry.</answer>",
  "<think>Yes.</think> <A> <answer>Which city?</answer>",
  "<answer>{broken",
];

const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof({ weight: 2, arbitrary: value }, fc.constantFrom(null, undefined));
const logprob = fc.oneof(
  { weight: 12, arbitrary: fc.double({ min: -4, max: 0, noNaN: true }) },
  fc.constantFrom(
    0,
    -0,
    5e-4,
    0.5,
    -900,
    -9999,
    -7,
    Number.NaN,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ),
);
const storage = fc.constantFrom("plain", "nulls", "f32", "f64");
const ppl = fc.oneof(
  fc.double({ min: 1, max: 9, noNaN: true }),
  fc.constantFrom(1, 0.9995, 0.5, -1, 0, Number.NaN, Number.POSITIVE_INFINITY, 1e300),
);
const action = fc.constantFrom("tool_call", "ask", "UNABLE", "direct", "A", "maybe", "");

/** Log-probs in one of the forms that trainers hold, with a mask and segments that fit. */
const tokens = fc
  .tuple(
    fc.array(logprob, { maxLength: 6 }),
    storage,
    fc.nat(),
    fc.constantFrom("none", "plain", "bits", "null"),
  )
  .chain(([values, form, seed, masked]) =>
    fc.record({
      logprobs: fc.constant(
        form === "f32"
          ? Float32Array.from(values)
          : form === "f64"
            ? Float64Array.from(values)
            : values.map((value, i) => (form === "nulls" && i === seed % 7 ? null : value)),
      ),
      logprobMask: fc.constant(maskOf(values.length, seed, masked)),
      logprobSegments: optional(
        fc.array(fc.integer({ min: 0, max: values.length }), { maxLength: 3 }).map((starts) => starts.sort()),
      ),
    }),
  );

function maskOf(length: number, seed: number, form: string): TrustGroupRollout["logprobMask"] {
  const bits = Array.from({ length }, (_, i) => (seed >> i) & 1);
  if (form === "bits") return Uint8Array.from(bits);
  if (form === "plain") return bits.map((bit) => bit === 1);
  return form === "null" ? null : undefined;
}

const messages = fc.constantFrom<TrustGroupRollout["messages"]>(
  [],
  [{ role: "user", content: "Hello" }],
  [{ role: "assistant", content: TEXTS[6] as string }],
  [
    { role: "assistant", content: null, toolCalls: [{ name: "cd", arguments: { folder: "a" } }] },
    { role: "tool" },
  ],
  [null as unknown as Record<string, unknown>],
);
const judged = optional(fc.constantFrom(0, 1, 0.25, Number.NaN));
const rollout: fc.Arbitrary<TrustGroupRollout> = fc
  .tuple(
    fc.oneof(tokens, fc.constantFrom({}, { logprobs: null })),
    fc.record({
      action: optional(action),
      response: optional(fc.constantFrom(...TEXTS)),
      messages: optional(messages),
      answer: optional(fc.constantFrom("", "Which city?", CALL)),
      ppl: optional(ppl),
      rFmt: judged,
      rAns: judged,
    }),
  )
  .map(([list, rest]) => ({ ...list, ...rest }));
const group: fc.Arbitrary<TrustGroupInput> = fc.record({
  goldAction: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom("tool_call", "ask", "unable", "direct") },
    fc.constantFrom(null, undefined, "maybe", "B"),
  ),
  goldAnswer: optional(fc.constantFrom("", "Which city?", CALL)),
  goldActions: optional(
    fc.constantFrom(
      [],
      [{ name: "cd", arguments: { folder: "a" } }],
      [{ name: "cd", arguments: '{"folder": "b", "force": true}', compare_args: ["force"] }],
    ),
  ),
  refPpl: optional(ppl),
  refLogprobs: optional(fc.array(logprob, { maxLength: 3 })),
  negPpl: optional(ppl),
  rollouts: fc.array(rollout, { minLength: 1, maxLength: 6 }),
});
const options = fc.record(
  {
    tau: fc.constantFrom<number>(0.1, 1, 1e-9),
    positive: fc.constantFrom("rollouts", "reference"),
    emptyGroup: fc.constantFrom("paper", "neutral", "released"),
    weights: fc.constantFrom<TrustWeights>({}, { format: 0, answer: -1 }, { class: 0.5 }),
    format: fc.constantFrom("on", "off"),
    answer: fc.constantFrom<AgreementMethod | "off">("auto", "exact", "call", "token-f1", "off", () => 0.25),
    sentinels: fc.constantFrom<number[]>([], [-7]),
    level: fc.constantFrom("token", "segment"),
    advantage: fc.constantFrom<AdvantageOptions>({}, { std: "none" }, { minStd: 0.5 }),
  },
  { requiredKeys: [] },
);

/** The parts that both entries return by rollout. */
const COLUMNS = ["ppl", "nll", "rFmt", "rAns", "rCls", "reward", "advantage"] as const;

describe("the law: trustGroup is scoreTrust of one group", () => {
  it("bit for bit, whatever the rollouts and the options", () => {
    fc.assert(
      fc.property(group, options, (input, chosen) => {
        const expected = scoreTrust(asRollouts(input), chosen);
        const scores = trustGroup(input, chosen);
        for (const name of COLUMNS) expect(scores[name], name).toEqual(expected[name]);
        expect(scores.status).toEqual(expected.status);
        expect(expected.margin).toEqual(new Float64Array(input.rollouts.length).fill(scores.margin));
        expect(expected.certainty).toEqual(new Float64Array(input.rollouts.length).fill(scores.certainty));
        expect(scores.status[0]?.split(";")[0]).toBe(scores.marginStatus);
      }),
      { numRuns: 800 },
    );
  });

  it("down to the words of its errors", () => {
    const bad: readonly Readonly<Record<string, unknown>>[] = [
      { action: 1.5 },
      { action: {} },
      { response: 7 },
      { answer: ["a"] },
      { logprobs: "abc" },
      { logprobs: [-1, "x"] },
      { logprobs: [-1, {}] },
      { logprobs: [-1], logprobMask: [1, 1] },
      { logprobs: [-1, -1], logprobMask: [1, 2] },
      { logprobs: [-1, -1], logprobMask: [null, 1] },
      { logprobs: [-1, -1], logprobMask: ["x", 1] },
      { logprobs: [-1, -1], logprobSegments: [3] },
      { logprobs: [-1, -1], logprobSegments: [1, 0] },
      { logprobs: [-1, -1], logprobSegments: ["x"] },
      { ppl: "2" },
      { rFmt: "1" },
      { rAns: {} },
    ];
    for (const fields of bad) {
      const rollouts = [{ action: "ask" }, fields] as unknown as TrustGroupRollout[];
      const input = { goldAction: "ask", rollouts };
      const messageOf = (run: () => unknown): string => {
        try {
          run();
        } catch (error) {
          return `${(error as Error & { code?: string }).code} ${(error as Error).message}`;
        }
        return "no error";
      };
      const level = "segment";
      const expected = messageOf(() => scoreTrust(asRollouts(input), { level }));
      expect(expected).toMatch(/^(data|length-mismatch) rollouts: row 1: column /);
      expect(messageOf(() => trustGroup(input, { level }))).toBe(expected);
    }
  });
});

interface ReleasedCase {
  readonly name: string;
  readonly input: {
    readonly gold_label: string;
    readonly samples: readonly {
      readonly pred_letter: string | null;
      readonly seq_ppl: number | "NaN" | null;
    }[];
  };
  readonly expected: readonly Readonly<Record<"ppl_gt" | "ppl_neg" | "margin" | "cert", number | null>>[];
}

/** Where `trustGroup` says what it cannot know: a gold action that is none is not read as A, nor `ask`; NaN is no perplexity. */
const DIFFERENT = ["gold_unknown_reads_a", "gold_ask_alias_reads_a", "nan_wrong"];
const releasedCases = readCases<ReleasedCase>("released_group").filter(
  ({ name }) => !DIFFERENT.includes(name),
);
const NAMES = { A: "direct_answer", B: "tool_call", C: "request_for_info", D: "cannot_answer" };

describe.skipIf(releasedCases.length === 0)("golden vectors of the released group", () => {
  it.each(releasedCases.map((vector) => [vector.name, vector] as const))(
    "%s",
    (_name, { input, expected }) => {
      const rollouts = input.samples.map(({ pred_letter: letter, seq_ppl: ppl }) => ({
        response: letter === null ? "?" : `${NAMES[letter as "A"]}<${letter}><answer>Well.</answer>`,
        ppl: ppl as number | null,
      }));
      const scores = trustGroup({ goldAction: input.gold_label, rollouts }, { variant: "released" });
      const columnOf = (name: "ppl_gt" | "ppl_neg" | "margin" | "cert"): Float64Array =>
        Float64Array.from(expected, (sample) => sample[name] ?? Number.NaN);
      expect(scores.positive).toEqual(columnOf("ppl_gt"));
      expect(scores.negative).toEqual(columnOf("ppl_neg"));
      expect(scores.margin).toEqual(columnOf("margin"));
      expect(scores.certainty).toEqual(columnOf("cert"));
    },
  );
});

/** The job `trust-released` over the same rollouts in one group, by column. */
function releasedByJob(
  input: TrustGroupInput,
  options: { readonly tau?: number; readonly lambda?: number; readonly text?: "raw" | "normalised" },
  advantage: AdvantageOptions,
): Readonly<Record<string, Float64Array | readonly string[]>> {
  const job = trustReleasedJob(options);
  const rows = input.rollouts.map((rollout) => ({
    group_id: "g",
    gt_action: input.goldAction,
    gt_answer: input.goldAnswer,
    gold_actions: input.goldActions,
    tools: input.tools,
    response: rollout.response,
    messages: rollout.messages?.map(wireMessage),
    logprobs: rollout.logprobs,
    logprob_mask: rollout.logprobMask,
    ppl: rollout.ppl,
  }));
  const batch = batchFromRows(rows, [...job.needs.required.flat(), ...job.needs.optional], "rollouts");
  const groups = (batch.columns.get("group_id") as KeyColumn).codes;
  const parts = job.scoreRows(batch);
  const state = job.createGroups();
  state.add(parts, groups);
  const { columns, status } = state.finish(parts.kept, groups);
  const valuesOf = (name: string): Float64Array => columns[job.results.indexOf(name)]?.values as Float64Array;
  const { advantage: advantages, filtered } = groupAdvantages(valuesOf("reward"), groups, advantage);
  return {
    positive: valuesOf("ppl_gt"),
    negative: valuesOf("ppl_neg"),
    margin: valuesOf("margin"),
    certainty: valuesOf("certainty"),
    rAlign: valuesOf("r_align"),
    rawScore: valuesOf("raw_score"),
    ppl: valuesOf("ppl"),
    nll: valuesOf("nll"),
    rFmt: valuesOf("r_fmt"),
    rAns: valuesOf("r_ans"),
    rCls: valuesOf("r_cls"),
    reward: valuesOf("reward"),
    advantage: advantages,
    status: statusTexts(status, filtered, job.statusNames),
  };
}

describe("the variant released", () => {
  const settings = fc.record(
    {
      tau: fc.constantFrom(0.1, 1),
      lambda: fc.constantFrom(0, 1, -0.5),
      text: fc.constantFrom("raw", "normalised"),
    },
    { requiredKeys: [] },
  );
  const tools = fc.constantFrom<unknown>(undefined, null, [], '[{"name": "cd"}]', [
    { name: "ls" },
    '{"name": "cd"}',
  ]);

  it("is the reward trust-released of one group, bit for bit", () => {
    const advantage = fc.constantFrom<AdvantageOptions>({}, { minStd: 0.05 });
    fc.assert(
      fc.property(group, tools, settings, advantage, (input, listed, chosen, wanted) => {
        const scores = trustGroup(
          { ...input, tools: listed },
          { variant: "released", ...chosen, advantage: wanted },
        );
        const expected = releasedByJob({ ...input, tools: listed }, chosen, wanted);
        for (const [name, values] of Object.entries(expected))
          expect(scores[name as "reward"], name).toEqual(values);
        expect(scores.status[0]?.split(";")[0]).toBe(scores.marginStatus);
      }),
      { numRuns: 400 },
    );
  });

  it("says no_gold where the authors' code takes A, reads aliases, and scores an empty response 0", () => {
    const rollouts = [
      { response: "ask<C><answer>Which?</answer>", ppl: 1.2 },
      { response: "", ppl: 1.4 },
    ];
    const { reward, status } = trustGroup({ goldAction: "maybe", rollouts }, { variant: "released" });
    expect([reward, status]).toEqual([
      Float64Array.of(Number.NaN, Number.NaN),
      ["no_perplexity;no_gold;no_gt_answer", "no_perplexity;unparsed;no_gold;no_response;no_gt_answer"],
    ]);
    const known = trustGroup({ goldAction: "ask", rollouts, goldAnswer: "Which?" }, { variant: "released" });
    expect([known.rCls[0], known.reward[1], known.rFmt[1]]).toEqual([2, 0, Number.NaN]);
    expect(known.status).toEqual(["no_negative", "no_negative;unparsed;no_response"]);
  });
});

describe("corners", () => {
  const right = "<think>Vague.</think>request_for_info<C><answer>Which city?</answer>";
  const rollouts = [{ response: right }, { response: "Hello." }, { action: "ask", ppl: 3 }] as const;
  const variants = ["paper", "released"] as const;

  it.each(variants)("%s: no rollouts, one, no gold action", (variant) => {
    const none = trustGroup({ goldAction: "ask", rollouts: [], refPpl: 3 }, { variant });
    expect([none.reward.length, none.advantage.length, none.status, none.marginStatus]).toEqual([
      0,
      0,
      [],
      "no_perplexity",
    ]);
    const lone = trustGroup(
      { goldAction: "ask", rollouts: [{ response: right, logprobs: [-1] }] },
      { variant },
    );
    expect([lone.advantage[0], lone.marginStatus]).toEqual([0, "no_negative"]);
    expect(lone.reward[0]).toBeGreaterThan(0);
    for (const goldAction of [null, undefined, "", "perhaps"]) {
      const { reward, advantage, status, marginStatus } = trustGroup({ goldAction, rollouts }, { variant });
      expect(reward).toEqual(new Float64Array(3).fill(Number.NaN));
      expect(advantage).toEqual(new Float64Array(3));
      expect(status.every((words) => words.includes("no_gold"))).toBe(true);
      expect(marginStatus).toBe("no_perplexity");
    }
  });

  it("no rollouts: the references alone give the margin", () => {
    const { positive, negative, margin } = trustGroup({
      goldAction: "ask",
      rollouts: [],
      refPpl: 3,
      negPpl: 9,
    });
    expect([positive, negative, margin]).toEqual([3, 1, -2]);
  });

  it("all unparsed, all perplexities missing", () => {
    const texts = [{ response: "Hm." }, { response: "Well." }];
    const unparsed = trustGroup({ goldAction: "ask", rollouts: texts.map((text) => ({ ...text, ppl: 2 })) });
    expect([unparsed.margin, [...unparsed.reward]]).toEqual([0, [0.5, 0.5]]);
    expect(unparsed.status).toEqual(["no_positive;unparsed", "no_positive;unparsed"]);
    const blank = trustGroup({ goldAction: "ask", rollouts: texts });
    expect([blank.positive, blank.negative, blank.certainty, blank.marginStatus]).toEqual([
      1,
      1,
      0.5,
      "no_perplexity",
    ]);
    expect(trustGroup({ goldAction: "ask", rollouts: [] }).certainty).toBe(0.5);
    const released = trustGroup({ goldAction: "ask", rollouts: texts }, { variant: "released" });
    expect([...released.certainty, ...released.margin, released.marginStatus]).toEqual([
      0.5,
      0.5,
      0,
      0,
      "no_perplexity",
    ]);
  });

  it.each(variants)("%s: responses of 100,000 tokens, hostile ones too", (variant) => {
    const tokens = 100_000;
    const logprobs = new Float32Array(tokens).fill(-0.5);
    const responses = [
      `<think>${"word ".repeat(tokens)}</think><ask><answer>Which ${"city ".repeat(tokens)}?</answer>`,
      "<think>".repeat(tokens),
      "<tool_call>".repeat(tokens),
      `<tool_call>${"[".repeat(tokens)}</tool_call>`,
      "source=".repeat(tokens),
      "tool_call ".repeat(tokens),
      "<".repeat(tokens),
    ];
    const scores = trustGroup(
      {
        goldAction: "ask",
        goldAnswer: `Which ${"town ".repeat(tokens)}?`,
        rollouts: responses.map((response) => ({
          response,
          logprobs,
          logprobMask: new Uint8Array(tokens).fill(1),
        })),
      },
      { variant },
    );
    expect(scores.ppl).toEqual(new Float64Array(responses.length).fill(Math.exp(0.5)));
    expect(scores.reward.every(Number.isFinite)).toBe(true);
  });

  it("never changes what it is given", () => {
    const frozen = Object.freeze({
      goldAction: "ask",
      rollouts: Object.freeze([Object.freeze({ action: "ask", logprobs: Object.freeze([-1, null]) })]),
    });
    expect(trustGroup(frozen).status).toEqual(["no_perplexity;null;no_response;no_gt_answer"]);
  });

  it.each<[unknown, unknown, string]>([
    [{ goldAction: "ask", rollouts: null }, {}, "rollouts must be a list, got null"],
    [{ goldAction: "ask", rollouts: [{}, 5] }, {}, "rollouts: row 1: must be an object, got 5"],
    [{ goldAction: {}, rollouts: [] }, {}, "group: column gt_action: expected utf8"],
    [{ goldAction: "ask", refPpl: "2", rollouts: [] }, {}, "group: column ref_ppl: expected float64, found"],
    [{ goldAction: "ask", rollouts: [{ messages: "x" }] }, {}, "rollouts: row 0: column messages: expected"],
    [
      { goldAction: "ask", tools: "[", rollouts: [] },
      { variant: "released" },
      "group: column tools: expected JSON",
    ],
    [{ goldAction: "ask", rollouts: [] }, { variant: "both" }, "variant must be paper or released, got both"],
    [
      { goldAction: "ask", rollouts: [], variant: "released" },
      {},
      "variant is an option of trustGroup: pass it in the second argument",
    ],
    [
      { goldAction: "ask", rollouts: [] },
      { sentinel: 1 },
      "trustGroup has no option sentinel: did you mean sentinels?",
    ],
    [null, {}, "the group must be an object with rollouts, got null"],
    [{ goldAction: "ask", rollouts: [] }, { tau: "0.1" }, "tau must be a positive number, got 0.1"],
    [{ goldAction: "ask", rollouts: [] }, { tau: 0 }, "tau must be a positive number, got 0"],
    [
      { goldAction: "ask", rollouts: [] },
      { variant: "released", lambda: NaN },
      "lambda must be a finite number",
    ],
  ])("impossible input %#", (input, chosen, message) => {
    expect(() => trustGroup(input as TrustGroupInput, chosen as object)).toThrow(message);
  });
});
