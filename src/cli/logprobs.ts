import type { Command } from "commander";
import { CalibrantError } from "../errors.ts";
import type { DefineOption } from "./define-option.ts";
import { FILE_OPTIONS, type FileFlags } from "./logprobs/file-options.ts";
import { SERVER_OPTIONS, type ServerFlags } from "./logprobs/server-options.ts";
import { SHARED_OPTIONS, type SharedFlags } from "./logprobs/shared-options.ts";

const EXAMPLES = `
Log-probs of given tokens, from what a model said about them:
  --logits or --hidden   tensors in .npy or .safetensors files, which may be larger than memory
  --server               a vLLM or SGLang server, asked about the texts of rollouts

Examples:
  calibrant logprobs rollouts.jsonl --logits logits.safetensors --tokens ids.npy --offsets offsets.npy -o scored.jsonl
  calibrant logprobs --logits 'logits-*.npy' --tokens ids.npy --shift -o tokens.parquet
  calibrant logprobs rollouts.parquet --hidden hidden.safetensors --head model.safetensors:lm_head.weight --tokens ids.npy -o scored.parquet
  calibrant logprobs rollouts.jsonl --server http://localhost:8000 --model qwen3-32b -o scored.jsonl

A run that was interrupted goes on where it stopped when the same command is given again: what is done waits in OUTPUT.partial.
What computes, and what a GPU would give: calibrant doctor, docs/logprobs.md, docs/gpu.md.
Exit status: 0 done, 1 data or I/O error, or rows without answer, 2 wrong usage.`;

type Flags = SharedFlags & FileFlags & ServerFlags;

/** Adds the command `logprobs`. */
export function defineLogProbs(program: Command): void {
  const command = program
    .command("logprobs")
    .summary("log-probs, entropies, ranks and perplexities of tokens, from logits or an inference server")
    .description(
      "Fills in log-probs of given tokens, from files of logits or hidden states, or from an inference server.",
    )
    .argument("[files...]", "rollouts: files, glob patterns, or - for standard input");
  for (const option of [...SHARED_OPTIONS, ...FILE_OPTIONS, ...SERVER_OPTIONS]) command.addOption(option());
  command.addHelpText("after", EXAMPLES).action(async (files: string[], flags: Flags) => {
    const isServer = flags.server !== undefined;
    checkStray(command, isServer ? FILE_OPTIONS : SERVER_OPTIONS, isServer);
    if (isServer) {
      const { serverCommand } = await import("./logprobs/server-command.ts");
      await serverCommand({ ...flags, files, server: flags.server });
    } else {
      const { fileCommand } = await import("./logprobs/file-command.ts");
      await fileCommand({ ...flags, files });
    }
  });
}

/** An option of the other source would be ignored without a word. */
function checkStray(command: Command, others: readonly DefineOption[], isServer: boolean): void {
  for (const option of others) {
    const made = option();
    if (command.getOptionValueSource(made.attributeName()) !== "cli") continue;
    const message = isServer ? `--server does not take ${made.long}` : `${made.long} goes with --server`;
    throw new CalibrantError("usage", message);
  }
}
