import { type RecordBatch, Table } from "apache-arrow";
import { describe, expect, it } from "vitest";
import { createRowSchema, recordBatchFromRows } from "../../src/data/arrow/rows-to-arrow.ts";
import { scoreBench2Robust } from "../../src/rewards/score-bench2robust.ts";
import { scoreBench2RobustTable, scoreTable, scoreTrustTable } from "../../src/rewards/score-table.ts";
import { scoreTrust } from "../../src/rewards/score-trust.ts";

type Row = Readonly<Record<string, unknown>>;

const ROWS: readonly Row[] = Array.from({ length: 9 }, (_, row) => ({
  group_id: `g${row % 3}`,
  action: row % 2 === 0 ? "tool_call" : "direct_answer",
  gt_action: "tool_call",
  logprobs: [-0.1 * (row + 1), row === 4 ? null : -0.2],
  n: row / 2,
  completed: row % 4 !== 0,
  num_turns: 10 + row,
  tool_calls: "[]",
  matched_actions: 1,
  required_actions: 2,
}));

/** Rows as a table of record batches of these sizes. */
function tableOf(rows: readonly Row[], ...sizes: readonly number[]): Table {
  const builder = createRowSchema();
  builder.add(rows, "rows");
  const schema = builder.finish();
  const batches: RecordBatch[] = [];
  let at = 0;
  for (const size of [...sizes, rows.length - sizes.reduce((sum, n) => sum + n, 0)]) {
    batches.push(recordBatchFromRows(rows.slice(at, at + size), schema));
    at += size;
  }
  return new Table(schema, batches);
}

const column = (table: Table, name: string): unknown[] => [...(table.getChild(name) ?? [])];
const nulls = (values: Float64Array): (number | null)[] =>
  Array.from(values, (value) => (Number.isNaN(value) ? null : value));
const added = (table: Table, input: Table): string[] =>
  table.schema.fields.slice(input.schema.fields.length).map((field) => field.name);

describe("scoreTrustTable", () => {
  const scores = scoreTrust(
    ROWS.map((row) => ({
      groupId: row.group_id as string,
      action: row.action as string,
      gtAction: row.gt_action as string,
      logprobs: row.logprobs as number[],
    })),
  );

  it.each([[[]], [[4]], [[1, 0, 5, 3]]])(
    "gives the numbers of scoreTrust in batches of %j rows",
    async (sizes) => {
      const input = tableOf(ROWS, ...sizes);
      const table = await scoreTrustTable(input);
      expect(table.batches.map((batch) => batch.numRows)).toEqual(
        input.batches.map((batch) => batch.numRows),
      );
      expect(column(table, "ppl")).toEqual(nulls(scores.ppl));
      expect(column(table, "certainty")).toEqual(nulls(scores.certainty));
      expect(column(table, "reward")).toEqual(nulls(scores.reward));
      expect(column(table, "advantage")).toEqual(nulls(scores.advantage));
      expect(column(table, "status")).toEqual(scores.status);
    },
  );

  it("leaves the input alone and shares its memory", async () => {
    const input = tableOf(ROWS, 4);
    const fields = input.schema.fields.length;
    const table = await scoreTrustTable(input);
    expect(input.schema.fields).toHaveLength(fields);
    const at = input.schema.fields.findIndex((field) => field.name === "n");
    expect(table.batches[1]?.data.children[at]?.values).toBe(input.batches[1]?.data.children[at]?.values);
    expect(column(table, "n")).toEqual(ROWS.map((row) => row.n));
  });

  it("takes options, a prefix among them", async () => {
    const input = tableOf(ROWS);
    const table = await scoreTrustTable(input, { tau: 10, prefix: "t_", advantage: { std: "none" } });
    expect(added(table, input)).toEqual(
      ["ppl", "nll", "margin", "certainty", "r_fmt", "r_ans", "r_cls", "reward", "advantage", "status"].map(
        (name) => `t_${name}`,
      ),
    );
    const [margin, certainty] = ["t_margin", "t_certainty"].map((name) => column(table, name)[0] as number);
    expect(certainty).toBeCloseTo(1 / (1 + Math.exp(-(margin as number) / 10)), 12);
    await expect(scoreTrustTable(input, { tau: 0 })).rejects.toMatchObject({ code: "option" });
  });

  it("repeats no ppl that it was given", async () => {
    const rows = ROWS.map(({ logprobs: _, ...row }, index) => ({ ...row, ppl: 1 + index / 10 }));
    const input = tableOf(rows);
    const table = await scoreTrustTable(input);
    expect(added(table, input)[0]).toBe("nll");
    expect(column(table, "nll")[5]).toBeCloseTo(Math.log(1.5), 12);
  });
});

describe("scoreBench2RobustTable", () => {
  it("gives the numbers of scoreBench2Robust", async () => {
    const scores = scoreBench2Robust(
      ROWS.map((row) => ({
        completed: row.completed as boolean,
        numTurns: row.num_turns as number,
        toolCalls: [],
        matchedActions: 1,
        requiredActions: 2,
      })),
    );
    const table = await scoreBench2RobustTable(tableOf(ROWS, 2, 2), { prefix: "b_" });
    expect(column(table, "b_reward")).toEqual(nulls(scores.reward));
    expect(column(table, "b_efficiency")).toEqual(nulls(scores.efficiency));
    expect(column(table, "b_status")).toEqual(ROWS.map(() => "ok"));
  });
});

describe("scoreTable", () => {
  it("evaluates a formula over rewards and columns", async () => {
    const input = tableOf(ROWS, 5);
    const table = await scoreTable(input, ["trust - n*bench2robust_efficiency"]);
    const [trust, efficiency] = ["trust_reward", "bench2robust_efficiency"].map((name) =>
      column(table, name),
    );
    expect(column(table, "reward")).toEqual(
      ROWS.map((row, i) => (trust?.[i] as number) - (row.n as number) * (efficiency?.[i] as number)),
    );
    expect(added(table, input).slice(-3)).toEqual(["reward", "advantage", "status"]);
  });

  it("keeps a table without rows a table", async () => {
    const input = new Table(tableOf(ROWS).schema);
    const table = await scoreTable(input, ["trust", "bench2robust"]);
    expect(table.numRows).toBe(0);
    expect(added(table, input)).toHaveLength(10 + 6);
  });

  it("lists all columns that are missing or mistyped", async () => {
    const input = tableOf([{ gt_action: "tool", logprobs: "x", completed: "yes" }]);
    await expect(scoreTable(input, ["trust", "bench2robust"])).rejects.toMatchObject({
      code: "schema",
      message: expect.stringMatching(
        /^table: missing column group_id .*; missing column action .*; column logprobs: expected list<float32\/64>, found utf8; column completed: /,
      ),
    });
  });

  it("refuses a result named like a column before it scores a row", async () => {
    const input = tableOf(ROWS.map((row) => ({ ...row, reward: 1, completed: 7 })));
    await expect(scoreTable(input, ["bench2robust"])).rejects.toMatchObject({
      code: "schema",
      message:
        "table already has reward: name the added columns apart with a prefix, for example --prefix new_",
    });
    await expect(scoreTable(input, ["bench2robust"], { prefix: "x_" })).rejects.toMatchObject({
      code: "data",
      message: expect.stringContaining("table: row 0: column completed"),
    });
  });

  it("names the row of a value that cannot be by its place in the table", async () => {
    const rows = ROWS.map((row, index) => ({ ...row, num_turns: index === 7 ? -1 : 3 }));
    await expect(scoreTable(tableOf(rows, 3, 3), ["bench2robust"])).rejects.toThrow(
      "table: row 7: column num_turns",
    );
  });
});
