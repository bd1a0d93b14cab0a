import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/math/seeded-random.ts";
import { EXPLICIT_FAULTS } from "../../src/recovery/fault-kinds.ts";
import { type AnsweredFault, FAULT_MESSAGES, faultResponse } from "../../src/recovery/fault-messages.ts";

const KINDS: readonly AnsweredFault[] = [...EXPLICIT_FAULTS, "blocked"];
const ALL = KINDS.flatMap((kind) => FAULT_MESSAGES[kind].map((message) => ({ kind, ...message })));
const STATUSES: Readonly<Record<AnsweredFault, readonly (number | null)[]>> = {
  timeout: [null, 504, 408],
  rate_limit: [null, 429],
  server_error: [500, 502, 503],
  malformed_response: [null],
  auth_error: [401, 403],
  schema_drift: [null, 400, 422],
  blocked: [null],
};

/** Numbers in their order, to say what is drawn. */
function numbers(...values: number[]): () => number {
  let next = 0;
  return () => values[next++] as number;
}

describe("FAULT_MESSAGES", () => {
  it("has at least five wordings of every visible kind and of a block, some of them JSON, none twice", () => {
    expect(Object.keys(FAULT_MESSAGES)).toEqual(KINDS);
    for (const kind of KINDS) {
      const texts = FAULT_MESSAGES[kind].map(({ text }) => text);
      expect(new Set(texts).size).toBe(texts.length);
      expect(texts.length).toBeGreaterThanOrEqual(5);
      expect(texts.some((text) => text.startsWith("{"))).toBe(true);
      expect(texts.some((text) => !text.startsWith("{"))).toBe(true);
    }
    expect(FAULT_MESSAGES.timeout[0]).toEqual({ text: "Error: request timed out after 30s", status: null });
  });

  it("names exactly the status that it states, and only statuses of its kind", () => {
    for (const { kind, text, status } of ALL) {
      const named = [...text.matchAll(/\b[1-5]\d\d\b/g)].map(([digits]) => Number(digits));
      expect([text, [...new Set(named)]]).toEqual([text, status === null ? [] : [status]]);
      expect(STATUSES[kind]).toContain(status);
    }
    for (const kind of KINDS) {
      const stated = new Set(FAULT_MESSAGES[kind].map(({ status }) => status));
      expect([kind, [...STATUSES[kind]].filter((status) => !stated.has(status))]).toEqual([kind, []]);
    }
  });

  it("holds no address and no instruction, and a block never invites another try", () => {
    for (const { text } of ALL)
      expect(text).not.toMatch(/https?:|@|\b(you|your|please|must|should|contact|ask|do not|use)\b/i);
    for (const { text } of FAULT_MESSAGES.blocked) {
      expect(text).toMatch(/\bthis session\b/);
      expect(text).not.toMatch(/retry|again|later|wait|tempor|moment|currently/i);
    }
  });
});

describe("faultResponse", () => {
  it("draws wording, quantity and field", () => {
    const cases: [AnsweredFault, number[], string, number | null][] = [
      ["timeout", [3 / 9, 0.5, 0], "TimeoutError: no response from f within 30 seconds", null],
      ["rate_limit", [1 / 7, 0.99, 0], "HTTP 429 Too Many Requests\nRetry-After: 30", 429],
      ["rate_limit", [5 / 7, 0, 0], '{"status":429,"error":"Too Many Requests","retry_after":1}', 429],
      [
        "malformed_response",
        [0.2, 0.25, 0],
        "json.decoder.JSONDecodeError: Unterminated string starting at: line 1 column 513 (char 512)",
        null,
      ],
      ["schema_drift", [0, 0, 0], "Unknown field 'items_v2'", null],
      ["schema_drift", [1 / 7, 0, 0.999], "Error: required field missing: 'meta_v2'", null],
      ["blocked", [0, 0, 0], "Error: tool 'f' is unavailable for this session", null],
    ];
    for (const [fault, draws, text, status] of cases)
      expect(faultResponse(fault, "f", numbers(...draws))).toEqual({ text, status });
  });

  it("takes three numbers whatever it draws, fills in every place, and stays JSON for any tool name", () => {
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), fc.string(), fc.nat(), (kind, tool, seed) => {
        const random = seededRandom(seed);
        let draws = 0;
        const counted = () => {
          draws += 1;
          return random();
        };
        const { text, status } = faultResponse(kind, tool, counted);
        expect(draws).toBe(3);
        const template = FAULT_MESSAGES[kind].find((message) => {
          const pieces = message.text.split(/\{(?:tool|field|seconds|wait|position|column)\}/);
          return text.startsWith(pieces[0] as string) && text.endsWith(pieces.at(-1) as string);
        });
        expect(template?.status).toBe(status);
        if (kind !== "malformed_response" && text.startsWith("{") && text.endsWith("}")) {
          expect(JSON.stringify(JSON.parse(text))).toBe(text);
        }
      }),
    );
  });

  it("gives garbled bodies that are not JSON, and puts the tool's name in as it is", () => {
    const bodies = FAULT_MESSAGES.malformed_response.filter(({ text }) => /^[{<[]/.test(text)).slice(1);
    expect(bodies.length).toBeGreaterThanOrEqual(3);
    for (const { text } of bodies) expect(() => JSON.parse(text)).toThrow();
    expect(faultResponse("blocked", "$&{field}", () => 0).text).toBe(
      "Error: tool '$&{field}' is unavailable for this session",
    );
    expect(JSON.parse(faultResponse("blocked", 'a"b\n', numbers(0.6, 0, 0)).text).error.message).toBe(
      "Tool 'a\"b\n' is unavailable for this session.",
    );
  });

  it("has no answer for a silent kind", () => {
    expect(() => faultResponse("stale" as AnsweredFault, "f", () => 0)).toThrow(
      "faultResponse: fault must be one of timeout, rate_limit, server_error, malformed_response, auth_error, schema_drift, blocked, got stale",
    );
  });
});
