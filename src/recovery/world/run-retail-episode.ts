import type { FaultInjector } from "../fault-injector.ts";
import { checkRetailOutcome } from "./check-retail-outcome.ts";
import type { RecoveryPolicy } from "./recovery-policy.ts";
import { RetailAgent, type RetailTools } from "./retail-agent.ts";
import type { PlannedRetailEpisode } from "./retail-conditions.ts";
import { openRetailSession } from "./retail-session.ts";
import type { RetailAnswer } from "./retail-task.ts";
import { callRetailTool, TRANSFER_TOOL } from "./retail-tools.ts";
import type { RetailDatabase } from "./retail-types.ts";

/** A message in OpenAI's chat format. */
export type ChatMessage = Readonly<Record<string, unknown>>;

/** An episode that has ended. */
export interface RetailEpisode {
  readonly messages: readonly ChatMessage[];
  /** What the customer was told; null = nothing, a person takes over. */
  readonly answer: RetailAnswer | null;
  readonly completed: boolean;
  readonly escalated: boolean;
  /** Assistant messages. */
  readonly turns: number;
}

const SYSTEM =
  "You are the customer service of a shop. Only a pending order can be cancelled or sent elsewhere, only items of a delivered order can be " +
  "exchanged or returned. Hand over to a person when you cannot go on.";

/** Runs one episode of a scripted agent. The way to a person is never injected with faults. */
export async function runRetailEpisode(
  database: RetailDatabase,
  { task, blocked }: PlannedRetailEpisode,
  policy: RecoveryPolicy,
  injector: FaultInjector,
): Promise<RetailEpisode> {
  const session = openRetailSession(database);
  const messages: ChatMessage[] = [
    { role: "system", content: SYSTEM },
    { role: "user", content: task.request },
  ];
  const record = (name: string, args: object, content: string): void => {
    const id = `call_${messages.length}`;
    const call = { id, type: "function", function: { name, arguments: JSON.stringify(args) } };
    messages.push({ role: "assistant", content: null, tool_calls: [call] });
    messages.push({ role: "tool", tool_call_id: id, name, content });
  };
  const tools: RetailTools = {
    blocked,
    call: async (name, args) => {
      const injection = injector.begin(name);
      const real = injection.executes ? await callRetailTool(session, name, args) : null;
      const shown = real === null ? (injection.response?.text ?? "") : String(injection.corrupt(real));
      record(name, args, shown);
      return { shown, real };
    },
  };
  const answer = await new RetailAgent(task, policy, tools).run();
  if (answer === null) record(TRANSFER_TOOL, {}, await callRetailTool(session, TRANSFER_TOOL, {}));
  messages.push({ role: "assistant", content: answerText(answer) });
  return {
    messages,
    answer,
    completed: checkRetailOutcome(task, session.changed, answer),
    escalated: answer === null,
    turns: messages.filter(({ role }) => role === "assistant").length,
  };
}

function answerText(answer: RetailAnswer | null): string {
  if (answer === null) return "I could not do this; a colleague takes over.";
  if (answer === "done") return "It is done.";
  if (answer === "refused") return "I am sorry, this cannot be done.";
  return `The amount is $${answer.toFixed(2)}.`;
}
