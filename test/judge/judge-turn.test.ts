import { describe, expect, it } from "vitest";
import { CalibrantError } from "../../src/errors.ts";
import type { KeyTurnAnnotation, TurnJudgement } from "../../src/judge/annotation.ts";
import { isVerbatim } from "../../src/judge/is-verbatim.ts";
import { createTurnJudge, judgedWithoutModel } from "../../src/judge/judge-turn.ts";
import { ACTIONS, type Message } from "../../src/types.ts";

const say = (role: string, content: string | null): Message => ({ role, content, toolCalls: [] });
const call = { name: "search", arguments: { id: 9007199254740993n } };
const CALL_TEXT = '{"name":"search","arguments":{"id":9007199254740993}}';

/** One turn of each kind. */
const MESSAGES: readonly Message[] = [
  say("user", "0"),
  say("assistant", "I look it up."),
  { ...say("assistant", ""), toolCalls: [call] },
  say("tool", "found"),
  say("assistant", "direct_answer<A><answer>no</answer>"),
  say("user", "1"),
  say("assistant", "<think>?</think>ask<C><answer>Which one?</answer>"),
  say("user", "2"),
  say("assistant", "cannot_answer<D>"),
  say("user", "3"),
  say("assistant", "It is the third one."),
  say("user", "4"),
  say("user", "5"),
  say("assistant", " \n"),
  say("tool", "stray"),
  say("user", "6"),
  { ...say("assistant", null), toolCalls: [call, call] },
];
const ANNOTATION: KeyTurnAnnotation = {
  turn_idx: 3,
  gt_action: "direct_answer",
  rationale: "All is known.",
  target_answer: "The third.",
};
const turn = (turnIdx: number, annotation: KeyTurnAnnotation | null = null) => ({
  messages: MESSAGES,
  turnIdx,
  annotation,
});

describe("judgedWithoutModel", () => {
  const judged = (pred_action: string, pred_answer: string, source: string) => ({
    outcome: "judged",
    judgement: { pred_action, pred_answer, rationale: "" },
    source,
  });
  it.each<[number, unknown]>([
    [0, judged("tool_call", CALL_TEXT, "native_calls")],
    [1, judged("request_for_info", "Which one?", "text")],
    [2, judged("cannot_answer", "", "text")],
    [3, { outcome: "unparsed" }],
    [4, { outcome: "no_assistant" }],
    [5, { outcome: "no_assistant" }],
    [6, judged("tool_call", `[${CALL_TEXT},${CALL_TEXT}]`, "native_calls")],
    [7, { outcome: "no_turn" }],
    [-1, { outcome: "no_turn" }],
    [0.5, { outcome: "no_turn" }],
  ])("reads turn %d as what it is", (turnIdx, expected) => {
    expect(judgedWithoutModel(turn(turnIdx))).toEqual(expected);
  });
});

describe("judges", () => {
  it("take chat messages as files hold them, and say what is none", async () => {
    const wire = MESSAGES.map(({ toolCalls, ...message }) => ({ ...message, tool_calls: toolCalls }));
    for (let turnIdx = 0; turnIdx < 7; turnIdx++)
      expect(judgedWithoutModel({ ...turn(turnIdx), messages: wire })).toEqual(
        judgedWithoutModel(turn(turnIdx)),
      );
    const { messages } = judge.question({ ...turn(3), messages: wire });
    expect(messages).toEqual(judge.question(turn(3)).messages);
    const bad = { ...turn(0), messages: [{ content: "no role" }] };
    expect(() => judgedWithoutModel(bad)).toThrow(CalibrantError);
    expect(() => judge.question(bad)).toThrow("message 0 must be an object with a role");
  });

  it("know the assistant's own words from others", () => {
    const messages = [
      say("user", "The user's words."),
      say("assistant", "It is\n\tthe  third."),
      say("tool", "result"),
      say("assistant", "Look\u00a0left."),
      say("user", "next"),
      say("assistant", "Elsewhere."),
    ];
    const of = (pred_answer: string, pred_action: TurnJudgement["pred_action"] = "direct_answer") =>
      isVerbatim({ pred_action, pred_answer, rationale: "" }, { messages, turnIdx: 0 });
    expect([of(" is the\nthird. "), of("It is the third. Look left.")]).toEqual([true, true]);
    const others = ["it is the third.", "The user's words.", "result", "Elsewhere.", "It is third."];
    expect(others.map((text) => of(text))).toEqual(others.map(() => false));
    expect(of('{"name":"find","arguments":{}}', "tool_call")).toBe(null);
  });
});

const judge = await createTurnJudge();
const { read } = judge.question(turn(3));
const ANSWER = {
  pred_action: "direct_answer",
  pred_answer: "It is the third one.",
  rationale: "It answers.",
};
const withCall = (pred_answer: unknown) => ({ pred_action: "tool_call", pred_answer, rationale: "" });

describe("the reader of judgements", () => {
  it.each<[string, unknown, unknown]>([
    ["the form asked for", ANSWER, ANSWER],
    ["a list of one", [ANSWER], ANSWER],
    [
      "prose, fences and drafts",
      `<think>${JSON.stringify(withCall("{}"))}</think>So:\n\`\`\`json\n${JSON.stringify(ANSWER)}\n\`\`\``,
      ANSWER,
    ],
    [
      "the last of several",
      `${JSON.stringify({ ...ANSWER, rationale: "?" })} rather ${JSON.stringify(ANSWER)} {"x": 1}`,
      ANSWER,
    ],
    [
      "JSON text that is an answer's own words",
      { ...ANSWER, pred_answer: '{"name": "Bo"}' },
      { ...ANSWER, pred_answer: '{"name": "Bo"}' },
    ],
    ["a call as text", withCall(CALL_TEXT), withCall(CALL_TEXT)],
    [
      "a call as JSON",
      `{"pred_action":"tool_call","pred_answer":${CALL_TEXT},"rationale":""}`,
      withCall(CALL_TEXT),
    ],
    [
      "calls as JSON",
      `{"pred_action":"tool_call","pred_answer":[${CALL_TEXT},${CALL_TEXT}],"rationale":""}`,
      withCall(`[${CALL_TEXT},${CALL_TEXT}]`),
    ],
    [
      "a call in a block",
      withCall(`<tool_call>${CALL_TEXT}</tool_call>`),
      withCall(`<tool_call>${CALL_TEXT}</tool_call>`),
    ],
    ["a call in prose", withCall(`I do <tool_call>${CALL_TEXT}</tool_call>`), withCall(CALL_TEXT)],
    [
      "a call as it spells numbers",
      withCall('{"name":"f","arguments":{"x":1.0}}'),
      withCall('{"name":"f","arguments":{"x":1.0}}'),
    ],
    ["a call without arguments", withCall(' {"name": "stop"}'), withCall('{"name": "stop"}')],
  ])("takes %s", (_, answer, expected) => {
    expect(read(typeof answer === "string" ? answer : JSON.stringify(answer))).toEqual({ value: expected });
  });

  it.each<[string, unknown, string]>([
    [
      "an unknown action",
      { ...ANSWER, pred_action: "other" },
      `pred_action must be one of ${ACTIONS.join(", ")}; got "other"`,
    ],
    ["an alias", { ...ANSWER, pred_action: "direct" }, 'got "direct"'],
    [
      "no action",
      { ...ANSWER, pred_action: undefined },
      "pred_action must be one of direct_answer, tool_call, request_for_info, cannot_answer; it is missing",
    ],
    ["an empty answer", { ...ANSWER, pred_answer: " " }, "pred_answer must be the words of the assistant"],
    ["no rationale", { ...ANSWER, rationale: null }, "rationale must be a string; got null"],
    ["prose in place of a call", withCall("I searched."), "pred_answer must be the call as JSON text"],
    ["a nameless call", withCall([{ arguments: {} }]), "pred_answer must be the call as JSON text"],
    ["no call", withCall([]), "pred_answer must be the call as JSON text"],
    ["broken JSON", JSON.stringify(ANSWER).slice(0, -2), "no valid JSON"],
    ["two in a list", [ANSWER, ANSWER], "the answer must be one object with pred_action"],
    ["prose", "It answers.", 'no JSON object: write {"pred_action"'],
    ["nothing", "", "no JSON object"],
  ])("refuses %s, on one line that says what to mend", (_, answer, message) => {
    const result = read(typeof answer === "string" ? answer : JSON.stringify(answer));
    expect(result).toHaveProperty("error");
    expect("error" in result && result.error).toContain(message);
    expect(JSON.stringify(result)).not.toContain("\\n");
  });
});

describe("the judge's question", () => {
  it("shows the turn, what came before and its annotation, and nothing of what came later", () => {
    const { messages, schema } = judge.question(turn(3, ANNOTATION));
    const [system, user] = messages.map(({ content }) => content);
    for (const action of ACTIONS) expect(system).toMatch(new RegExp(`\n- ${action}: .{40,}`));
    expect(system).toContain("the action that the annotation names");
    expect(user).toContain('Turn 2, earlier:\n=====\n{"role":"user","text":"2"}\n');
    expect(user).toContain(
      'Turn 3, THE TURN TO READ:\n=====\n{"role":"user","text":"3"}\n{"role":"assistant","text":"It is the third one."}\n=====\n',
    );
    expect(user).toContain(`Annotation of the turn to read:\n=====\n${JSON.stringify(ANNOTATION)}\n=====\n`);
    expect(user).not.toContain("Turn 4");
    expect(judge.question(turn(3)).messages[1]?.content).not.toContain("Annotation");
    expect(schema.schema).toMatchObject({ required: ["pred_action", "pred_answer", "rationale"] });
    expect(read(user ?? "")).toHaveProperty("error");
    expect(() => judge.question(turn(7))).toThrow("the trajectory has 7 turns, none with the index 7");
  });

  it("keeps the reply whole where the history is long", () => {
    const reply = "r".repeat(20_000);
    const history = Array.from({ length: 100 }, () => [
      say("user", "h".repeat(9000)),
      say("assistant", "ok"),
    ]);
    const messages = [...history.flat(), say("user", "?"), say("assistant", reply)];
    const text = judge.question({ messages, turnIdx: 100, annotation: null }).messages[1]?.content ?? "";
    expect(text.length).toBeLessThan(200_000);
    expect(text.includes(`"text":"${reply}"`)).toBe(true);
    expect(text.match(/characters left out/g)).toHaveLength(100);
  });
});
