import { describe, expect, it } from "vitest";
import { labelLogprobs, type TokenLogprob } from "../../../src/metrics/toolfault/label-logprobs.ts";

/** Tokens whose log-probabilities are −1, −2, −4, …: every sum tells which they were. */
function tokensOf(...texts: readonly (string | readonly number[])[]): TokenLogprob[] {
  return texts.map((text, i) => {
    const logprob = -(2 ** i);
    return typeof text === "string" ? { token: text, logprob } : { token: "\ufffd", logprob, bytes: text };
  });
}
const textOf = (tokens: readonly TokenLogprob[]): string => tokens.map(({ token }) => token).join("");

describe("labelLogprobs", () => {
  it("sums the tokens that hold a part of a label, whatever else they hold", () => {
    const tokens = tokensOf(
      '{"',
      "fault_type",
      '":"time',
      "out",
      '","next',
      "_action",
      '":"',
      "",
      "retry",
      "_same",
      '"}',
    );
    const expected = { fault: -4 - 8, action: -256 - 512, faultTokens: 2, actionTokens: 2 };
    expect(labelLogprobs(textOf(tokens), tokens)).toEqual(expected);
  });

  it("lets one token hold both labels", () => {
    const tokens = tokensOf('{"fault_type":"none","next_action":"proceed"', "}");
    expect(labelLogprobs(textOf(tokens), tokens)).toEqual({
      fault: -1,
      action: -1,
      faultTokens: 1,
      actionTokens: 1,
    });
  });

  it("takes the answer that counts, not an earlier one", () => {
    const answer = ['{"fault_type":"', "none", '","next_action":"', "proceed", '"}'];
    const tokens = tokensOf(...answer, "\n", ...answer);
    expect(labelLogprobs(textOf(tokens), tokens)).toMatchObject({ fault: -128, action: -512 });
  });

  it("goes by bytes where tokens cut characters", () => {
    // 😀 is f0 9f 98 80, and é is c3 a9.
    const tokens = tokensOf(
      [0xf0, 0x9f],
      [0x98, 0x80, 0x20, 0xc3],
      [0xa9],
      ' {"fault_type":"',
      "none",
      '","next_action":"proceed"}',
    );
    const text = '😀 é {"fault_type":"none","next_action":"proceed"}';
    expect(labelLogprobs(text, tokens)).toEqual({ fault: -16, action: -32, faultTokens: 1, actionTokens: 1 });
  });

  it("allows tokens behind the text, and a last token that is longer than it", () => {
    const tokens = tokensOf('{"fault_type":"none",', '"next_action":"proceed"', "}\n\n", "<|im_end|>", "");
    const text = '{"fault_type":"none","next_action":"proceed"}';
    expect(labelLogprobs(text, tokens)).toMatchObject({ fault: -1, action: -2 });
  });

  it.each([
    [
      "other text",
      '{"fault_type":"none","next_action":"proceed"} ',
      ['{"fault_type":"none","next_action":"proceed"}'],
    ],
    ["too little", '{"fault_type":"none","next_action":"proceed"}', ['{"fault_type":"none"']],
    [
      "a token before",
      '{"fault_type":"none","next_action":"proceed"}',
      ["<s>", '{"fault_type":"none","next_action":"proceed"}'],
    ],
    ["no tokens", '{"fault_type":"none","next_action":"proceed"}', []],
    ["no answer", "none", ["none"]],
    ["nothing", "", []],
  ])("is null for %s", (_name, text, tokens) => {
    expect(labelLogprobs(text, tokensOf(...tokens))).toBeNull();
  });
});
