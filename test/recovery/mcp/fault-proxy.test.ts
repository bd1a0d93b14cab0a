import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { describe, expect, it } from "vitest";
import { FaultInjector } from "../../../src/recovery/fault-injector.ts";
import { FaultProxy, type FaultProxyOptions } from "../../../src/recovery/mcp/fault-proxy.ts";
import type { CallDecider, McpCall } from "../../../src/recovery/mcp/mcp-call.ts";
import type { McpMessage, McpSendOptions, McpTransport } from "../../../src/recovery/mcp/mcp-message.ts";
import { noiseProfile } from "../../../src/recovery/noise-profile.ts";
import type { FaultKind } from "../../../src/types.ts";

/** One end of a connection that keeps what it is sent. */
class End implements McpTransport {
  onmessage: McpTransport["onmessage"];
  onclose: McpTransport["onclose"];
  onerror: McpTransport["onerror"];
  readonly sent: { readonly message: McpMessage; readonly options: McpSendOptions | undefined }[] = [];
  version: string | null = null;

  async start(): Promise<void> {
    // Nothing to open.
  }
  async send(message: McpMessage, options?: McpSendOptions): Promise<void> {
    this.sent.push({ message, options });
  }
  async close(): Promise<void> {
    this.onclose?.();
  }
  setProtocolVersion(version: string): void {
    this.version = version;
  }
  says(message: Omit<McpMessage, "jsonrpc">): void {
    this.onmessage?.({ jsonrpc: "2.0", ...message });
  }
  get last(): McpMessage | undefined {
    return this.sent.at(-1)?.message;
  }
}

const always = (fault: FaultKind): FaultInjector =>
  new FaultInjector({ seed: 1, noise: noiseProfile({ [fault]: 1 }), budget: 99, maxConsecutive: 99 });

async function proxied(
  begin: () => CallDecider | Promise<CallDecider>,
  more: Pick<FaultProxyOptions, "createCheck"> = {},
) {
  const [client, server] = [new End(), new End()];
  const calls = new Map<number, McpCall>();
  const keep = (call: McpCall): void => void calls.set(call.index, { ...call });
  const proxy = new FaultProxy({
    client,
    server,
    begin,
    onCall: keep,
    onResult: keep,
    describeEnd: () => "the server (x) was killed by SIGKILL",
    ...more,
  });
  await proxy.start();
  return { client, server, proxy, calls };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const call = (id: number, params: Record<string, unknown> = {}) => ({
  id,
  method: "tools/call",
  params: { name: "get_order", arguments: { id: 1 }, ...params },
});
const ORDER = { order_id: "O-1", status: "delivered", total: 120.5 };
const result = { content: [{ type: "text", text: JSON.stringify(ORDER) }], structuredContent: ORDER };
const MODERN = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };

describe("FaultProxy", () => {
  it("forwards every message as it is, in order, also while the episode begins", async () => {
    let start: (decider: CallDecider) => void = () => undefined;
    const begun = new Promise<CallDecider>((resolve) => {
      start = resolve;
    });
    const { client, server } = await proxied(() => begun);
    const probe = { jsonrpc: "2.0" as const, id: "p", method: "server/discover", params: MODERN };
    client.onmessage?.(probe);
    expect(server.last).toBe(probe);
    const messages = [
      { jsonrpc: "2.0" as const, id: 1, method: "initialize", params: { protocolVersion: "2025-11-25" } },
      { jsonrpc: "2.0" as const, method: "notifications/initialized" },
      { jsonrpc: "2.0" as const, id: "s", method: "x/unknown", params: { a: [1] } },
    ];
    for (const message of messages) client.onmessage?.(message);
    expect(server.sent).toHaveLength(1);
    start(always("timeout"));
    await settled();
    expect(server.sent.slice(1).map(({ message }) => message)).toEqual(messages);
    server.says({ id: 1, result: { protocolVersion: "2025-11-25" } });
    expect([client.version, server.version]).toEqual(["2025-11-25", "2025-11-25"]);
    server.says({ id: "p", error: { code: -32601, message: "unknown" } });
    server.says({ id: 77, method: "sampling/createMessage", params: {} });
    expect(client.sent.at(-1)?.options).toEqual({ relatedRequestId: "s" });
    client.says({ id: 77, result: { role: "assistant" } });
    expect(server.last).toEqual({ jsonrpc: "2.0", id: 77, result: { role: "assistant" } });
  });

  it("answers explicit faults itself, with the result type where the protocol wants one", async () => {
    const { client, server, calls } = await proxied(() => always("rate_limit"));
    client.says(call(1));
    await settled();
    client.says(call(2, MODERN));
    expect(server.sent).toEqual([]);
    const [first, second] = client.sent.map(({ message }) => message.result);
    expect(first).toMatchObject({ isError: true, content: [{ type: "text" }] });
    expect(first).not.toHaveProperty("resultType");
    expect(second).toMatchObject({ isError: true, resultType: "complete" });
    expect(calls.get(0)?.result).toEqual({ text: calls.get(0)?.injection?.response, isError: true });
  });

  it("changes results under silent faults once, in both places alike; errors and clean results pass", async () => {
    const { client, server, calls } = await proxied(() => always("factual_error"));
    client.says(call(1));
    await settled();
    server.says({ id: 1, result });
    const seen = client.last?.result as typeof result;
    expect(seen.structuredContent.total).not.toBe(120.5);
    expect(JSON.parse(seen.content[0]?.text ?? "")).toEqual(seen.structuredContent);
    expect(result.structuredContent).toEqual({ order_id: "O-1", status: "delivered", total: 120.5 });
    expect(calls.get(0)?.injection?.changes).toMatchObject([{ pointer: "/total", before: 120.5 }]);
    for (const answer of [
      { result: { ...result, isError: true } },
      { error: { code: -32602, message: "no" } },
    ]) {
      client.says(call(2));
      server.says({ id: 2, ...answer });
      expect(client.last).toEqual({ jsonrpc: "2.0", id: 2, ...answer });
    }
    expect(calls.get(2)?.result).toEqual({ text: "Error -32602: no", isError: true });
  });

  it("takes a call that asks for input, and one that becomes a task, as one call", async () => {
    const { client, server, calls } = await proxied(() => always("factual_error"));
    client.says(call(1, MODERN));
    await settled();
    const question = { resultType: "input_required", inputRequests: { a: {} }, requestState: "s1" };
    server.says({ id: 1, result: question });
    expect(client.last?.result).toEqual(question);
    client.says(call(2, { ...MODERN, requestState: "s1", inputResponses: { a: {} } }));
    server.says({ id: 2, result: { ...result, resultType: "complete" } });
    expect(client.last?.result?.structuredContent).not.toEqual(ORDER);
    client.says(call(3, { task: { ttl: 1000 } }));
    server.says({ id: 3, result: { task: { taskId: "t1", status: "working" } } });
    expect(client.last?.result).toEqual({ task: { taskId: "t1", status: "working" } });
    expect(calls.get(1)?.result).toBeNull();
    client.says({ id: 4, method: "tasks/result", params: { taskId: "t1" } });
    server.says({ id: 4, result });
    expect(client.last?.result?.structuredContent).not.toEqual(ORDER);
    expect([...calls.keys()]).toEqual([0, 1]);
  });

  it("relates progress to its request, and tells of calls that are taken back", async () => {
    const { client, server, calls } = await proxied(() => always("stale"));
    client.says(call(1, { _meta: { progressToken: "a" } }));
    client.says(call(2, { _meta: { progressToken: "b" } }));
    await settled();
    server.says({ method: "notifications/progress", params: { progressToken: "b", progress: 1 } });
    expect(client.sent.at(-1)?.options).toEqual({ relatedRequestId: 2 });
    server.says({ method: "notifications/tools/list_changed" });
    expect(client.sent.at(-1)?.options).toEqual({});
    client.says({ method: "notifications/cancelled", params: { requestId: 1 } });
    expect(server.last?.method).toBe("notifications/cancelled");
    expect(calls.get(0)).toMatchObject({ cancelled: true, result: null });
  });

  it("answers everything once the server is gone, and says why", async () => {
    const { client, server, proxy, calls } = await proxied(() => always("stale"));
    client.says(call(1));
    await settled();
    server.onclose?.();
    client.says({ id: 2, method: "tools/list" });
    const reason = "the server (x) was killed by SIGKILL";
    expect(client.sent.map(({ message }) => [message.id, message.error?.message])).toEqual([
      [1, reason],
      [2, reason],
    ]);
    expect(calls.get(0)?.result?.isError).toBe(true);
    expect(await proxy.ended).toEqual({ by: "server", reason });
  });
});

describe("a declared output schema", () => {
  const schema = (status: readonly string[]) => ({
    type: "object",
    properties: {
      order_id: { type: "string" },
      status: { enum: status },
      total: { type: "number", maximum: 121 },
    },
    required: ["order_id", "status", "total"],
  });

  /** What calls of a tool with such a schema give. */
  async function changed(fault: FaultKind, outputSchema: object): Promise<readonly unknown[]> {
    const decider = always(fault);
    const validators = new AjvJsonSchemaValidator();
    const { client, server } = await proxied(() => decider, {
      createCheck: (declared) => {
        const check = validators.getValidator(declared);
        return (value) => check(value).valid;
      },
    });
    client.says({ id: 0, method: "tools/list" });
    await settled();
    server.says({ id: 0, result: { tools: [{ name: "get_order", outputSchema }] } });
    const seen: unknown[] = [];
    for (let id = 1; id <= 20; id++) {
      client.says(call(id));
      server.says({ id, result });
      const { structuredContent, content } = (client.last?.result ?? {}) as typeof result;
      expect(JSON.parse(content[0]?.text ?? "")).toEqual(structuredContent);
      seen.push(structuredContent);
    }
    return seen;
  }

  it("is kept by silent faults, which else would show", async () => {
    const known = schema(["pending", "shipped", "delivered"]);
    for (const order of await changed("stale", known))
      expect(["pending", "shipped"]).toContain((order as typeof ORDER).status);
    for (const order of await changed("factual_error", known))
      expect((order as typeof ORDER).total).toBeLessThan(110);
  });

  it("leaves a result as it is where no change would keep it, or where it is no schema", async () => {
    expect(await changed("stale", schema(["delivered"]))).toEqual(Array(20).fill(ORDER));
    expect(await changed("partial", schema(["delivered"]))).toEqual(Array(20).fill(ORDER));
    for (const order of await changed("stale", { type: "nonsense" }))
      expect((order as typeof ORDER).status).not.toBe("delivered");
  });
});
