import type { AppendedColumn } from "../../data/arrow/append-arrow-columns.ts";
import { nearestName } from "../../data/nearest-name.ts";
import { CalibrantError } from "../../errors.ts";
import type { Want } from "../../uq/logprobs/log-prob-backend.ts";
import type { FileFlags } from "./file-options.ts";

/** The columns that can be added, in their order. */
export const FILE_COLUMNS = ["logprobs", "entropy", "rank", "ppl", "argmax"] as const;

/** The name of one of them, before a prefix. */
export type FileColumn = (typeof FILE_COLUMNS)[number];

/** Options that fit together. */
export interface FilePlan {
  /** What holds the numbers of each position. */
  readonly source: "logits" | "hidden";
  readonly numbers: readonly string[];
  readonly tokens: readonly string[];
  readonly wanted: readonly FileColumn[];
  readonly want: Want;
}

const TYPES: Readonly<Record<FileColumn, AppendedColumn["type"]>> = {
  logprobs: "list<float64>",
  entropy: "list<float64>",
  rank: "list<int32>",
  ppl: "float64",
  argmax: "list<int32>",
};

/** A column of the output. */
export function fileColumn(name: FileColumn, prefix: string): AppendedColumn {
  return { name: `${prefix}${name}`, type: TYPES[name] };
}

/** @throws CalibrantError `usage` for options that say nothing together. */
export function filePlan(flags: FileFlags): FilePlan {
  const { logits, hidden, head, tokens } = flags;
  const fail = (message: string): never => {
    throw new CalibrantError("usage", message);
  };
  const numbers = logits ?? hidden;
  if (numbers === undefined) return fail("nothing says what to score: give --logits, --hidden or --server");
  if (logits !== undefined && hidden !== undefined) return fail("give --logits or --hidden, not both");
  if (hidden !== undefined && head === undefined)
    return fail(
      "--hidden needs the output layer: give --head FILE:NAME, for example model.safetensors:lm_head.weight",
    );
  const stray = (["head", "bias", "scale"] as const).find((name) => flags[name] !== undefined);
  if (hidden === undefined && stray !== undefined) return fail(`--${stray} goes with --hidden`);
  if (tokens === undefined) return fail("--tokens is missing: the ids whose log-probs are wanted");
  const wanted = wantedColumns(flags.want ?? ["logprobs", "entropy", "rank", "ppl"]);
  const has = (name: FileColumn): boolean => wanted.includes(name);
  return {
    source: logits === undefined ? "hidden" : "logits",
    numbers,
    tokens,
    wanted,
    want: { entropy: has("entropy"), rank: has("rank"), argmax: has("argmax") },
  };
}

function wantedColumns(names: readonly string[]): FileColumn[] {
  for (const name of names) {
    if ((FILE_COLUMNS as readonly string[]).includes(name)) continue;
    const nearest = nearestName(name, FILE_COLUMNS);
    const hint = nearest === null ? `known are ${FILE_COLUMNS.join(", ")}` : `did you mean ${nearest}?`;
    throw new CalibrantError("usage", `--want has no column ${name}: ${hint}`, { name });
  }
  return FILE_COLUMNS.filter((name) => names.includes(name));
}
