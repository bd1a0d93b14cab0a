import { LOG_PROB_BACKENDS, type LogProbBackendName } from "../../uq/logprobs/create-log-prob-engine.ts";
import { choice, type DefineOption, flag, parsed, text } from "../define-option.ts";
import { gather, gatherNames, integerBetween, numberBetween } from "../option-values.ts";

/** What `calibrant logprobs` is told of files of tensors. */
export interface FileFlags {
  readonly logits?: readonly string[];
  readonly hidden?: readonly string[];
  readonly head?: string;
  readonly bias?: string;
  readonly scale?: number;
  readonly tokens?: readonly string[];
  readonly offsets?: string;
  readonly temperature?: number;
  readonly shift?: boolean;
  readonly want?: readonly string[];
  readonly backend?: LogProbBackendName | "auto";
  readonly threads?: number;
  readonly device?: number;
  readonly chunk?: number;
}

/** The options behind {@link FileFlags}. A `FILE` is `.npy` or `.safetensors`; `:NAME` says which of its tensors is meant. */
export const FILE_OPTIONS: readonly DefineOption[] = [
  parsed(
    "--logits <file[:name]>",
    "logits (N, V), or padded (R, T, V); globs, repeatable: joined along the first axis",
    gather,
  ),
  parsed(
    "--hidden <file[:name]>",
    "hidden states (N, d) or (R, T, d) instead of logits, with --head",
    gather,
  ),
  text("--head <file[:name]>", "weights of the output layer (V, d); model.safetensors.index.json:NAME too"),
  text("--bias <file[:name]>", "bias of the output layer (V)"),
  parsed(
    "--scale <number>",
    "the model's final scaling of its logits (default: 1)",
    numberBetween(Number.MIN_VALUE, Number.MAX_VALUE),
  ),
  parsed("--tokens <file[:name]>", "token ids (N) or (R, T), -100 = padding; globs, repeatable", gather),
  text("--offsets <file[:name]>", "where sequences begin and the last one ends (R + 1), for (N, V) and (N)"),
  parsed(
    "--temperature <number>",
    "logits are divided by it (default: 1)",
    numberBetween(Number.MIN_VALUE, Number.MAX_VALUE),
  ),
  flag("--shift", "logits of a position are those of the next token, as Hugging Face models give them"),
  parsed(
    "--want <names>",
    "columns to add: logprobs, entropy, rank, ppl, argmax (default: all but argmax)",
    gatherNames,
  ),
  choice("--backend <name>", "what computes (default: auto)", ["auto", ...LOG_PROB_BACKENDS]),
  parsed(
    "--threads <n>",
    "threads of the wasm back end; numbers do not depend on it",
    integerBetween(1, 128),
  ),
  parsed("--device <n>", "CUDA device, from 0", integerBetween(0, 1023)),
  parsed("--chunk <MiB>", "how much is read at a time (default: 64)", integerBetween(1, 1024)),
];
