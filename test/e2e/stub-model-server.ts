import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A question as the stub got it. */
export interface StubRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: StubBody;
}

export interface StubBody {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly [field: string]: unknown;
}

/** What the stub does with one question. */
export type StubStep =
  | { readonly kind: "answer"; readonly text: string; readonly fields?: Readonly<Record<string, unknown>> }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** A body with status 200, whatever it is. */
  | { readonly kind: "raw"; readonly body: string }
  /** Closes the connection in the middle of the body. */
  | { readonly kind: "half" }
  /** Closes the connection without a word. */
  | { readonly kind: "reset" }
  /** Never answers; with headers, it sends them and the begin of a body first. */
  | { readonly kind: "hang"; readonly afterHeaders?: boolean }
  | { readonly kind: "slow"; readonly ms: number; readonly text: string };

export interface StubServer {
  readonly baseUrl: string;
  /** All questions, in the order of their arrival. */
  readonly requests: readonly StubRequest[];
  close(): Promise<void>;
}

/** The body of a chat completion. */
export function completion(text: string, fields: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    id: "chatcmpl-stub",
    object: "chat.completion",
    model: "stub-1",
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
    usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
    ...fields,
  });
}

/**
 * A server on this machine that speaks OpenAI's chat completions.
 *
 * @param script - what to do with a question; `nth` counts the questions with the same messages, from 1.
 */
export async function startStub(
  script: (request: StubRequest, nth: number) => StubStep,
): Promise<StubServer> {
  const requests: StubRequest[] = [];
  const counts = new Map<string, number>();
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on("data", (piece: Buffer) => pieces.push(piece));
    incoming.on("end", () => {
      const body = JSON.parse(Buffer.concat(pieces).toString("utf8")) as StubBody;
      const request = { url: incoming.url ?? "", headers: incoming.headers, body };
      const key = JSON.stringify(body.messages);
      const nth = (counts.get(key) ?? 0) + 1;
      counts.set(key, nth);
      requests.push(request);
      play(script(request, nth), response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function play(step: StubStep, response: ServerResponse): void {
  const json = { "content-type": "application/json" };
  switch (step.kind) {
    case "answer":
      response.writeHead(200, json).end(completion(step.text, step.fields));
      return;
    case "slow":
      setTimeout(() => response.writeHead(200, json).end(completion(step.text)), step.ms);
      return;
    case "status":
      response.writeHead(step.status, { ...json, ...step.headers }).end(step.body ?? "");
      return;
    case "raw":
      response.writeHead(200, json).end(step.body);
      return;
    case "half": {
      const whole = completion("a text that is cut");
      response.writeHead(200, { ...json, "content-length": whole.length });
      response.write(whole.slice(0, whole.length / 2), () => response.destroy());
      return;
    }
    case "reset":
      response.destroy();
      return;
    case "hang":
      if (step.afterHeaders === true) response.writeHead(200, json).write('{"id": "chatcmpl-');
  }
}
