/** What the tokeniser puts before a whole text. */
export const BOS = 1;
const TURN = 2;
const END = 3;

/** In order of their rank. They merge across any boundary, as those of a real tokeniser do. */
const MERGES: readonly (readonly [string, string])[] = [
  ["t", "h"],
  ["th", "e"],
  ["l", "o"],
  ["lo", "w"],
  ["e", "r"],
  [" ", "a"],
  ["i", "n"],
  ["in", "g"],
  ["2", "0"],
];

/** Token ids of a text: byte-pair encoding, first characters, then merges by rank. */
export function tokenize(text: string, special: boolean): number[] {
  let pieces = [...text];
  for (const [left, right] of MERGES) {
    const merged: string[] = [];
    for (const piece of pieces) {
      if (piece === right && merged.at(-1) === left) merged[merged.length - 1] = left + right;
      else merged.push(piece);
    }
    pieces = merged;
  }
  return [...(special ? [BOS] : []), ...pieces.map(idOf)];
}

function idOf(piece: string): number {
  const merge = MERGES.findIndex(([left, right]) => left + right === piece);
  return merge >= 0 ? 1000 + merge : 100 + (piece.codePointAt(0) as number);
}

/** A chat template: `<turn>role\ncontent<end>\n` for each message. */
export function chatTokens(messages: readonly unknown[], generation: boolean, tools: unknown): number[] {
  const ids = tools === null ? [] : [TURN, ...tokenize(`tools\n${JSON.stringify(tools)}`, false), END];
  for (const message of messages) {
    const { role, content } = message as { role: string; content: string | null };
    ids.push(TURN, ...tokenize(`${role}\n${content ?? ""}`, false), END, ...tokenize("\n", false));
  }
  return generation ? [...ids, TURN, ...tokenize("assistant\n", false)] : ids;
}

/** The toy model: depends on a token, the one before it and its place, so that any shift shows. */
export function logprobAt(ids: readonly number[], at: number): number {
  return -0.01 - (((ids[at] as number) * 7 + (ids[at - 1] as number) * 13 + at) % 97) / 10;
}

/** Log-probs of all tokens of a response behind a prompt. */
export function logprobsOf(prompt: readonly number[], response: readonly number[]): number[] {
  const ids = [...prompt, ...response];
  return response.map((_, at) => logprobAt(ids, prompt.length + at));
}
