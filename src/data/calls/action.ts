import { ACTIONS, type Action } from "../../types.ts";

/** The accepted spellings of each action, in lower case. */
const CODES: ReadonlyMap<string, number> = new Map([
  ["direct_answer", 0],
  ["direct", 0],
  ["tool_call", 1],
  ["tool", 1],
  ["request_for_info", 2],
  ["ask", 2],
  ["cannot_answer", 3],
  ["unable", 3],
]);

/** Length of the longest accepted spelling. */
const LONGEST = 16;

/**
 * The number of an action name: its place in `ACTIONS` (the letters A to D as 0 to 3), -1 for anything else.
 * Canonical names and the aliases `direct`, `tool`, `ask`, `unable` are known, in any letter case; bare letters
 * are not (see {@link actionFromLetter}), and nothing is trimmed.
 */
export function actionCode(name: string | null | undefined): number {
  if (name === null || name === undefined) return -1;
  const code = CODES.get(name);
  if (code !== undefined) return code;
  // toLowerCase turns some letters outside ASCII into ASCII ones (the Kelvin sign into k): those are no spelling.
  if (name.length > LONGEST || !/^[a-z_]+$/i.test(name)) return -1;
  return CODES.get(name.toLowerCase()) ?? -1;
}

/**
 * Reads an action name as its canonical name; anything else is unparsed (null), never an error.
 *
 * @param name - a canonical name or alias in any letter case; bare letters are read by {@link actionFromLetter}.
 *
 * @example
 * ```ts
 * import { parseAction } from "calibrant/data";
 * console.log(parseAction("Tool"), parseAction("DIRECT_ANSWER"), parseAction("maybe")); // tool_call direct_answer null
 * ```
 */
export function parseAction(name: string | null | undefined): Action | null {
  const code = actionCode(name);
  return code < 0 ? null : (ACTIONS[code] as Action);
}

/** The action of a letter A, B, C or D (either case); null for anything else. */
export function actionFromLetter(letter: string): Action | null {
  return /^[A-D]$/i.test(letter) ? (ACTIONS[(letter.charCodeAt(0) | 32) - 97] as Action) : null;
}

/**
 * The number of an action label, as columns of actions hold it: a name or alias, as {@link actionCode} reads them, or a letter A
 * to D in either case; -1 for anything else.
 */
export function actionLabelCode(label: string | null | undefined): number {
  const code = actionCode(label);
  return code < 0 && label?.length === 1 ? actionCode(actionFromLetter(label)) : code;
}

/**
 * Whether two actions fall on the same side of TRUST's coarse split: {direct_answer, tool_call} act,
 * {request_for_info, cannot_answer} hold back. Equal actions do; an unparsed action (null) never does.
 */
export function sameCoarsePair(a: Action | null, b: Action | null): boolean {
  const first = actionCode(a);
  const second = actionCode(b);
  return first >= 0 && second >= 0 && first >> 1 === second >> 1;
}
