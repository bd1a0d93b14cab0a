import { InvalidArgumentError } from "commander";

/** Columns to fill: from which text, and under which names. */
export interface Fill {
  /** `logprobs` for the columns `logprobs`, `ppl`, …; any other name for `<name>_logprobs`, `<name>_ppl`, … */
  readonly name: string;
  /** The column with the text. */
  readonly text: string;
}

const OWN_TEXTS: Readonly<Record<string, string>> = {
  logprobs: "response",
  ref: "gt_answer",
  neg: "neg_answer",
};

/** What is filled when nothing is said. */
export const DEFAULT_FILLS: readonly Fill[] = [{ name: "logprobs", text: "response" }];

/** A parser of `logprobs,ref,other=column`, added to those of the same option before. */
export function gatherFills(words: string, previous: readonly Fill[] | undefined): readonly Fill[] {
  const fills = [...(previous ?? [])];
  for (const word of words.split(",")) {
    const [name = "", given] = word.split("=").map((part) => part.trim());
    const text = given ?? OWN_TEXTS[name];
    if (!/^\w+$/.test(name) || text === undefined || text === "")
      throw new InvalidArgumentError(
        `expected ${Object.keys(OWN_TEXTS).join(", ")} or name=column, got ${word}.`,
      );
    if (fills.some((fill) => fill.name === name))
      throw new InvalidArgumentError(`expected each name once, got ${name} twice.`);
    fills.push({ name, text });
  }
  return fills;
}

/** Names of the columns that a fill adds. */
export interface FillColumns {
  readonly logprobs: string;
  readonly ppl: string;
  readonly status: string;
}

/** @param prefix - before every name. */
export function fillColumns({ name }: Fill, prefix: string): FillColumns {
  const own = `${prefix}${name === "logprobs" ? "" : `${name}_`}`;
  return { logprobs: `${own}logprobs`, ppl: `${own}ppl`, status: `${own}logprobs_status` };
}

/** The column with where the log-probs of a row come from. */
export function sourceColumn(prefix: string): string {
  return `${prefix}logprobs_source`;
}
