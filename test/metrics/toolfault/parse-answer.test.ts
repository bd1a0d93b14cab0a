import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FAULT_TYPES, NEXT_ACTIONS } from "../../../src/metrics/toolfault/labels.ts";
import { findToolFaultAnswer, parseToolFaultAnswer } from "../../../src/metrics/toolfault/parse-answer.ts";

const TIMEOUT = '{"fault_type": "timeout", "next_action": "retry_same"}';
const NONE = '{"fault_type": "none", "next_action": "proceed"}';
const timeout = { fault_type: "timeout", next_action: "retry_same" };

describe("parseToolFaultAnswer", () => {
  it.each([
    ["alone", TIMEOUT],
    ["in prose", `The call got no answer. My answer is ${TIMEOUT}. I hope this helps {really}!`],
    ["in a fence", `Sure:\n\`\`\`json\n${TIMEOUT}\n\`\`\`\n`],
    ["after thinking", `<think>${NONE} would be wrong, {"fault_type": </think>${TIMEOUT}`],
    ["in an unclosed think block", `<think>so ${TIMEOUT}`],
    ["the last of several", `${NONE}\n${NONE} no: ${TIMEOUT}`],
    ["inside another object", `{"id": 1, "answer": ${TIMEOUT}, "notes": []}`],
    ["in an array, the last", `[${NONE}, [${TIMEOUT}]]`],
    ["before a cut object", `${TIMEOUT} or rather {"fault_type": "none", "next_action": "pro`],
    ["before a broken one", `${TIMEOUT} {"fault_type": "none", "next_action": "proceed",}`],
    ["before one with unknown labels", `${TIMEOUT} {"fault_type": "time out", "next_action": "retry_same"}`],
    ["before one without an action", `${TIMEOUT} {"fault_type": "none"}`],
    ["inside a broken object", `{"answer": ${TIMEOUT}, "because": the call`],
    ["behind an open quote", `He said "no {\\" ${TIMEOUT}`],
    [
      "with braces and quotes in strings",
      `{"why": "} {\\"x\\": {", "fault_type": "timeout", "next_action": "retry_same"}`,
    ],
    ["with other letters and spaces", '{"next_action":"\\tRetry_Same","fault_type":" TIMEOUT "}'],
    ["with escapes", '{"fault\\u005ftype":"tim\\u0065out","next_action":"retry_same"}'],
    ["with keys twice", '{"fault_type":"none","next_action":"retry_same","fault_type":"timeout"}'],
    [
      "with a long value before",
      `{"why":"${"x".repeat(5000)}","n":[1,{"a":[[]]}],"fault_type":"timeout","next_action":"retry_same"}`,
    ],
    ["holding an alternative", `{"fault_type":"timeout","next_action":"retry_same","rejected":${NONE}}`],
    [
      "behind an alternative of its own",
      `{"rejected":${NONE},"fault_type":"timeout","next_action":"retry_same"}`,
    ],
    ["holding what is no answer", `{"fault_type":"bug","next_action":"proceed","x":${TIMEOUT}}`],
  ])("reads an answer %s", (_name, text) => {
    expect(parseToolFaultAnswer(text)).toEqual(timeout);
  });

  it.each([
    null,
    "",
    "timeout, retry_same",
    "{'fault_type': 'timeout', 'next_action': 'retry_same'}",
    '{"fault_type": "timeout", "next_action": "retry_same"',
    '{"fault_type": "rate limited", "next_action": "proceed"}',
    '{"fault_type": "time-out", "next_action": "proceed"}',
    '{"fault_type": "timeout", "next_action": null}',
    '{"fault_type": ["timeout"], "next_action": "proceed"}',
    '{"faultType": "timeout", "nextAction": "proceed"}',
    '{"fault_type ": "timeout", "next_action": "proceed"}',
    '{"fault_type":"timeout","next_action":"retry_same","fault_type":"timeouts"}',
    '{"fault_type": "<label>", "next_action": "<label>"}',
    '{"a": {"fault_type": "timeout"}, "next_action": "retry_same"}',
    '"{\\"fault_type\\": \\"timeout\\", \\"next_action\\": \\"retry_same\\"}"',
  ])("finds none in %j", (text) => {
    expect(parseToolFaultAnswer(text)).toBeNull();
  });

  it("reads every pair of labels out of any text around it", () => {
    const fault = fc.constantFrom(...FAULT_TYPES);
    const action = fc.constantFrom(...NEXT_ACTIONS);
    const noise = fc
      .array(fc.constantFrom("{", "}", '"', "[", "]", ",", ":", "\\", "a", " ", "\n", "é"))
      .map((all) => all.join(""));
    fc.assert(
      fc.property(fault, action, noise, noise, (fault_type, next_action, before, after) => {
        const answer = { fault_type, next_action };
        const text = `${before}${JSON.stringify(answer)}${after}`;
        expect(parseToolFaultAnswer(text)).toEqual(answer);
      }),
      { numRuns: 300 },
    );
  });

  // Each would take hours if a brace were read to the end of the text more than a few times.
  it.each([
    "{",
    "[{",
    '{"a":',
    '{"a":[',
    '{"a":{"b":1},"c":',
    '{"',
    '{"x{',
    '"{"a',
    '{"a":"\\"{',
    "{ ",
    '{"a":[[{},',
    '{"fault_type":"none",',
  ])("is linear on a million characters of %s", (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    expect(parseToolFaultAnswer(`${TIMEOUT}${text}`)).toEqual(timeout);
  });

  it("reads an answer at a depth of 400,000", () => {
    const depth = 200_000;
    expect(parseToolFaultAnswer(`${'{"a":['.repeat(depth)}${TIMEOUT}${"]}".repeat(depth)}`)).toEqual(timeout);
    expect(parseToolFaultAnswer(`${'{"a":['.repeat(depth)}${TIMEOUT}`)).toEqual(timeout);
  });
});

describe("findToolFaultAnswer", () => {
  it("gives the places of the labels between their quotes, in UTF-16 units", () => {
    const text = `${NONE} 😀 {"next_action": " Retry_Same", "fault_type":"time\\u006fut"}`;
    const found = findToolFaultAnswer(text);
    expect(found?.answer).toEqual(timeout);
    expect(text.slice(...(found?.faultSpan ?? []))).toBe("time\\u006fut");
    expect(text.slice(...(found?.actionSpan ?? []))).toBe(" Retry_Same");
  });

  it("gives the places of the last of keys that occur twice", () => {
    const text = '{"fault_type":"timeout","next_action":"proceed","fault_type":"timeout"}';
    expect(findToolFaultAnswer(text)?.faultSpan).toEqual([text.lastIndexOf("timeout"), text.length - 2]);
  });
});
