import { afterEach, describe, expect, it } from "vitest";
import { CalibrantError } from "../../../../src/errors.ts";
import { chatErrorDetails } from "../../../../src/inference/chat-error.ts";
import {
  createPromptScorer,
  type PromptScorer,
  type PromptScorerOptions,
  type ScoredText,
} from "../../../../src/uq/logprobs/server/create-prompt-scorer.ts";
import { sequencePerplexity } from "../../../../src/uq/sequence-perplexity.ts";
import {
  type InferenceStep,
  type InferenceStub,
  type StubOptions,
  startInferenceStub,
} from "./stub-inference-server.ts";
import { BOS, chatTokens, logprobsOf, tokenize } from "./toy-model.ts";

const KEY = "sk-a/secret+key==42";
const stubs: InferenceStub[] = [];
afterEach(async () => {
  for (const stub of stubs.splice(0)) await stub.close();
});

type Kind = Parameters<typeof startInferenceStub>[0];

async function serve(kind: Kind, options: StubOptions = {}): Promise<InferenceStub> {
  const stub = await startInferenceStub(kind, options);
  stubs.push(stub);
  return stub;
}

function open(url: string, changes: Partial<PromptScorerOptions> = {}): Promise<PromptScorer> {
  return createPromptScorer({
    url,
    apiKey: KEY,
    apiKeyName: "the environment variable MY_KEY",
    timeoutSeconds: 20,
    maxRetries: 2,
    retryDelays: { firstMs: 1, maxMs: 4, maxRetryAfterMs: 200 },
    now: Date.now,
    random: () => 0,
    ...changes,
  });
}

async function failureOf(promise: Promise<unknown>): Promise<CalibrantError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CalibrantError);
  return error as CalibrantError;
}

async function reasonOf(promise: Promise<unknown>): Promise<string | undefined> {
  return chatErrorDetails(await failureOf(promise))?.reason;
}

/** What the scoring request of a vLLM does, the nth time. */
function scoring(...steps: (InferenceStep | undefined)[]): StubOptions {
  return {
    script: ({ path }, nth) =>
      path === "/v1/completions" || path === "/generate" ? steps[Math.min(nth, steps.length) - 1] : undefined,
  };
}

type Choice = {
  prompt_logprobs: Record<string, { logprob: number | null }>[] | null;
  prompt_token_ids: number[];
};

function changedChoice(change: (choice: Choice) => Partial<Choice>): InferenceStep {
  return {
    kind: "change",
    change(answer) {
      const [choice] = answer.choices as Choice[];
      return { ...answer, choices: [{ ...(choice as Choice), ...change(choice as Choice) }] };
    },
  };
}

const TEXT = { prompt: "what is low", response: " and long" };
const PROMPT_IDS = tokenize(TEXT.prompt, true);
const RESPONSE_IDS = tokenize(TEXT.response, false);

describe("vLLM", () => {
  it("gives the log-probs of the response's tokens, asked by their ids", async () => {
    const stub = await serve("vllm");
    const scorer = await open(`${stub.url}/v1/`);
    const scored = await scorer.score(TEXT);
    expect(scorer.server).toEqual({ kind: "vllm", version: "0.11.0", model: "toy", mode: "unknown" });
    expect(scored).toEqual({
      logprobs: logprobsOf(PROMPT_IDS, RESPONSE_IDS),
      tokenIds: RESPONSE_IDS,
      promptTokens: PROMPT_IDS.length,
      boundary: "joint",
    });
    expect(stub.asked("/v1/completions").map(({ body }) => body)).toEqual([
      {
        model: "toy",
        prompt: [...PROMPT_IDS, ...RESPONSE_IDS],
        max_tokens: 1,
        temperature: 0,
        prompt_logprobs: 0,
        return_token_ids: true,
        add_special_tokens: false,
      },
    ]);
    expect(stub.requests.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
  });

  it("takes the entry of the token itself among others, whatever the order of the keys", async () => {
    const stub = await serve("vllm", { topK: 5 });
    const { logprobs } = await (await open(stub.url)).score(TEXT);
    expect(logprobs).toEqual(logprobsOf(PROMPT_IDS, RESPONSE_IDS));
  });

  it("tokenises the response alone where the tokeniser would merge across the boundary", async () => {
    const stub = await serve("vllm");
    const scored = await (await open(stub.url)).score({ prompt: "go t", response: "hen" });
    const prompt = tokenize("go t", true);
    const response = tokenize("hen", false);
    expect(tokenize("go then", true).slice(0, prompt.length)).not.toEqual(prompt);
    expect(scored).toEqual({
      logprobs: logprobsOf(prompt, response),
      tokenIds: response,
      promptTokens: prompt.length,
      boundary: "separate",
    });
  });

  it("tokenises every response alone when told so", async () => {
    const stub = await serve("vllm");
    const scored = await (await open(stub.url, { boundary: "separate" })).score(TEXT);
    expect([scored.boundary, stub.asked("/tokenize").length]).toEqual(["separate", 2]);
  });

  it("adds no BOS to prompts that hold their own", async () => {
    const stub = await serve("vllm");
    const scored = await (await open(stub.url, { specialTokens: false })).score(TEXT);
    expect([scored.promptTokens, scored.boundary]).toEqual([PROMPT_IDS.length - 1, "joint"]);
    expect(stub.asked("/tokenize").map(({ body }) => body.add_special_tokens)).toEqual([false, false]);
  });

  it("has the server make the prompt of messages, without the assistant's at their end", async () => {
    const stub = await serve("vllm");
    const messages = [
      { role: "user", content: "the first", name: null, tool_calls: null },
      { role: "assistant", content: "an answer" },
      { role: "user", content: "the second" },
      { role: "assistant", content: "low" },
    ];
    const tools = [{ type: "function", function: { name: "find" } }];
    const scorer = await open(stub.url, { chatTemplateKwargs: { enable_thinking: false } });
    const scored = await scorer.score({ messages, tools, prompt: "not this", response: "low" });
    const prompt = chatTokens(messages.slice(0, 3), true, tools);
    expect(scored.logprobs).toEqual(logprobsOf(prompt, tokenize("low", false)));
    expect(scored.boundary).toBe("separate");
    expect(stub.asked("/tokenize").map(({ body }) => body)).toEqual([
      {
        model: "toy",
        messages: [{ role: "user", content: "the first" }, messages[1], messages[2]],
        add_generation_prompt: true,
        tools,
        chat_template_kwargs: { enable_thinking: false },
      },
      { model: "toy", prompt: "low", add_special_tokens: false },
    ]);
  });

  it("uses token ids as they are", async () => {
    const stub = await serve("vllm");
    const scored = await (await open(stub.url)).score({
      promptTokenIds: Float64Array.of(7, 8),
      responseTokenIds: [9, 10],
      messages: [],
      response: "other",
    });
    expect(scored).toEqual({
      logprobs: logprobsOf([7, 8], [9, 10]),
      tokenIds: [9, 10],
      promptTokens: 2,
      boundary: "given",
    });
    expect(stub.asked("/tokenize")).toEqual([]);
  });

  it("keeps what stands for -Infinity and what is null, for the perplexity to tell", async () => {
    const first = changedChoice(({ prompt_logprobs: list }) => {
      const at = PROMPT_IDS.length;
      const entry = { [String(RESPONSE_IDS[0])]: { logprob: -9999 } };
      return { prompt_logprobs: (list ?? []).map((old, index) => (index === at ? entry : old)) };
    });
    const stub = await serve(
      "vllm",
      scoring(
        first,
        changedChoice(({ prompt_logprobs: list }) => ({
          prompt_logprobs: (list ?? []).map((old, index) =>
            index === PROMPT_IDS.length ? (null as never) : old,
          ),
        })),
      ),
    );
    const scorer = await open(stub.url);
    const sentinel = await scorer.score(TEXT);
    expect(sentinel.logprobs[0]).toBe(-9999);
    expect(sequencePerplexity(sentinel.logprobs)).toMatchObject({
      ppl: Number.POSITIVE_INFINITY,
      flags: ["sentinel"],
    });
    const withNull = await scorer.score(TEXT);
    expect(withNull.logprobs).toEqual([null, ...logprobsOf(PROMPT_IDS, RESPONSE_IDS).slice(1)]);
    expect(sequencePerplexity(withNull.logprobs)).toMatchObject({ ppl: Number.NaN, flags: ["null"] });
  });

  it("asks nothing of an empty response, and nothing behind a prompt without tokens", async () => {
    const stub = await serve("vllm");
    const scorer = await open(stub.url);
    expect(await scorer.score({ prompt: "what", response: "" })).toMatchObject({
      logprobs: [],
      tokenIds: [],
    });
    expect(await reasonOf(scorer.score({ promptTokenIds: [], response: "x" }))).toBe("prompt without tokens");
    expect(await scorer.score({ prompt: "", response: "x" })).toMatchObject({
      logprobs: logprobsOf([BOS], tokenize("x", false)),
    });
    expect(stub.asked("/v1/completions")).toHaveLength(1);
  });

  it.each([
    [[1.5], "token 0 of the response is no token id: 1.5"],
    [[3, Number.NaN], "token 1 of the response is no token id: NaN"],
    [[-1], "token 0 of the response is no token id: -1"],
  ])("refuses ids that are none (%j)", async (responseTokenIds, message) => {
    const stub = await serve("vllm");
    const error = await failureOf((await open(stub.url)).score({ prompt: "a", responseTokenIds }));
    expect([error.message, chatErrorDetails(error)?.reason]).toEqual([message, "bad token ids"]);
  });

  it.each<[string, InferenceStep, string, RegExp]>([
    [
      "other tokens",
      changedChoice(({ prompt_token_ids: ids }) => ({ prompt_token_ids: [0, ...ids.slice(1)] })),
      "wrong tokens",
      /token 0 where 1 was asked/,
    ],
    [
      "a shifted list",
      changedChoice(({ prompt_logprobs: list }) => ({
        prompt_logprobs: [...(list ?? []).slice(1), { "1": { logprob: -1 } }],
      })),
      "wrong tokens",
      /is not of token/,
    ],
    [
      "fewer tokens",
      changedChoice(({ prompt_logprobs: list }) => ({ prompt_logprobs: (list ?? []).slice(0, -1) })),
      "wrong length",
      /of \d+ tokens, asked were \d+/,
    ],
    [
      "a cut prompt",
      changedChoice(({ prompt_token_ids: ids }) => ({ prompt_token_ids: ids.slice(2) })),
      "wrong length",
      /asked were/,
    ],
    [
      "none at all",
      changedChoice(() => ({ prompt_logprobs: null })),
      "no prompt log-probs",
      /no prompt_logprobs/,
    ],
    [
      "logits",
      changedChoice(({ prompt_logprobs: list }) => ({
        prompt_logprobs: (list ?? []).map(
          (entry) => entry && Object.fromEntries(Object.keys(entry).map((key) => [key, { logprob: 7.75 }])),
        ),
      })),
      "not log-probs",
      /has 7.75/,
    ],
    [
      "NaN, which its JSON cannot hold",
      {
        kind: "status",
        status: 500,
        body: '{"error":{"message":"Out of range float values are not JSON compliant: nan","type":"InternalServerError","param":null,"code":500}}',
      },
      "NaN log-probs",
      /Out of range float/,
    ],
    [
      "a text that is too long",
      {
        kind: "status",
        status: 400,
        body: `{"error":{"message":"This model's maximum context length is 16 tokens. However, your request has 20 input tokens.","type":"BadRequestError","param":"input_tokens","code":400}}`,
      },
      "too long",
      /maximum context length is 16 tokens/,
    ],
  ])("fails for %s, and is not asked again", async (_what, step, reason, words) => {
    const stub = await serve("vllm", scoring(step));
    const error = await failureOf((await open(stub.url)).score(TEXT));
    expect(chatErrorDetails(error)).toMatchObject({ reason, fatal: false });
    expect(error.message).toMatch(words);
    expect(stub.asked("/v1/completions")).toHaveLength(1);
  });

  it.each<[string, InferenceStep]>([
    ["HTTP 429 with Retry-After", { kind: "status", status: 429, headers: { "retry-after": "0.05" } }],
    ["HTTP 503", { kind: "status", status: 503, body: "<html><h1>Service Unavailable</h1></html>" }],
    ["a plain HTTP 500", { kind: "status", status: 500, body: "Internal Server Error" }],
    ["half a body", { kind: "half" }],
    ["a body that is no JSON", { kind: "raw", body: '{"choices": [' }],
    ["a body without choices", { kind: "raw", body: "{}" }],
    ["a connection that is cut", { kind: "reset" }],
  ])("is asked again after %s", async (_what, step) => {
    const stub = await serve("vllm", scoring(step, undefined));
    const { logprobs } = await (await open(stub.url)).score(TEXT);
    expect(logprobs).toEqual(logprobsOf(PROMPT_IDS, RESPONSE_IDS));
    expect(stub.asked("/v1/completions")).toHaveLength(2);
  });

  it.each<InferenceStep["kind"]>(["hang", "hang-in-body"])("gives up in time (%s)", async (kind) => {
    const stub = await serve("vllm", scoring({ kind } as InferenceStep));
    const scorer = await open(stub.url, { timeoutSeconds: 0.2, maxRetries: 1 });
    const error = await failureOf(scorer.score(TEXT));
    expect(chatErrorDetails(error)).toEqual({ reason: "timeout", fatal: false, attempts: 2 });
  });

  it("hides the key where the server repeats it", async () => {
    const stub = await serve(
      "vllm",
      scoring({ kind: "status", status: 400, body: `{"message":"bad key ${KEY}"}` }),
    );
    const error = await failureOf((await open(stub.url)).score(TEXT));
    expect(error.message).toMatch(/HTTP 400: bad key \*\*\*$/);
    expect(JSON.stringify(error.details)).not.toContain(KEY);
  });

  it("sends no more tokens than allowed", async () => {
    const stub = await serve("vllm");
    const scorer = await open(stub.url, { maxTokens: PROMPT_IDS.length + RESPONSE_IDS.length - 1 });
    expect(await reasonOf(scorer.score(TEXT))).toBe("too long");
    expect(stub.asked("/v1/completions")).toEqual([]);
  });

  it("stops at once, or softly between two questions", async () => {
    const stub = await serve("vllm", scoring({ kind: "hang" }));
    const scorer = await open(stub.url);
    const hard = new AbortController();
    const aborted = scorer.score(TEXT, hard.signal);
    setTimeout(() => hard.abort(new Error("enough")), 50);
    await expect(aborted).rejects.toThrow("enough");
    const soft = AbortSignal.abort(new Error("no more"));
    await expect(scorer.score(TEXT, new AbortController().signal, soft)).rejects.toThrow("no more");
    expect(scorer.onTheWay()).toBe(0);
  });
});

describe("SGLang", () => {
  it.each([false, true])(
    "gives the log-probs from the response on (all from the start: %s)",
    async (fromStart) => {
      const stub = await serve("sglang", { fromStart });
      const scorer = await open(stub.url);
      const scored = await scorer.score(TEXT);
      expect(scorer.server).toEqual({ kind: "sglang", version: "0.5.13", model: "toy", mode: "unknown" });
      expect(scored).toEqual({
        logprobs: logprobsOf(PROMPT_IDS, RESPONSE_IDS),
        tokenIds: RESPONSE_IDS,
        promptTokens: PROMPT_IDS.length,
        boundary: "joint",
      });
      expect(stub.asked("/generate").map(({ body }) => body)).toEqual([
        {
          input_ids: [...PROMPT_IDS, ...RESPONSE_IDS],
          sampling_params: { temperature: 0, max_new_tokens: 0 },
          return_logprob: true,
          logprob_start_len: PROMPT_IDS.length - 1,
          top_logprobs_num: 0,
          return_text_in_logprobs: false,
        },
      ]);
    },
  );

  it("takes off what a server puts before every text although it is told not to", async () => {
    const stub = await serve("sglang", { ignoresSpecial: true });
    const scored = await (await open(stub.url)).score({ prompt: "go t", response: "hen" });
    expect(scored).toMatchObject({ tokenIds: tokenize("hen", false), boundary: "separate" });
  });

  it("has the server make the prompt of messages, and says where it cannot", async () => {
    const messages = [{ role: "user", content: "the first" }];
    const stub = await serve("sglang");
    const scored = await (await open(stub.url)).score({ messages, response: "low" });
    expect(scored.logprobs).toEqual(logprobsOf(chatTokens(messages, true, null), tokenize("low", false)));
    const old = await serve("sglang", { withoutChat: true });
    const error = await failureOf((await open(old.url)).score({ messages, response: "low" }));
    expect(error.message).toMatch(
      /takes no messages, which that of newer ones does: update it, or give prompts/,
    );
    expect(chatErrorDetails(error)?.fatal).toBe(true);
    const oldest = await serve("sglang", { withoutTokenize: true });
    const none = await failureOf((await open(oldest.url)).score({ messages, response: "low" }));
    expect(none.message).toMatch(/this SGLang has no \/tokenize/);
  });

  type Meta = { input_token_logprobs: [number | null, number, null][]; finish_reason: unknown };
  const changedMeta = (change: (meta: Meta) => Partial<Meta>): InferenceStep => ({
    kind: "change",
    change: (answer) => ({
      ...answer,
      meta_info: { ...(answer.meta_info as Meta), ...change(answer.meta_info as Meta) },
    }),
  });

  it("keeps a null behind the first entry", async () => {
    const step = changedMeta(({ input_token_logprobs: list }) => ({
      input_token_logprobs: list.map((entry, at) => (at === 2 ? [null, entry[1], null] : entry)),
    }));
    const stub = await serve("sglang", scoring(step));
    const { logprobs } = await (await open(stub.url)).score(TEXT);
    const expected: (number | null)[] = logprobsOf(PROMPT_IDS, RESPONSE_IDS);
    expected[1] = null;
    expect(logprobs).toEqual(expected);
  });

  it.each<[string, InferenceStep, string]>([
    [
      "fewer tokens",
      changedMeta(({ input_token_logprobs: list }) => ({ input_token_logprobs: list.slice(1) })),
      "wrong length",
    ],
    [
      "other tokens",
      changedMeta(({ input_token_logprobs: list }) => ({
        input_token_logprobs: list.map(([value]) => [value, 4, null]),
      })),
      "wrong tokens",
    ],
    ["none at all", changedMeta(() => ({ input_token_logprobs: null as never })), "no prompt log-probs"],
    [
      "entries of another kind",
      changedMeta(({ input_token_logprobs: list }) => ({
        input_token_logprobs: list.map(() => -1 as never),
      })),
      "broken answer",
    ],
    [
      "a question that it aborted",
      changedMeta(() => ({ finish_reason: { type: "abort", message: "out of memory" } })),
      "broken answer",
    ],
    [
      "a text that is too long",
      {
        kind: "status",
        status: 400,
        body: `{"error":{"message":"The input (20 tokens) is longer than the model's context length (16 tokens)."}}`,
      },
      "too long",
    ],
  ])("fails for %s", async (_what, step, reason) => {
    const stub = await serve("sglang", scoring(step));
    expect(await reasonOf((await open(stub.url)).score(TEXT))).toBe(reason);
  });
});

describe("the server", () => {
  it("is refused when it is llama.cpp's, after one look whether it has them", async () => {
    const stub = await serve("llama.cpp");
    const error = await failureOf(open(stub.url));
    expect(error.message).toBe(
      `${stub.url} is llama.cpp's server, which gives log-probs of the tokens that it generates only, not of a given text: serve the model with vLLM or SGLang`,
    );
    expect(stub.asked("/v1/completions")).toHaveLength(1);
  });

  it("is taken when it is llama.cpp's and does give them", async () => {
    const script: StubOptions["script"] = ({ path, body }) => {
      if (path !== "/v1/completions") return undefined;
      const ids = body.prompt as number[];
      const prompt_logprobs = ids.map((id, at) => (at === 0 ? null : { [id]: { logprob: -at } }));
      return { kind: "raw", body: JSON.stringify({ choices: [{ index: 0, prompt_logprobs }] }) };
    };
    const stub = await serve("llama.cpp", { script });
    const scorer = await open(stub.url);
    const scored: ScoredText = await scorer.score({ prompt: "a", response: "x" });
    expect([scorer.server.kind, scored.logprobs]).toEqual(["llama.cpp", [-2]]);
  });

  it("needs no tokeniser for rows that are token ids, and says so for others", async () => {
    const scorer = await open((await serve("sglang", { withoutTokenize: true })).url);
    const ids = { promptTokenIds: [1, 5], responseTokenIds: [6] };
    expect((await scorer.score(ids)).tokenIds).toEqual([6]);
    const error = await failureOf(scorer.score({ prompt: "a", response: "x" }));
    expect(error.message).toMatch(/this SGLang has no \/tokenize/);
  });

  it("is asked what it is, and taken for what it is said to be", async () => {
    const stub = await serve("other");
    const error = await failureOf(open(stub.url));
    expect(error.message).toMatch(
      /is neither vLLM nor SGLang \(\/v1\/models: owned by someone; \/version: HTTP 404; .*--server-kind/,
    );
    expect((await open(stub.url, { kind: "vllm" })).server).toMatchObject({ kind: "vllm", version: null });
  });

  it.each<[string, StubOptions["script"], Partial<PromptScorerOptions>, RegExp]>([
    ["wants a key", () => ({ kind: "status", status: 401 }), {}, /HTTP 401: the server wants an API key/],
    ["has not the model", undefined, { model: "other" }, /there is no model other: it has toy$/],
    [
      "is set to logits",
      ({ path }) =>
        path.startsWith("/server_info")
          ? { kind: "raw", body: '{"vllm_config":{"model_config":{"logprobs_mode":"raw_logits"}}}' }
          : undefined,
      {},
      /gives logits, not log-probs: start vLLM with --logprobs-mode raw_logprobs, got raw_logits/,
    ],
  ])("is refused when it %s", async (_what, script, changes, words) => {
    const stub = await serve("vllm", script === undefined ? {} : { script });
    expect((await failureOf(open(stub.url, changes))).message).toMatch(words);
  });

  it("is refused when it cannot be reached", async () => {
    const stub = await serve("vllm");
    await stub.close();
    expect((await failureOf(open(stub.url))).message).toMatch(
      /\/v1\/models: the connection failed: .*ECONNREFUSED/,
    );
  });

  it("says its mode where it can, else it is what the caller says", async () => {
    const tells: StubOptions["script"] = ({ path }) =>
      path.startsWith("/server_info")
        ? { kind: "raw", body: '{"vllm_config":{"model_config":{"logprobs_mode":"processed_logprobs"}}}' }
        : undefined;
    const one = await serve("vllm", { script: tells });
    const other = await serve("vllm");
    expect((await open(one.url, { mode: "raw" })).server.mode).toBe("processed");
    expect((await open(other.url, { mode: "raw" })).server.mode).toBe("raw");
  });

  it.each<[Partial<PromptScorerOptions>, RegExp]>([
    [{ kind: "ollama" as never }, /kind must be one of auto, vllm, sglang, got ollama/],
    [{ mode: "logits" as never }, /mode must be one of raw, processed, unknown, got logits/],
    [{ boundary: "auto" as never }, /boundary must be one of joint, separate, got auto/],
    [{ maxTokens: 1 }, /maxTokens must be a whole number from 2, got 1/],
    [{ maxRetries: -1 }, /maxRetries must be a whole number from 0, got -1/],
    [{ timeoutSeconds: 301 }, /at most 300 seconds, got 301/],
    [{ url: "http://me:word@localhost" }, /must hold no @/],
    [{ colour: 1 } as never, /createPromptScorer has no option colour/],
  ])("is not asked with options that cannot be (%j)", async (changes, words) => {
    expect((await failureOf(open("http://127.0.0.1:9", changes))).message).toMatch(words);
  });
});
