/** The letter of an action. */
export type ReleasedLetter = "A" | "B" | "C" | "D";

/** The letters of the four actions, in the order of `ACTIONS`. */
export const ACTION_LETTERS: readonly ReleasedLetter[] = ["A", "B", "C", "D"];
