import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readReleasedResponse } from "../../../src/rewards/released/read-released-response.ts";
import { allBlocks, findTag, firstBlock } from "../../../src/rewards/released/released-markers.ts";

type Row = readonly [string, string | null, string | null, string | null, boolean, boolean, string];

const { responses } = JSON.parse(
  readFileSync(new URL("../../golden/released-turn.json", import.meta.url), "utf8"),
) as { readonly responses: readonly Row[] };

const letterOf = (text: string) => readReleasedResponse(text).letter;
const sourceOf = (inside: string) => readReleasedResponse(`<think>${inside}</think>`).source;

describe("blocks", () => {
  it("run from an opening to the nearest closing marker, in any letter case, with the inside trimmed", () => {
    const text = "</b><b>unclosed <B>\u0085one</b></b> <b></b><b>rest";
    expect(allBlocks(text, "<b>", "</b>")).toEqual([
      { start: 4, end: 27, inside: "unclosed <B>\u0085one" },
      { start: 32, end: 39, inside: "" },
    ]);
    expect(firstBlock(" [UQ]\u3000x\r\ny\x1f[/uq]", "[uq]", "[/uq]")).toBe("x\r\ny");
    expect(firstBlock("<thin\u212a>x</think>", "<think>", "</think>")).toBeNull();
  });
});

describe("findTag", () => {
  it("takes the first name with a letter behind it, wherever the name begins", () => {
    const text = "tool_call <E> direct_answer\n<A > no_TOOL_call\u2003\n<c> cannot_answer<D>";
    expect(findTag(text)).toEqual({ start: 36, end: 50, action: "tool_call", letter: "C" });
    expect(findTag("direct_answer\u200b<A> answer<B> <tool_call><B> <A>")).toBeNull();
  });
});

describe("readReleasedResponse", () => {
  it("reads random texts as Python's regular expressions do", () => {
    const read = responses.map(([text]): Row => {
      const r = readReleasedResponse(text);
      return [text, r.reasoning, r.answer, r.letter, r.categoryMatch, r.selfConsistent, r.source];
    });
    expect(read).toEqual(responses);
  });

  it("joins tool-call blocks as written, within the reasoning too, before any answer block", () => {
    const text = "<think><Tool_call> {} </tool_CALL></think><answer>x</answer><tool_call>\n1</tool_call>";
    expect(readReleasedResponse(text).answer).toBe("<Tool_call> {} </tool_CALL>\n<tool_call>\n1</tool_call>");
    expect(readReleasedResponse("<tool_call>{}<answer></answer>").answer).toBe("");
  });

  it("takes the first letter in brackets that ends a line of the answer, then the last stand-alone one", () => {
    expect(letterOf("<answer>B <A>\u0085x <C>\r\nD</answer>")).toBe("C");
    expect(letterOf("<answer>B <A>\u2028\n</answer>")).toBe("A");
    expect(letterOf("<answer>first A or b\u0085none here\x1cnor here</answer> D")).toBe("B");
    expect(letterOf("<answer>none</answer> c")).toBe("C");
    expect(letterOf("<answer>I'd</answer>")).toBe("D");
    expect(letterOf("I saw a movie")).toBe("A");
  });

  it("lets any letter or number beside a letter count, also beyond the BMP, and no mark or emoji", () => {
    expect(["是B", "𝐀B", "B𝐀", "²B", "B_", "_B", "ßB", "B\u0660"].map(letterOf)).toEqual(Array(8).fill(null));
    expect(["😀B", "B😀", "\u0301B", "\udc00B", "B\ud835", "\ufeffB", "B\u200b"].map(letterOf)).toEqual(
      Array(7).fill("B"),
    );
  });

  it("finds the suggested letter at the start of a word, but not of one that starts otherwise", () => {
    const isConsistent = (think: string, letter: string) =>
      readReleasedResponse(`<think>${think}</think><answer>${letter}</answer>`).selfConsistent;
    expect(isConsistent("suggested_action=tool_call SUGGESTED_ACTION\u00a0=\n<cannot", "C")).toBe(true);
    expect(isConsistent("suggested_action = direct_answer", "D")).toBe(true);
    expect(isConsistent("suggested_action=< A", "A")).toBe(false);
    expect(isConsistent("suggested action=A", "A")).toBe(false);
    expect(readReleasedResponse("suggested_action=A").selfConsistent).toBe(false);
  });

  it("takes the source up to the next suggestion, else to the end of its line", () => {
    expect(sourceOf("resource =\n\n a\nb \u0085 suggested_action\n= x source=later")).toBe("a\nb");
    expect(sourceOf("suggested_action=A source=one\r\ntwo")).toBe("one");
    expect(sourceOf("source=one\u0085two\x0bthree\nfour")).toBe("one\u0085two\x0bthree");
    expect(sourceOf("source=x,suggested_action=A y suggested_action=B")).toBe("x,suggested_action=A y");
    expect(sourceOf("source= suggested_action=A")).toBe("suggested_action=A");
    expect(sourceOf("source=\t suggested_action=A\nsource=later")).toBe("");
    expect(sourceOf("source=  suggested_action=A suggested_action=B")).toBe("suggested_action=A");
    expect(sourceOf("source x = y")).toBe("");
    expect(readReleasedResponse("source=outside").source).toBe("");
  });

  it("gets through long adversarial texts (a quadratic scan would run into the time limit)", () => {
    const pieces = [
      "<think>",
      "source=",
      "source = a ",
      "source=  suggested_action=",
      "<A>",
      "<A> x",
      "tool_call ",
    ];
    const more = ["<tool_call>", "<tool_call></tool_call>", "<", "=", " ", "\u0085", "A", "aé", "\ud835"];
    for (const piece of [...pieces, ...more]) {
      const text = piece.repeat(Math.ceil(2e5 / piece.length));
      const read = readReleasedResponse(`<think>${text}</think><answer>${text}`);
      expect(read.reasoning === null).toBe(false);
    }
  });
});
