import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chatTokens, logprobAt, tokenize } from "./toy-model.ts";

/** A question as the stub got it. */
export interface InferenceRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** What the stub does instead of answering as its kind does. */
export type InferenceStep =
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  | { readonly kind: "raw"; readonly body: string }
  | { readonly kind: "half" | "reset" | "hang" | "hang-in-body" }
  | { readonly kind: "slow"; readonly ms: number }
  /** The usual answer, changed. */
  | { readonly kind: "change"; readonly change: (answer: Record<string, unknown>) => unknown };

export type Script = (request: InferenceRequest, nth: number) => InferenceStep | undefined;

export interface InferenceStub {
  readonly url: string;
  readonly requests: InferenceRequest[];
  /** Of one path. */
  asked(path: string): InferenceRequest[];
  close(): Promise<void>;
}

export interface StubOptions {
  /** `nth` counts the same questions (path and body), from 1. */
  readonly script?: Script;
  readonly model?: string;
  /** vLLM: alternatives beside each token. */
  readonly topK?: number;
  /** SGLang: `add_special_tokens` has no effect; `/tokenize` knows no messages, or is not there. */
  readonly ignoresSpecial?: boolean;
  readonly withoutChat?: boolean;
  readonly withoutTokenize?: boolean;
  /** SGLang: `logprob_start_len` has no effect. */
  readonly fromStart?: boolean;
  /** Whose `/v1/models` names nobody known. */
  readonly owner?: string;
}

type Answer = (request: InferenceRequest, options: StubOptions) => unknown;
type Kind = "vllm" | "sglang" | "llama.cpp" | "other";

/** A server on this machine that speaks as one of the kinds does, with the toy model behind it. */
export async function startInferenceStub(kind: Kind, options: StubOptions = {}): Promise<InferenceStub> {
  const requests: InferenceRequest[] = [];
  const counts = new Map<string, number>();
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on("data", (piece: Buffer) => pieces.push(piece));
    incoming.on("end", () => {
      const text = Buffer.concat(pieces).toString("utf8");
      const request: InferenceRequest = {
        method: incoming.method ?? "",
        path: incoming.url ?? "",
        headers: incoming.headers,
        body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>),
      };
      const key = `${request.path} ${text}`;
      const nth = (counts.get(key) ?? 0) + 1;
      counts.set(key, nth);
      requests.push(request);
      play(
        options.script?.(request, nth),
        ROUTES[kind][`${request.method} ${request.path}`],
        request,
        options,
        response,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    asked: (path) => requests.filter((request) => request.path === path),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const JSON_TYPE = { "content-type": "application/json" };

function play(
  step: InferenceStep | undefined,
  route: Answer | undefined,
  request: InferenceRequest,
  options: StubOptions,
  response: ServerResponse,
): void {
  const send = (status: number, body: unknown): void => {
    response.writeHead(status, JSON_TYPE).end(typeof body === "string" ? body : JSON.stringify(body));
  };
  const answer = (): { status: number; body: unknown } => {
    const body = route?.(request, options);
    if (body === undefined) return { status: 404, body: { detail: "Not Found" } };
    return { status: typeof body === "string" ? 200 : ((body as { status?: number }).status ?? 200), body };
  };
  switch (step?.kind) {
    case undefined: {
      const { status, body } = answer();
      send(status, body);
      return;
    }
    case "change":
      send(200, step.change(parsed(answer().body)));
      return;
    case "status":
      response.writeHead(step.status, { ...JSON_TYPE, ...step.headers }).end(step.body ?? "");
      return;
    case "raw":
      send(200, step.body);
      return;
    case "slow":
      setTimeout(() => send(200, answer().body), step.ms);
      return;
    case "half": {
      const whole = JSON.stringify(parsed(answer().body));
      response.writeHead(200, { ...JSON_TYPE, "content-length": whole.length });
      response.write(whole.slice(0, whole.length / 2), () => response.destroy());
      return;
    }
    case "reset":
      response.destroy();
      return;
    case "hang-in-body":
      response.writeHead(200, JSON_TYPE).write('{"id": "');
      return;
    case "hang":
  }
}

function parsed(body: unknown): Record<string, unknown> {
  return (typeof body === "string" ? JSON.parse(body) : body) as Record<string, unknown>;
}

function models(owner: string): Answer {
  return (_request, { model = "toy", owner: other }) => ({
    object: "list",
    data: [{ id: model, object: "model", created: 1, owned_by: other ?? owner, root: model, parent: null }],
  });
}

const ROUTES: Readonly<Record<Kind, Readonly<Record<string, Answer>>>> = {
  vllm: {
    "GET /v1/models": models("vllm"),
    "GET /version": () => ({ version: "0.11.0" }),
    "POST /tokenize": vllmTokenize,
    "POST /v1/completions": vllmCompletion,
  },
  sglang: {
    "GET /v1/models": models("sglang"),
    "GET /get_model_info": () => ({ model_path: "toy", tokenizer_path: "toy", is_generation: true }),
    "GET /get_server_info": () => ({ model_path: "toy", version: "0.5.13", internal_states: [] }),
    "POST /tokenize": sglangTokenize,
    "POST /generate": sglangGenerate,
  },
  "llama.cpp": {
    "GET /v1/models": models("llamacpp"),
    "GET /props": () => ({
      default_generation_settings: { n_ctx: 512 },
      total_slots: 1,
      build_info: "b9000",
    }),
    "POST /tokenize": ({ body }) => ({ tokens: tokenize(String(body.content), body.add_special === true) }),
    "POST /v1/completions": () => ({
      choices: [{ text: "x", index: 0, logprobs: null, finish_reason: "length" }],
      object: "text_completion",
      usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
    }),
  },
  other: { "GET /v1/models": models("someone") },
};

function tokenizeBody(tokens: readonly number[]): unknown {
  return { count: tokens.length, max_model_len: 4096, tokens, token_strs: null };
}

function vllmTokenize({ body }: InferenceRequest): unknown {
  if (Array.isArray(body.messages))
    return tokenizeBody(chatTokens(body.messages, body.add_generation_prompt !== false, body.tools ?? null));
  return tokenizeBody(tokenize(String(body.prompt), body.add_special_tokens !== false));
}

function vllmCompletion({ body }: InferenceRequest, { model = "toy", topK = 0 }: StubOptions): unknown {
  const given = body.prompt;
  const ids = Array.isArray(given)
    ? (given as number[])
    : tokenize(String(given), body.add_special_tokens !== false);
  const entries = ids.map((id, at) => {
    if (at === 0) return "null";
    const own = { logprob: logprobAt(ids, at), rank: 3, decoded_token: "x" };
    // As Python writes it: the token itself first, then the most probable ones. JSON.parse sorts the keys anew.
    const others = Array.from({ length: topK }, (_, k): [string, unknown] => [
      String(k % 2 === 0 ? k + 1 : id + k + 1),
      { logprob: -0.001 * (k + 1), rank: k + 1, decoded_token: "y" },
    ]);
    return `{${[[String(id), own] as const, ...others].map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(",")}}`;
  });
  const choice = {
    index: 0,
    text: "!",
    logprobs: null,
    finish_reason: "length",
    stop_reason: null,
    token_ids: [5],
    ...(body.return_token_ids === true && { prompt_token_ids: ids }),
    prompt_logprobs: "HERE",
  };
  const answer = { id: "cmpl-1", object: "text_completion", created: 1, model, choices: [choice] };
  return JSON.stringify(answer).replace('"HERE"', `[${entries.join(",")}]`);
}

function sglangTokenize({ body }: InferenceRequest, options: StubOptions): unknown {
  if (options.withoutTokenize === true) return undefined;
  if (Array.isArray(body.messages)) {
    if (options.withoutChat === true)
      return {
        status: 400,
        object: "error",
        message:
          "1 validation errors:\n  {'type': 'missing', 'loc': ('body', 'prompt'), 'msg': 'Field required'}",
      };
    return tokenizeBody(chatTokens(body.messages, true, body.tools ?? null));
  }
  const special = options.ignoresSpecial === true || body.add_special_tokens !== false;
  return tokenizeBody(tokenize(String(body.prompt), special));
}

function sglangGenerate({ body }: InferenceRequest, options: StubOptions): unknown {
  const ids = body.input_ids as number[];
  const start = options.fromStart === true ? 0 : (body.logprob_start_len as number);
  const entries = ids
    .map((id, at) => [at === start ? null : logprobAt(ids, at), id, null] as const)
    .slice(start);
  return {
    text: "",
    output_ids: [],
    meta_info: {
      id: "1",
      finish_reason: { type: "length", length: 0 },
      prompt_tokens: ids.length,
      weight_version: "default",
      cached_tokens: start,
      input_token_logprobs: entries,
      output_token_logprobs: [],
    },
  };
}
