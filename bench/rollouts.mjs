// Made-up rollouts for the benchmarks: seeded, and row i is the same whatever the number of rows.
//
// Groups of eight share a gold decision and a gold answer. A group has its own difficulty, so some groups are all
// right, some all wrong and most mixed. Most right decisions carry the gold answer word for word, the others differ in
// one argument or a few words. One tool call in a hundred is broken JSON; of a hundred rows one disagrees with itself
// and two have no action tag.

const GROUP = 8;
const ACTIONS = ["direct_answer", "tool_call", "request_for_info", "cannot_answer"];
const LETTERS = ["A", "B", "C", "D"];

const TOOLS = [
  ["get_order_details", ["order_id"]],
  ["find_user_by_email", ["email"]],
  ["search_direct_flight", ["origin", "destination", "date"]],
  ["book_reservation", ["user_id", "cabin", "flight_number", "passengers"]],
  ["modify_pending_order_items", ["order_id", "item_id", "new_item_id", "payment_method_id"]],
  ["get_weather", ["city", "unit"]],
  ["transfer_to_human_agents", ["summary"]],
  ["calculate_distance", ["latitude", "longitude"]],
];

const WORDS = (
  "the a of to and in that for with on is was as by it be are this from at or an which not have has had but were " +
  "they their one all there been its more if will would what when can no out up so than about into could only time " +
  "user order flight account agent tool call answer question policy refund payment method item date city price total " +
  "check first then need before after because should already provided missing information confirm details request " +
  "cannot available return exchange cancel change address email number name status delivered pending processed ask"
).split(" ");

/** A small fast seeded generator (mulberry32): numbers in [0, 1). */
function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * The groups with numbers `first` … `first + count - 1`, as rows.
 *
 * @returns {Generator<{ rolloutId: bigint, groupId: string, response: string, gtAction: string, gtAnswer: string,
 *   logprobs: Float32Array }>}
 */
export function* rolloutRows(seed, first, count) {
  for (let group = first; group < first + count; group += 1) {
    const random = createRandom(Math.imul(group + 1, 0x9e3779b1) ^ seed);
    const gold = goldOf(random);
    const skill = random() ** 0.6;
    const groupId = `task-${String(group).padStart(7, "0")}`;
    for (let member = 0; member < GROUP; member += 1) {
      const tokens = 60 + Math.floor(random() * 81);
      const right = random() < skill;
      const action = right ? gold.action : Math.floor(random() * 4);
      const answer = right ? nearGold(random, gold) : goldAnswer(random, action).text;
      yield {
        rolloutId: 10_000_000_000_000_000n + BigInt(group * GROUP + member),
        groupId,
        response: responseText(random, tokens, action, answer),
        gtAction: ACTIONS[gold.action],
        gtAnswer: gold.text,
        logprobs: logProbabilities(random, tokens, action === gold.action ? 0.12 : 0.3),
      };
    }
  }
}

function goldOf(random) {
  const action = random() < 0.5 ? 1 : Math.floor(random() * 4);
  return { action, ...goldAnswer(random, action) };
}

function goldAnswer(random, action) {
  if (action !== 1) return { call: null, text: sentence(random, 6 + Math.floor(random() * 14)) };
  const [name, parameters] = TOOLS[Math.floor(random() * TOOLS.length)];
  const call = { name, arguments: Object.fromEntries(parameters.map((key) => [key, argumentValue(random)])) };
  return { call, text: callText(call) };
}

function nearGold(random, gold) {
  const chance = random();
  if (chance < 0.65) return gold.text;
  if (gold.call === null) return `${gold.text} ${sentence(random, 1 + Math.floor(random() * 6))}`;
  if (chance > 0.95) return callText({ ...gold.call, name: TOOLS[Math.floor(random() * TOOLS.length)][0] });
  const keys = Object.keys(gold.call.arguments);
  const changed = keys[Math.floor(random() * keys.length)];
  return callText({ ...gold.call, arguments: { ...gold.call.arguments, [changed]: argumentValue(random) } });
}

function argumentValue(random) {
  if (random() < 0.3) return Math.floor(random() * 10_000);
  return `${WORDS[Math.floor(random() * WORDS.length)]}_${Math.floor(random() * 1_000_000)}`;
}

function callText(call) {
  const parts = Object.entries(call.arguments).map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);
  return `<tool_call>{"name": "${call.name}", "arguments": {${parts.join(", ")}}}</tool_call>`;
}

function responseText(random, tokens, action, answer) {
  const think = `<think> ${sentence(random, Math.floor(tokens * 0.6))} </think>`;
  const chance = random();
  if (chance < 0.02) return `${think} ${sentence(random, 12)}`;
  const letter = LETTERS[chance < 0.03 ? (action + 1) % 4 : action];
  const written = chance > 0.99 && action === 1 ? answer.replace("}}</tool_call>", "</tool_call>") : answer;
  return `${think}${ACTIONS[action]}<${letter}><answer>${written}</answer>`;
}

function sentence(random, words) {
  let text = WORDS[Math.floor(random() * WORDS.length)];
  for (let i = 1; i < words; i += 1) text += ` ${WORDS[Math.floor(random() * WORDS.length)]}`;
  return text;
}

/** Exponentially distributed costs: many tokens near certainty, a few expensive ones. */
function logProbabilities(random, tokens, mean) {
  const values = new Float32Array(tokens);
  for (let i = 0; i < tokens; i += 1) values[i] = mean * Math.log(1 - random() * 0.9999);
  return values;
}

/** Rows in a group. */
export const GROUP_SIZE = GROUP;
