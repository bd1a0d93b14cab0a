import { describe, expect, it } from "vitest";
import type { ChatAnswer } from "../../src/inference/chat-answer.ts";
import type { ChatClient, ChatRequest } from "../../src/inference/chat-client.ts";
import { chatError } from "../../src/inference/chat-error.ts";
import {
  createStructuredAsker,
  type StructuredAskerOptions,
  type StructuredForm,
} from "../../src/inference/structured-asker.ts";

const FORMAT = { name: "answer", schema: { type: "object" } };
const REQUEST = { messages: [{ role: "user", content: "q" }], maxTokens: 9, temperature: 0 } as const;
const NEVER = new AbortController().signal;
const ANSWER: ChatAnswer = {
  text: "{}",
  reasoning: null,
  finishReason: "stop",
  model: "m",
  promptTokens: 1,
  completionTokens: 1,
  reasoningTokens: null,
  tokens: null,
};

const formOf = ({ responseFormat }: ChatRequest): StructuredForm =>
  responseFormat === "json_object" ? "json_object" : responseFormat ? "json_schema" : "none";

const failure = (reason: string, words: string, fatal = false): Error =>
  chatError(`http://h: ${reason}: ${words}`, { reason, fatal, attempts: 1 });

/** A client whose server does what `answer` says; with the forms that it was asked for. */
function scripted(
  answer: (form: StructuredForm, nth: number) => Error | null,
  mode: StructuredAskerOptions["mode"] = "auto",
) {
  const asked: StructuredForm[] = [];
  const refused: string[] = [];
  const client: ChatClient = {
    url: "http://h",
    onTheWay: () => 0,
    async complete(request) {
      const form = formOf(request);
      const nth = asked.push(form);
      await new Promise((resolve) => setTimeout(resolve, 1));
      const error = answer(form, nth);
      if (error !== null) throw error;
      return ANSWER;
    },
  };
  const onRefused = (form: string, next: string): void => void refused.push(`${form} > ${next}`);
  const asker = createStructuredAsker(client, { mode, onRefused });
  return { asked, refused, ask: () => asker.ask(REQUEST, FORMAT, NEVER) };
}

describe("createStructuredAsker", () => {
  it("keeps to json_schema where the server takes it, and to a form that was asked for", async () => {
    const good = scripted(() => null);
    expect((await good.ask()).form).toBe("json_schema");
    expect([good.asked, good.refused]).toEqual([["json_schema"], []]);
    for (const mode of ["json_schema", "json_object", "none"] as const) {
      const kept = scripted(() => failure("HTTP 400", "response_format is not supported"), mode);
      await expect(kept.ask()).rejects.toThrow("response_format is not supported");
      expect(kept.asked).toEqual([mode]);
    }
  });

  it.each([
    ["HTTP 400", "Invalid parameter: 'response_format' of type 'json_schema' is not supported"],
    ["HTTP 422", "guided_json needs a guided decoding backend"],
    ["HTTP 404", "there is no model m here: json_schema is unknown"],
    ["HTTP 500", "failed to parse grammar"],
    ["HTTP 400", "bad request"],
  ])("goes down once for the whole run after %s: %s", async (reason, words) => {
    const server = scripted((form) => (form === "json_schema" ? failure(reason, words) : null));
    const answers = await Promise.all(Array.from({ length: 20 }, server.ask));
    expect(answers.map(({ form }) => form)).toEqual(new Array(20).fill("json_object"));
    expect(server.asked.filter((form) => form === "json_schema")).toHaveLength(1);
    expect(server.refused).toEqual(["json_schema > json_object"]);
  });

  it("goes on down to no form at all", async () => {
    const words = scripted((form) => (form === "none" ? null : failure("HTTP 400", `no ${form}`)));
    expect((await words.ask()).form).toBe("none");
    expect(words.refused).toEqual(["json_schema > json_object", "json_object > none"]);
    const silent = scripted((form) => (form === "none" ? null : failure("HTTP 400", "bad request")));
    await silent.ask();
    await silent.ask();
    expect([silent.asked, silent.refused]).toEqual([
      ["json_schema", "json_object", "none", "none"],
      ["json_schema > none"],
    ]);
  });

  it("takes a question that fails in every form for wrong, not the form", async () => {
    const server = scripted((_form, nth) =>
      nth <= 3 ? failure("HTTP 400", "the prompt is too long") : null,
    );
    await expect(server.ask()).rejects.toThrow("too long");
    expect((await server.ask()).form).toBe("json_schema");
    expect(server.refused).toEqual([]);
    const later = scripted((_form, nth) =>
      nth === 2 ? failure("HTTP 400", "the prompt is too long") : null,
    );
    await later.ask();
    await expect(later.ask()).rejects.toThrow("too long");
    expect(later.asked).toEqual(["json_schema", "json_schema"]);
  });

  it.each([
    failure("timeout", "no answer in 1 s"),
    failure("HTTP 401", "no key", true),
    failure("HTTP 404", "there is no model m here", true),
    failure("HTTP 503", "busy"),
    new Error("a fault"),
  ])("hands on every other failure (%#), which holds nobody up", async (error) => {
    const server = scripted((_form, nth) => (nth === 1 ? error : null));
    const [first, ...others] = await Promise.allSettled(Array.from({ length: 4 }, server.ask));
    expect(first).toMatchObject({ status: "rejected", reason: error });
    expect(others.map(({ status }) => status)).toEqual(new Array(3).fill("fulfilled"));
    expect(server.asked).toEqual(new Array(4).fill("json_schema"));
  });
});
