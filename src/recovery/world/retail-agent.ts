import { canonicalJson } from "../../data/calls/canonical-json.ts";
import type { RecoveryPolicy } from "./recovery-policy.ts";
import {
  type Beliefs,
  OPERATION_TOOLS,
  type RetailNeed,
  type RetailOperation,
  readStep,
  stepArguments,
} from "./retail-steps.ts";
import {
  answerAfter,
  decide,
  expectedAmount,
  movedAmount,
  type RetailAnswer,
  type RetailTask,
} from "./retail-task.ts";

/** One call, for the agent. */
export interface CallResult {
  /** What the agent is shown. */
  readonly shown: string;
  /** What the tool returned; null when it was not called. */
  readonly real: string | null;
}

/** What an agent acts with. */
export interface RetailTools {
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<CallResult>;
  /** The tools that are blocked, for those who are told. */
  readonly blocked: readonly string[];
}

/** Readings of one thing before a verifying agent gives up on finding two that agree. */
const READINGS = 5;

/** What a step brought, and by which tool. */
interface Reading<Need extends RetailNeed> {
  readonly tool: string;
  readonly value: NonNullable<Beliefs[Need]>;
}

/**
 * The scripted agent: finds the customer and what the request is about, decides by the shop's rules, acts, answers. How it recovers is the
 * policy's alone. State: what it believes, and which tools it has given up on.
 */
export class RetailAgent {
  readonly #task: RetailTask;
  readonly #policy: RecoveryPolicy;
  readonly #tools: RetailTools;
  readonly #beliefs: Beliefs = {};
  readonly #givenUp = new Set<string>();

  constructor(task: RetailTask, policy: RecoveryPolicy, tools: RetailTools) {
    this.#task = task;
    this.#policy = policy;
    this.#tools = tools;
  }

  /** @returns what the customer is told; null = handed over to a person. */
  async run(): Promise<RetailAnswer | null> {
    const { steps, kind, known } = this.#task;
    for (const { need, tools } of steps) {
      if (need === "write") continue;
      const value = await this.#learn(need, tools);
      if (value === null) return null;
      Object.assign(this.#beliefs, { [need]: value });
    }
    const decision = decide(kind, known, this.#beliefs);
    return "answer" in decision ? decision.answer : await this.#write(decision.operation);
  }

  /** What a step finds out; a verifying agent believes it when two readings agree, by different tools where it can. */
  async #learn<Need extends RetailNeed>(
    need: Need,
    tools: readonly string[],
  ): Promise<NonNullable<Beliefs[Need]> | null> {
    const first = await this.#read(need, tools, null);
    if (first === null || !this.#policy.verifies || need === "customer") return first?.value ?? null;
    const readings = [first];
    while (readings.length < READINGS) {
      const next = await this.#read(need, rotated(tools, (readings.at(-1) as Reading<Need>).tool), null);
      if (next === null) return null;
      const same = readings.find(({ value }) => canonicalJson(value) === canonicalJson(next.value));
      if (same !== undefined) return same.value;
      readings.push(next);
    }
    return null;
  }

  /** One answer that is visibly an answer, as the policy gets it; null = the policy hands over. */
  async #read<Need extends RetailNeed>(
    need: Need,
    tools: readonly string[],
    operation: RetailOperation | null,
  ): Promise<Reading<Need> | null> {
    const { known } = this.#task;
    const tried = new Set<string>();
    let tool = this.#firstTool(tools);
    let attempts = 0;
    while (tool !== undefined) {
      const args = stepArguments(tool, known, this.#beliefs, operation);
      const { shown, real } = await this.#tools.call(tool, args);
      const value = readStep(need, this.#policy.knowsAll && real !== null ? real : shown, known);
      if (value !== null) return { tool, value };
      attempts += 1;
      const reaction = this.#policy.afterFailure({
        tool,
        text: shown,
        attempts,
      });
      if (reaction.do === "retry") continue;
      if (reaction.do === "escalate") return null;
      tried.add(tool);
      this.#givenUp.add(tool);
      tool = reaction.to.find((name) => tools.includes(name) && !tried.has(name));
      attempts = 0;
    }
    return null;
  }

  /** The first tool that is not given up; a tool that was given up is better than none. */
  #firstTool(tools: readonly string[]): string | undefined {
    if (this.#policy.knowsAll) return tools.find((name) => !this.#tools.blocked.includes(name));
    return tools.find((name) => !this.#givenUp.has(name)) ?? tools[0];
  }

  async #write(operation: RetailOperation): Promise<RetailAnswer | null> {
    const { steps } = this.#task;
    const planned = steps.find(({ need }) => need === "write")?.tools;
    const result = await this.#read("write", planned ?? OPERATION_TOOLS[operation.kind], operation);
    if (result === null) return null;
    const { amount } = result.value;
    const expected = expectedAmount(operation, this.#beliefs);
    if (!this.#policy.verifies || amount === expected) return answerAfter(amount);
    const before = this.#beliefs.order;
    const after = await this.#learn("order", steps.find(({ need }) => need === "order")?.tools ?? []);
    return after === null ? null : answerAfter(movedAmount(operation, before, after));
  }
}

/** The tools beginning after the one that was used last. */
function rotated(tools: readonly string[], last: string): string[] {
  const after = tools.indexOf(last) + 1;
  return [...tools.slice(after), ...tools.slice(0, after)];
}
