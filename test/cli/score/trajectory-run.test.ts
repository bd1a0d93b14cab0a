import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { scoreCommand } from "../../../src/cli/score/score-command.ts";
import type { ScoreOptions, TrajectoryScoreOptions } from "../../../src/cli/score/score-options.ts";
import { seededRandom } from "../../../src/math/seeded-random.ts";
import { scoreTrajectories } from "../../../src/rewards/trajectory/score-trajectories.ts";

const folder = mkdtempSync(join(tmpdir(), "calibrant-trajectory-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

type Row = Record<string, unknown>;

const random = seededRandom(5);
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
const ACTIONS = ["direct_answer", "tool_call", "request_for_info", "cannot_answer"];
const TARGET = '<tool_call>{"name":"f","arguments":{"a":1,"b":"x"}}</tool_call>';

/** A trajectory of two turns; half of them act by native calls, the others in free text that was judged. */
function trajectory(row: number): Row {
  const native = random() < 0.5;
  const call = { function: { name: "f", arguments: `{"a":${pick([1, 2])},"b":"x"}` } };
  const text = pick(["It is done.", "Which one?", "I cannot do that."]);
  return {
    rollout_id: `r${row}`,
    group_id: `g${row % 7}`,
    messages: [
      { role: "user", content: "Do it." },
      { role: "assistant", content: native ? "" : text, tool_calls: native ? [call] : [] },
      { role: "user", content: "And now?" },
      { role: "assistant", content: text, tool_calls: [] },
    ],
    annotations: [
      { turn_idx: 0, gt_action: "tool_call", target_answer: TARGET },
      ...(row % 3 === 0 ? [{ turn_idx: 1, gt_action: pick(ACTIONS), target_answer: "It is done." }] : []),
    ],
    judgements: [0, 1].map((turn_idx) => ({ turn_idx, pred_action: pick(ACTIONS), pred_answer: text })),
    checklist_reward: row % 11 === 10 ? null : random(),
    logprobs: Array.from({ length: 6 }, () => -random()),
    turn_ends: [2, 5],
  };
}

const ROWS = Array.from({ length: 50 }, (_, row) => trajectory(row));

function optionsFor(files: readonly string[], changes: Partial<ScoreOptions> = {}): ScoreOptions {
  return {
    files,
    rewards: ["trust"],
    plan: {},
    output: null,
    format: null,
    from: null,
    columns: new Map(),
    jobs: 1,
    seed: 0,
    json: false,
    quiet: true,
    trajectory: TRAJECTORY,
    ...changes,
  };
}

const TRAJECTORY: TrajectoryScoreOptions = {
  weights: {},
  base: "column",
  annotations: null,
  judgements: null,
};

const jsonl = (rows: readonly Row[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const linesOf = (name: string): Row[] =>
  readFileSync(at(name), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);

/** What the library says of the same trajectories. */
function expectedOf(rows: readonly Row[], reward: "trust" | "trust-released"): Row[] {
  const scored = scoreTrajectories(
    rows.map((row) => ({
      groupId: row.group_id as string,
      messages: row.messages as Row[],
      annotations: row.annotations as Row[],
      judgements: row.judgements as Row[],
      checklistReward: row.checklist_reward as number | null,
      logprobs: row.logprobs as number[],
      turnEnds: row.turn_ends as number[],
    })),
    { reward },
  );
  return rows.map((_row, index) => ({
    reward: orNull(scored.reward[index]),
    uq_reward: scored.uqReward[index],
    advantage: orNull(scored.advantage[index]),
    status: scored.status[index],
    placed: scored.placements[index]?.map(({ turnIdx, tokenIdx, reward: own }) => [turnIdx, tokenIdx, own]),
  }));
}

function foundIn(rows: readonly Row[], prefix = ""): Row[] {
  return rows.map((row) => {
    const placements = row[`${prefix}placements`];
    const list = (typeof placements === "string" ? JSON.parse(placements) : placements) as Row[];
    return {
      ...Object.fromEntries(
        ["reward", "uq_reward", "advantage", "status"].map((name) => [name, row[`${prefix}${name}`]]),
      ),
      placed: list.map(({ turn_idx, token_idx, reward }) => [turn_idx, token_idx, reward]),
    };
  });
}

const orNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

describe("calibrant score --trajectory", () => {
  it.each(["trust", "trust-released"] as const)(
    "gives the library's numbers for %s from every format",
    async (reward) => {
      writeFileSync(at("in.jsonl"), jsonl(ROWS));
      const expected = expectedOf(ROWS, reward);
      expect(new Set(expected.map(({ status }) => status)).size).toBeGreaterThan(2);
      const rewards = [reward];
      await scoreCommand(optionsFor([at("in.jsonl")], { rewards, output: at("out.jsonl") }));
      expect(foundIn(linesOf("out.jsonl"))).toEqual(expected);
      for (const format of ["parquet", "arrow"]) {
        await scoreCommand(optionsFor([at("in.jsonl")], { rewards, output: at(`out.${format}`) }));
        const again = { rewards, output: at(`again-${format}.jsonl`), plan: { prefix: "new_" } };
        await scoreCommand(optionsFor([at(`out.${format}`)], again));
        const rows = linesOf(`again-${format}.jsonl`);
        expect(foundIn(rows)).toEqual(expected);
        expect(foundIn(rows, "new_")).toEqual(expected);
      }
    },
  );

  it("joins annotations and judgements from files, by the column that they name", async () => {
    const bare = ROWS.map(({ annotations: _a, judgements: _j, ...row }) => row);
    writeFileSync(at("bare.jsonl"), jsonl(bare));
    const annotations = ROWS.flatMap(({ rollout_id: id, annotations: list }, row) => [
      ...(row % 5 === 0 ? [{ key: "rollout_id", id, status: "rejected", annotations: null }] : []),
      { key: "rollout_id", id, status: "ok", annotations: list },
    ]);
    const judgements = ROWS.flatMap(({ judgements: list }, row) =>
      (list as Row[]).map((judgement) => ({ key: "row", id: `${row}`, status: "ok", ...judgement })),
    );
    writeFileSync(at("annotations.jsonl"), jsonl(annotations));
    writeFileSync(at("judgements.jsonl"), jsonl(judgements));
    const trajectory = {
      ...TRAJECTORY,
      annotations: at("annotations.jsonl"),
      judgements: at("judgements.jsonl"),
    };
    await scoreCommand(optionsFor([at("bare.jsonl")], { trajectory, output: at("joined.jsonl") }));
    expect(foundIn(linesOf("joined.jsonl"))).toEqual(expectedOf(ROWS, "trust"));
  });

  it("does not guess for trajectories whose annotation failed, or is not there", async () => {
    const bare = ROWS.slice(0, 3).map(({ annotations: _a, ...row }) => row);
    writeFileSync(at("three.jsonl"), jsonl(bare));
    const [first, second] = ROWS as [Row, Row];
    const lines = [
      { id: first.rollout_id, annotations: first.annotations },
      { id: second.rollout_id, status: "rejected", annotations: null },
    ];
    writeFileSync(at("some.jsonl"), jsonl(lines));
    const trajectory = { ...TRAJECTORY, annotations: at("some.jsonl") };
    await scoreCommand(optionsFor([at("three.jsonl")], { trajectory, output: at("some-scored.jsonl") }));
    const scored = linesOf("some-scored.jsonl");
    expect(scored[0]?.reward).toBeTypeOf("number");
    expect(scored.slice(1).map(({ reward, status }) => [reward, status])).toEqual([
      [null, "annotation_failed"],
      [null, "not_annotated"],
    ]);
  });

  it("scores trajectories without any perplexity, each certainty being 0.5", async () => {
    const bare = ROWS.map(({ logprobs: _l, turn_ends: _e, ...row }) => row);
    writeFileSync(at("no-ppl.jsonl"), jsonl(bare));
    await scoreCommand(optionsFor([at("no-ppl.jsonl")], { output: at("no-ppl-scored.jsonl") }));
    const decisions = linesOf("no-ppl-scored.jsonl").flatMap(({ placements }) =>
      (placements as Row[]).flatMap((turn) => turn.decisions as Row[]),
    );
    expect(new Set(decisions.map(({ certainty, ppl }) => `${certainty} ${ppl}`))).toEqual(
      new Set(["0.5 null"]),
    );
  });

  const missing = (name: string): Row[] => ROWS.map((row) => ({ ...row, [name]: undefined }));
  it.each<[string, Row[], Partial<ScoreOptions>, RegExp]>([
    [
      "a reward that has no key turns",
      ROWS,
      { rewards: ["bench2robust"] },
      /one reward, trust or trust-released, got bench2robust$/,
    ],
    ["two rewards", ROWS, { rewards: ["trust", "trust-released"] }, /--trajectory takes one reward/],
    [
      "missing columns, all at once",
      missing("messages").map(({ checklist_reward: _, ...row }) => row),
      {},
      /missing column messages .*missing column checklist_reward .* or checklists/,
    ],
    [
      "log-probs without ends",
      missing("turn_ends"),
      {},
      /logprobs of whole trajectories need the column turn_ends/,
    ],
    [
      "annotations that are not there",
      ROWS,
      { trajectory: { ...TRAJECTORY, annotations: at("none.jsonl") } },
      /cannot read .*none\.jsonl: there is no such file/,
    ],
    [
      "lines that are no annotations",
      ROWS,
      { trajectory: { ...TRAJECTORY, annotations: at("bad.jsonl") } },
      /bad\.jsonl line 1: expected the key and id of a trajectory/,
    ],
    [
      "annotations of other trajectories",
      ROWS,
      { trajectory: { ...TRAJECTORY, annotations: at("others.jsonl") } },
      /others\.jsonl: none of its 1 ids is the rollout_id of a trajectory, for example x; /,
    ],
    [
      "judgements that several trajectories would share",
      ROWS,
      { trajectory: { ...TRAJECTORY, judgements: at("shared.jsonl") } },
      /shared\.jsonl: a judgement is of one trajectory, but group_id g1 names several; /,
    ],
    [
      "an output that is the annotations",
      ROWS,
      { output: at("others.jsonl"), trajectory: { ...TRAJECTORY, annotations: at("others.jsonl") } },
      /^-o must not name the file of annotations or judgements, got /,
    ],
    [
      "annotations for judgements",
      ROWS,
      { trajectory: { ...TRAJECTORY, judgements: at("others.jsonl") } },
      /others\.jsonl line 1: it has no turn_idx, as the lines of calibrant judge do$/,
    ],
    [
      "two keys in one file",
      ROWS,
      { trajectory: { ...TRAJECTORY, annotations: at("keys.jsonl") } },
      /keys\.jsonl line 2: the ids are of row, those before of group_id/,
    ],
    [
      "a column of an added name",
      ROWS.map((row) => ({ ...row, placements: 1 })),
      { output: at("x.jsonl") },
      /already has placements/,
    ],
  ])("refuses %s", async (_name, rows, changes, message) => {
    writeFileSync(at("bad.jsonl"), '{"annotations": []}\n');
    writeFileSync(at("others.jsonl"), '{"id":"x","annotations":[]}\n');
    writeFileSync(at("shared.jsonl"), '{"key":"group_id","id":"g1","turn_idx":0,"pred_action":"B"}\n');
    writeFileSync(at("keys.jsonl"), '{"key":"group_id","id":"g1"}\n{"key":"row","id":0}\n');
    writeFileSync(at("refused.jsonl"), jsonl(rows));
    await expect(scoreCommand(optionsFor([at("refused.jsonl")], changes))).rejects.toThrow(message);
  });
});
