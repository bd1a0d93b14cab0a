import { generateText, stepCountIs, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { expect, it } from "vitest";
import { z } from "zod";
import { noiseProfile } from "../../src/recovery/noise-profile.ts";
import { withAiSdkFaults } from "../../src/recovery/with-ai-sdk-faults.ts";

type Options = Parameters<typeof withAiSdkFaults>[1];

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model that calls get_order once and then stops. */
function model(): MockLanguageModelV3 {
  const call = {
    type: "tool-call",
    toolCallId: "1",
    toolName: "get_order",
    input: '{"id":"W7"}',
  } as const;
  let turn = 0;
  return new MockLanguageModelV3({
    doGenerate: async () => {
      turn += 1;
      return turn === 1
        ? { content: [call], finishReason: { unified: "tool-calls", raw: "tool_calls" }, usage, warnings: [] }
        : {
            content: [{ type: "text", text: "done" }],
            finishReason: { unified: "stop", raw: "stop" },
            usage,
            warnings: [],
          };
    },
  });
}

/** Runs the model with one tool, and tells what it saw of the tool. */
async function seen(options: Options, execute: (input: { id: string }) => unknown): Promise<unknown> {
  const get_order = tool({ inputSchema: z.object({ id: z.string() }), execute });
  const { tools, injector } = withAiSdkFaults({ get_order }, options);
  const { steps } = await generateText({
    model: model(),
    tools,
    prompt: "Where is W7?",
    stopWhen: stepCountIs(3),
  });
  const part = steps[0]?.content.find(({ type }) => type === "tool-result" || type === "tool-error");
  return { part, log: injector.log };
}

it("changes the output of a tool that the SDK runs", async () => {
  const stale = { seed: 1, noise: noiseProfile({ stale: 1 }) };
  const order = (input: { id: string }) => ({ id: input.id, status: "delivered" });
  const expected = {
    part: { type: "tool-result", toolName: "get_order", output: { id: "W7" } },
    log: [{ fault: "stale", executed: true }],
  };
  const once = await seen(stale, async (input) => order(input));
  expect(once).toMatchObject(expected);
  expect(once).not.toMatchObject({ part: { output: { status: "delivered" } } });
  const yielded = await seen(stale, async function* (input) {
    yield { progress: 1 };
    yield order(input);
  });
  expect(yielded).toEqual(once);
});

it("makes explicit faults tool errors, or outputs", async () => {
  const options = { seed: 1, noise: noiseProfile({ timeout: 1 }) };
  let calls = 0;
  const { part, log } = (await seen(options, () => {
    calls += 1;
  })) as { part: { type: string; error: unknown }; log: readonly { response: string }[] };
  expect(calls).toBe(0);
  expect(part.type).toBe("tool-error");
  expect(part.error).toMatchObject({ name: "ToolFaultError", message: log[0]?.response, fault: "timeout" });
});

it("leaves tools without execute as they are", () => {
  const client = tool({ inputSchema: z.object({}) });
  const { tools } = withAiSdkFaults({ client }, { seed: 1 });
  expect(tools.client).toBe(client);
});
