/** The letters of the four actions, in the order of `ACTIONS`. */
export const ACTION_LETTERS: readonly ("A" | "B" | "C" | "D")[] = ["A", "B", "C", "D"];
