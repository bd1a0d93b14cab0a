// One engine on one kind of group, for bench/trust-group.mjs: node bench/trust-group-kernel.mjs TASK ENGINE SIZE TOKENS
// prints times of a call in microseconds (of chunks of calls, the median and the fastest) and the rewards; TASK `numbers` prints what numpy is given.
import { scoreTrust, scoreTrustReleased, trustGroup } from "../dist/rewards/index.js";
import { median } from "./measure.mjs";

const [task, engine, size, tokens] = [...process.argv.slice(2, 4), ...process.argv.slice(4).map(Number)];
const WARM_UP = 10_000;
const CHUNKS = 200;
const CALLS = 20;

const GOLD = "Which city do you want to fly to?";
const TEXTS = [
  `<think>source=unclear goal suggested_action=request_for_info <C></think>request_for_info<C><answer>${GOLD}</answer>`,
  "<think>source=unclear goal suggested_action=request_for_info <C></think>request_for_info<C><answer>Which city is it?</answer>",
  "<think>source=recall suggested_action=direct_answer <A></think>direct_answer<A><answer>The flight leaves at noon.</answer>",
  '<think>source=tools suggested_action=tool_call <B></think>tool_call<B><answer><tool_call>{"name": "search", "arguments": {"to": "Paris"}}</tool_call></answer>',
];
const ACTIONS = ["request_for_info", "request_for_info", "direct_answer", "tool_call"];

const numbers = logProbabilities();
const decided = (i) => ({ action: ACTIONS[i % 4], rFmt: 1, rAns: i % 4 === 0 ? 1 : 0 });
const written = (i) => ({ response: TEXTS[i % 4] });
const float32 = (values) => Float32Array.from(values);

const TASKS = {
  "given, Float32Array": { group: () => groupOf(decided, float32) },
  "given, Float64Array": { group: () => groupOf(decided, (values) => Float64Array.from(values)) },
  "given, plain array": { group: () => groupOf(decided, (values) => values) },
  "from text, Float32Array": { group: () => groupOf(written, float32) },
  "released, Float32Array": { group: () => groupOf(written, float32), variant: "released" },
};

if (task === "numbers") process.stdout.write(JSON.stringify(numpyInput()));
else process.stdout.write(JSON.stringify(engine === "long" ? longGroup() : measured()));

function measured() {
  const { group: make, variant = "paper" } = TASKS[task];
  const group = make();
  const rollouts = rolloutsOf(group);
  const peer = variant === "paper" ? scoreTrust : scoreTrustReleased;
  const call = engine === "trustGroup" ? () => trustGroup(group, { variant }) : () => peer(rollouts);
  timed(call, WARM_UP);
  const chunks = Array.from({ length: CHUNKS }, () => timed(call, CALLS));
  return { microseconds: median(chunks), fastest: Math.min(...chunks), reward: Array.from(call().reward) };
}

/** Mean time a call, in microseconds. */
function timed(call, calls) {
  const started = performance.now();
  for (let i = 0; i < calls; i += 1) call();
  return ((performance.now() - started) * 1000) / calls;
}

/** Seeded, exponentially distributed costs. */
function logProbabilities() {
  let state = 20261201;
  return Array.from({ length: size }, () =>
    Array.from({ length: tokens }, () => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return Math.fround(0.3 * Math.log((state + 1) / 4294967297));
    }),
  );
}

function groupOf(fieldsOf, storage) {
  const rollouts = numbers.map((values, i) => ({ ...fieldsOf(i), logprobs: storage(values) }));
  return { goldAction: "request_for_info", goldAnswer: GOLD, rollouts };
}

function rolloutsOf({ goldAction, goldAnswer, rollouts }) {
  return rollouts.map((rollout) => ({
    groupId: "g",
    gtAction: goldAction,
    gtAnswer: goldAnswer,
    ...rollout,
  }));
}

function numpyInput() {
  const { goldAction, rollouts } = groupOf(decided, (values) => values);
  const codes = ["direct_answer", "tool_call", "request_for_info", "cannot_answer"];
  return {
    gold: codes.indexOf(goldAction),
    actions: rollouts.map(({ action }) => codes.indexOf(action)),
    r_fmt: rollouts.map(({ rFmt }) => rFmt),
    r_ans: rollouts.map(({ rAns }) => rAns),
    logprobs: numbers,
  };
}

/** One call over responses of so many tokens. */
function longGroup() {
  const rollouts = Array.from({ length: size }, () => ({
    response: `<think>${"word ".repeat(tokens)}</think>request_for_info<C><answer>${GOLD}</answer>`,
    logprobs: new Float32Array(tokens).fill(-0.25),
  }));
  const group = { goldAction: "request_for_info", goldAnswer: GOLD, rollouts };
  const { variant } = TASKS[task];
  timed(() => trustGroup(group, { variant }), 3);
  return { microseconds: timed(() => trustGroup(group, { variant }), 5) };
}
