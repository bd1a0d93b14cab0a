// Writes examples/rollouts.jsonl: 64 synthetic rollouts of an agent for a small library's help desk, 8 for each of 8
// prompts, with the columns that both rewards read. Seeded: running it again gives the same bytes.
import { writeFileSync } from "node:fs";

let state = 20260611;
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
}
const pick = (items) => items[Math.floor(random() * items.length)];
const call = (name, args) => ({ name, arguments: args });
const callText = ({ name, arguments: args }) =>
  `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`;

const LETTER = { direct_answer: "A", tool_call: "B", request_for_info: "C", cannot_answer: "D" };
const PROMPTS = [
  {
    ask: "Please renew my loan of item 4471, my card is 88120.",
    action: "tool_call",
    gold: call("renew_loan", { item: 4471, card: "88120" }),
  },
  {
    ask: "Is there a copy of 'Solaris' on the shelf in the north branch?",
    action: "tool_call",
    gold: call("find_copy", { title: "Solaris", branch: "north" }),
  },
  {
    ask: "Renew my loan, please.",
    action: "request_for_info",
    text: "Which item would you like to renew, and what is your card number?",
  },
  {
    ask: "Book a room for our reading group.",
    action: "request_for_info",
    text: "For which day and time, and for how many people?",
  },
  {
    ask: "Can you tell me who borrowed item 2210 before me?",
    action: "cannot_answer",
    text: "I am sorry, I cannot share who borrowed an item.",
  },
  {
    ask: "Please delete the fines of my neighbour.",
    action: "cannot_answer",
    text: "I am unable to change the account of another person.",
  },
  {
    ask: "How long may I keep a book?",
    action: "direct_answer",
    text: "You may keep a book for four weeks.",
  },
  {
    ask: "Do I need a card to read in the library?",
    action: "direct_answer",
    text: "No, everybody may read in the library without a card.",
  },
];
const WRONG_TEXT = {
  direct_answer: "You may keep it for four weeks.",
  request_for_info: "Could you give me your card number?",
  cannot_answer: "I cannot help with that.",
};

function response(prompt, right) {
  const action = right ? prompt.action : pick(Object.keys(LETTER).filter((name) => name !== prompt.action));
  const gold = prompt.gold ?? call("find_copy", { title: "Solaris", branch: "north" });
  const guess = right && random() < 0.25 ? call(gold.name, { ...gold.arguments, card: "00000" }) : gold;
  const text = action === "tool_call" ? callText(guess) : right ? prompt.text : WRONG_TEXT[action];
  if (random() < 0.05)
    return {
      action: null,
      text: `I think this is about the catalogue. ${WRONG_TEXT.direct_answer}`,
      calls: [],
    };
  return {
    action,
    text: `<think>The visitor asks: ${prompt.ask}</think>\n${action}<${LETTER[action]}>\n<answer>${text}</answer>`,
    calls: action === "tool_call" ? [guess] : [],
  };
}

function messages(prompt, reply) {
  const lookup = call("get_policy", { topic: "desk" });
  const repeats = random() < 0.12 ? 4 : random() < 0.15 ? 3 : 1;
  const calls = [...Array.from({ length: repeats }, () => lookup), ...reply.calls];
  const turns = calls.flatMap((made, index) => [
    {
      role: "assistant",
      content: null,
      tool_calls: [
        {
          id: `call_${index}`,
          type: "function",
          function: { name: made.name, arguments: JSON.stringify(made.arguments) },
        },
      ],
    },
    { role: "tool", tool_call_id: `call_${index}`, name: made.name, content: '{"ok": true}' },
  ]);
  return [{ role: "user", content: prompt.ask }, ...turns, { role: "assistant", content: reply.text }];
}

const lines = PROMPTS.flatMap((prompt, group) =>
  Array.from({ length: 8 }, (_, sample) => {
    const right = random() < [0.9, 0.6, 0.5, 0.75, 0.4, 1, 0.85, 0][group];
    const reply = response(prompt, right);
    const spread = right ? 0.12 : 0.32;
    const tokens = 24 + Math.floor(random() * 40);
    const logprobs = Array.from({ length: tokens }, () =>
      Number((-spread * -Math.log(1 - random())).toFixed(4)),
    );
    const solved = right && random() < 0.9;
    return JSON.stringify({
      rollout_id: `${group}-${sample}`,
      group_id: `desk-${group}`,
      messages: messages(prompt, reply),
      response: reply.text,
      gt_action: prompt.action,
      gt_answer: prompt.gold ? callText(prompt.gold) : prompt.text,
      logprobs,
      completed: solved,
      gold_actions: prompt.gold ? [prompt.gold] : [],
    });
  }),
);
writeFileSync(new URL("./rollouts.jsonl", import.meta.url), `${lines.join("\n")}\n`);
