/** Trajectories of two user turns whose prompts name their row: `<row-0>`, `<row-1>`, … */
export function trajectories(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, row) => ({
    group_id: `g${Math.floor(row / 2)}`,
    messages: [
      { role: "user", content: `<row-${row}> Where is order 7?` },
      { role: "assistant", content: "I will look." },
      { role: "user", content: "Please do." },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name: "find", arguments: '{"id": 7}' } }],
      },
      { role: "tool", tool_call_id: "c", content: "on its way" },
      { role: "assistant", content: "It is on its way." },
    ],
    tools: [{ type: "function", function: { name: "find", parameters: { type: "object" } } }],
  }));
}

/** Rows as JSON lines. */
export function jsonLines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

interface Asked {
  readonly role: string;
  readonly content: string;
}

/** The row that a question is about; -1 without. */
export function askedRow(messages: readonly Asked[]): number {
  const text = messages.map(({ content }) => content).join("\n");
  return Number(/<row-(\d+)>/.exec(text)?.[1] ?? -1);
}

const CALL = '<tool_call>{"name": "find", "arguments": {"id": 7}}</tool_call>';

/** One annotation, as a model writes it. */
export function annotation(turn = 1, action = "tool_call"): Record<string, unknown> {
  const target_answer = action === "tool_call" ? CALL : "Which order is it?";
  return { turn_idx: turn, gt_action: action, rationale: "It decides.", target_answer };
}

/** An answer with annotations. */
export function annotations(...list: readonly unknown[]): string {
  return JSON.stringify({ annotations: list });
}

/** A judgement, as a model writes it. */
export const JUDGEMENT = JSON.stringify({
  pred_action: "direct_answer",
  pred_answer: "I will look.",
  rationale: "It says so.",
});
