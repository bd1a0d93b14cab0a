/** Items of ToolFault-Bench whose prompt names their id: `item-0`, `item-1`, … */
export function runItems(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `item-${index}`,
    fault_type: "timeout",
    next_action: "retry_same",
    acceptable_next_actions: ["retry_same"],
    critical_next_actions: ["proceed"],
    is_hard_negative: false,
    tools: JSON.stringify([{ type: "function", function: { name: "look" } }]),
    messages: JSON.stringify([
      { role: "user", content: "look" },
      { role: "tool", content: `timed out <item-${index}>` },
    ]),
  }));
}

/** The same as a JSONL file. */
export function runItemsText(count: number): string {
  return runItems(count)
    .map((item) => `${JSON.stringify(item)}\n`)
    .join("");
}

/** The id that the prompt of {@link runItems} names. */
export function askedId(messages: readonly { readonly content: string }[]): string {
  return /<(item-\d+)>/.exec(messages.at(-1)?.content ?? "")?.[1] ?? "";
}

/** An answer that can be read. */
export const GOOD_TEXT = '{"fault_type": "timeout", "next_action": "retry_same"}';
