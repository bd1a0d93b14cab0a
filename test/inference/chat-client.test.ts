import { afterEach, describe, expect, it, vi } from "vitest";
import { CalibrantError } from "../../src/errors.ts";
import {
  type ChatClientOptions,
  type ChatRequest,
  createChatClient,
  fixedFieldIn,
} from "../../src/inference/chat-client.ts";
import { chatErrorDetails } from "../../src/inference/chat-error.ts";
import {
  completion,
  type StubRequest,
  type StubServer,
  type StubStep,
  startStub,
} from "../e2e/stub-model-server.ts";

const KEY = "sk-a/secret+key==42";
const QUESTION: ChatRequest = {
  messages: [{ role: "user", content: "hello" }],
  maxTokens: 64,
  temperature: 0,
};
const NEVER = new AbortController().signal;
const RESET: StubStep = { kind: "reset" };
const ANSWER: StubStep = { kind: "answer", text: "hi" };
const stubs: StubServer[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const stub of stubs.splice(0)) await stub.close();
});

async function stubOf(...steps: StubStep[]): Promise<StubServer> {
  const stub = await startStub((_request, nth) => steps[Math.min(nth, steps.length) - 1] as StubStep);
  stubs.push(stub);
  return stub;
}

function clientOptions(baseUrl: string, changes: Partial<ChatClientOptions> = {}): ChatClientOptions {
  return {
    baseUrl,
    model: "m",
    apiKey: KEY,
    apiKeyName: "the environment variable MY_KEY",
    timeoutSeconds: 20,
    maxRetries: 2,
    retryDelays: { firstMs: 1, maxMs: 4, maxRetryAfterMs: 300 },
    now: Date.now,
    random: () => 0,
    ...changes,
  };
}

async function failureOf(promise: Promise<unknown>): Promise<CalibrantError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CalibrantError);
  const { message, details, cause } = error as CalibrantError;
  expect(`${message} ${JSON.stringify(details)} ${String(cause)}`).not.toContain(KEY);
  expect(message).not.toContain("\n");
  return error as CalibrantError;
}

const requestOf = (stub: StubServer): StubRequest => stub.requests[0] as StubRequest;

describe("a question", () => {
  it("is sent with its fields, a null of extraBody taking one out, and nothing from the environment", async () => {
    for (const name of ["BASE_URL", "ORG_ID", "PROJECT_ID", "API_KEY", "ADMIN_KEY"]) {
      vi.stubEnv(`OPENAI_${name}`, "from-the-environment");
    }
    vi.stubEnv("OPENAI_CUSTOM_HEADERS", "x-extra: from-the-environment\nauthorization: Bearer stolen");
    vi.stubEnv("OPENAI_LOG", "debug");
    const logs = (["log", "debug", "info", "warn", "error"] as const).map((level) =>
      vi.spyOn(console, level),
    );
    const stub = await stubOf(ANSWER);
    const client = await createChatClient(clientOptions(`${stub.baseUrl}/`));
    const extraBody = { max_tokens: null, max_completion_tokens: 9 };
    await client.complete(
      { ...QUESTION, seed: 7, logprobs: true, responseFormat: "json_object", extraBody },
      NEVER,
    );
    const { url, headers, body } = requestOf(stub);
    expect([client.url, url]).toEqual([`${stub.baseUrl}/chat/completions`, "/v1/chat/completions"]);
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    expect(JSON.stringify(headers)).not.toContain("from-the-environment");
    expect(Object.keys(headers).filter((name) => /^x-|^openai/.test(name))).toEqual([]);
    expect(body).toEqual({
      model: "m",
      messages: [{ role: "user", content: "hello" }],
      max_completion_tokens: 9,
      temperature: 0,
      seed: 7,
      logprobs: true,
      response_format: { type: "json_object" },
    });
    for (const log of logs) expect(log).not.toHaveBeenCalled();
  });

  it("goes to a server without key with the word none, and may not change what results state", async () => {
    const stub = await stubOf(ANSWER);
    const client = await createChatClient(clientOptions(stub.baseUrl, { apiKey: null }));
    await client.complete(QUESTION, NEVER);
    expect(requestOf(stub).headers.authorization).toBe("Bearer none");
    expect(requestOf(stub).body).toEqual({
      model: "m",
      messages: QUESTION.messages,
      max_tokens: 64,
      temperature: 0,
    });
    const changed = client.complete({ ...QUESTION, extraBody: { model: "other" } }, NEVER);
    await expect(changed).rejects.toThrow("must not set model");
    expect([fixedFieldIn({ top_p: 1, n: null }), fixedFieldIn({ top_p: 1 }), fixedFieldIn(null)]).toEqual([
      "n",
      null,
      null,
    ]);
  });

  it.each([
    ["file:///etc/passwd", "http or https"],
    ["localhost:8000/v1", "http or https"],
    ["https://host/v1?key=1", "without ?"],
    ["https://host/v1/chat/completions", "before /chat/completions"],
    [`https://user:${KEY}@host/v1`, "user name or password"],
  ])("is not sent to %s", async (baseUrl, problem) => {
    const error = await failureOf(createChatClient(clientOptions(baseUrl)));
    expect([error.code, error.message]).toEqual(["option", expect.stringContaining(problem)]);
  });

  it("is not sent with a key that no header carries, or a time-out that fetch does not keep", async () => {
    const broken = await failureOf(createChatClient(clientOptions("http://h", { apiKey: `${KEY}\n` })));
    expect(broken.message).toContain("the environment variable MY_KEY must be printable ASCII");
    const long = await failureOf(createChatClient(clientOptions("http://h", { timeoutSeconds: 301 })));
    expect(long.message).toBe("the time-out must be above 0 and at most 300 seconds, got 301");
  });
});

describe("an answer", () => {
  it("is read with all that a server may say", async () => {
    const logprobs = { content: [{ token: "é", logprob: -0.5, bytes: [195, 169], top_logprobs: [] }] };
    const message = { role: "assistant", content: "é", reasoning_content: "thought" };
    const usage = {
      prompt_tokens: 3,
      completion_tokens: 4,
      completion_tokens_details: { reasoning_tokens: 2 },
    };
    const choices = [{ message, finish_reason: "length", logprobs }];
    const stub = await stubOf({ kind: "answer", text: "", fields: { choices, usage } });
    const client = await createChatClient(clientOptions(stub.baseUrl));
    expect(await client.complete(QUESTION, NEVER)).toEqual({
      text: "é",
      reasoning: "thought",
      finishReason: "length",
      model: "stub-1",
      promptTokens: 3,
      completionTokens: 4,
      reasoningTokens: 2,
      tokens: [{ token: "é", logprob: -0.5, bytes: [195, 169] }],
    });
  });

  it.each<Record<string, unknown>>([
    { choices: [{ message: { content: null } }], usage: undefined, model: undefined },
    { choices: [{ message: {}, finish_reason: 3, logprobs: "?" }], usage: "many", model: 1 },
    {
      choices: [{ message: {}, logprobs: { content: [{ token: 1 }] } }],
      usage: { prompt_tokens: -1 },
      model: null,
    },
  ])("may leave out everything but a message (%#)", async (fields) => {
    const stub = await stubOf({ kind: "answer", text: "", fields });
    const client = await createChatClient(clientOptions(stub.baseUrl));
    expect(await client.complete(QUESTION, NEVER)).toEqual({
      text: "",
      reasoning: null,
      finishReason: null,
      model: null,
      promptTokens: null,
      completionTokens: null,
      reasoningTokens: null,
      tokens: null,
    });
  });

  it("that repeats the key shows stars, but a placeholder stays a word of the answer", async () => {
    const stub = await stubOf({ kind: "answer", text: `your key: ${KEY}, or "none"` });
    const client = await createChatClient(clientOptions(stub.baseUrl));
    expect((await client.complete(QUESTION, NEVER)).text).toBe('your key: ***, or "none"');
    const open = await createChatClient(clientOptions(stub.baseUrl, { apiKey: "none" }));
    expect((await open.complete(QUESTION, NEVER)).text).toContain('"none"');
  });
});

describe("a question that fails", () => {
  const status = (code: number, headers: Record<string, string> = {}, body = ""): StubStep => ({
    kind: "status",
    status: code,
    headers,
    body,
  });
  const raw = (body: string): StubStep => ({ kind: "raw", body });

  it.each<[string, StubStep]>([
    ...[408, 409, 429, 500, 502, 503, 599].map((code): [string, StubStep] => [`HTTP ${code}`, status(code)]),
    ["a status that the server wants repeated", status(418, { "x-should-retry": "true" })],
    ["a connection reset", RESET],
    ["a body that ends early", { kind: "half" }],
    ["half JSON", raw(completion("x").slice(0, 60))],
    ["an empty body", raw("")],
    ["null", raw("null")],
    ["a list", raw("[]")],
    ["no choices", raw(completion("x", { choices: [] }))],
    ["a choice without message", raw(completion("x", { choices: [{}] }))],
    ["a text that is none", raw(completion("x", { choices: [{ message: { content: 3 } }] }))],
  ])("with %s is asked again", async (_name, step) => {
    const stub = await stubOf(step, step, ANSWER);
    const client = await createChatClient(clientOptions(stub.baseUrl));
    expect((await client.complete(QUESTION, NEVER)).text).toBe("hi");
    expect(stub.requests).toHaveLength(3);
  });

  it("is not asked again after a soft stop, which waits for what is on the way and for no pause", async () => {
    const soft = new AbortController();
    const reason = new Error("enough");
    const slow = await stubOf({ kind: "slow", ms: 60, text: "hi" });
    const client = await createChatClient(clientOptions(slow.baseUrl));
    const answer = client.complete(QUESTION, NEVER, soft.signal);
    expect(client.onTheWay()).toBe(1);
    setTimeout(() => soft.abort(reason), 20);
    expect((await answer).text).toBe("hi");
    await expect(client.complete(QUESTION, NEVER, soft.signal)).rejects.toBe(reason);
    expect([client.onTheWay(), slow.requests.length]).toEqual([0, 1]);
    const busy = await stubOf(status(503));
    const retryDelays = { firstMs: 60_000, maxMs: 60_000, maxRetryAfterMs: 60_000 };
    const patient = await createChatClient(clientOptions(busy.baseUrl, { retryDelays }));
    const paused = new AbortController();
    setTimeout(() => paused.abort(reason), 50);
    await expect(patient.complete(QUESTION, NEVER, paused.signal)).rejects.toBe(reason);
    expect([patient.onTheWay(), busy.requests.length]).toEqual([0, 1]);
  });

  it.each([false, true])("by hanging is asked again, headers sent: %s", async (afterHeaders) => {
    const stub = await stubOf({ kind: "hang", afterHeaders }, ANSWER);
    const client = await createChatClient(clientOptions(stub.baseUrl, { timeoutSeconds: 0.2 }));
    expect((await client.complete(QUESTION, NEVER)).text).toBe("hi");
  });

  it.each<[StubStep, string, string]>([
    [status(503, {}, `<h1>${KEY}</h1>\n<p>busy</p>`), "HTTP 503", "HTTP 503: *** busy (asked 3 times)"],
    [RESET, "connection", "the connection failed: "],
    [{ kind: "hang" }, "timeout", "no answer in 0.2 s (asked 3 times)"],
    [raw("{"), "broken answer", "the answer is broken: it is no JSON: { (asked 3 times)"],
    [
      raw('{"error": {"message": "model overloaded"}}'),
      "broken answer",
      "is broken: model overloaded (asked",
    ],
    [raw(completion("", { choices: [] })), "broken answer", "choices"],
  ])("to the end says why (%#)", async (step, reason, words) => {
    const stub = await stubOf(step);
    const client = await createChatClient(clientOptions(stub.baseUrl, { timeoutSeconds: 0.2 }));
    const error = await failureOf(client.complete(QUESTION, NEVER));
    expect(error.code).toBe("io");
    expect(error.message).toContain(`${client.url}: `);
    expect(error.message).toContain(words);
    expect(chatErrorDetails(error)).toEqual({ reason, fatal: false, attempts: 3 });
  });

  const message = (text: string, code: string | null = null): string =>
    JSON.stringify({ error: { message: `${text} ${KEY}`, code } });
  it.each<[StubStep, string, boolean, string]>([
    [status(400, {}, message("too long")), "HTTP 400", false, "HTTP 400: too long ***"],
    [
      status(401, {}, message("Incorrect API key: sk-a/s***42")),
      "HTTP 401",
      true,
      "HTTP 401: the server refuses the API key of the environment variable MY_KEY",
    ],
    [status(402, {}, message("pay")), "HTTP 402", true, "HTTP 402: pay ***"],
    [status(403, {}, message("not here")), "HTTP 403", true, "HTTP 403: not here ***"],
    [
      status(404, {}, message("nothing")),
      "HTTP 404",
      true,
      "HTTP 404: there is no model m here, or the address is wrong: nothing ***",
    ],
    [status(422), "HTTP 422", false, "HTTP 422: "],
    [status(429, {}, message("quota", "insufficient_quota")), "quota used up", true, "HTTP 429: quota ***"],
    [status(500, { "x-should-retry": "false" }), "HTTP 500", false, "HTTP 500: "],
  ])("for good is asked once (%#)", async (step, reason, fatal, words) => {
    const stub = await stubOf(step);
    const client = await createChatClient(clientOptions(stub.baseUrl));
    const error = await failureOf(client.complete(QUESTION, NEVER));
    expect(error.message).toContain(`${client.url}: ${words}`);
    expect(chatErrorDetails(error)).toEqual({ reason, fatal, attempts: 1 });
    expect(stub.requests).toHaveLength(1);
  });

  it("without key is told where to put one", async () => {
    const stub = await stubOf(status(401));
    const client = await createChatClient(clientOptions(stub.baseUrl, { apiKey: null }));
    const error = await failureOf(client.complete(QUESTION, NEVER));
    expect(error.message).toContain("wants an API key: put it into the environment variable MY_KEY");
  });

  it("waits as Retry-After says, but no longer than the bound", async () => {
    const stub = await stubOf(
      status(429, { "retry-after": "0.2" }),
      status(429, { "retry-after": "3600" }),
      ANSWER,
    );
    const client = await createChatClient(clientOptions(stub.baseUrl));
    const started = performance.now();
    await client.complete(QUESTION, NEVER);
    // Timers may fire a millisecond early.
    expect(performance.now() - started).toBeGreaterThan(490);
  });

  it("is given up at once when the signal aborts, on the way and while it waits", async () => {
    const reason = new Error("stop");
    const hanging = await stubOf({ kind: "hang" });
    const failing = await stubOf(status(429, { "retry-after": "60" }));
    for (const stub of [hanging, failing]) {
      const controller = new AbortController();
      const delays = { firstMs: 1, maxMs: 1, maxRetryAfterMs: 60_000 };
      const client = await createChatClient(clientOptions(stub.baseUrl, { retryDelays: delays }));
      const asked = client.complete(QUESTION, controller.signal);
      setTimeout(() => controller.abort(reason), 100);
      await expect(asked).rejects.toBe(reason);
    }
  });
});
