import { type Command, InvalidArgumentError } from "commander";
import { CalibrantError } from "../errors.ts";
import type { NoiseOptions } from "../recovery/noise-profile.ts";
import { FAULT_KINDS } from "../types.ts";
import { choice, type DefineOption, flag, parsed, text } from "./define-option.ts";
import type { InjectFlags } from "./inject/inject-flags.ts";
import { REPLAY_OPTIONS, type ReplayFlags } from "./inject/replay-options.ts";
import { gather, gatherNames, integerBetween, numberBetween, parsePairs } from "./option-values.ts";

const EXAMPLES = `
The proxy stands between an agent (a Model Context Protocol client) and its server. It lists the server's tools unchanged, lets
calls of them fail as Bench2Robust does, and passes everything else through. Without --http it is spoken to over standard
input and output, as a client starts a server. Episodes and their injections are JSON lines:
  calibrant score episodes.jsonl --reward bench2robust

Examples:
  calibrant inject -o episodes.jsonl -- node server.js
  calibrant inject --seed 7 --p-clean 0.8 --task 12 --gold tasks.jsonl --check ./check.sh -o episodes.jsonl -- uvx my-server
  calibrant inject --noise timeout=0.2 --block delete_file -o episodes.jsonl -- npx -y @modelcontextprotocol/server-filesystem .
  calibrant inject --http 3000 -o episodes.jsonl --url http://127.0.0.1:8000/mcp
  calibrant inject --registry tau2-retail --scenario S2 --task 5 --gold tasks.jsonl -o episodes.jsonl -- ./retail-server
  calibrant inject --replay --seeds 3      # no server: scripted policies in a built-in world

Exit status: 0 the client left, 1 the server died or a file could not be written, 2 wrong usage, 128 + signal when told to stop.`;

/** Adds the command `inject`. */
export function defineInject(program: Command): void {
  const command = program
    .command("inject")
    .summary("proxy that makes an MCP server's tools fail, reproducibly, and records what the agent does")
    .description("Stands between an agent and its Model Context Protocol server and lets tool calls fail.")
    .argument("[server...]", "the command that starts the server, after --");
  for (const option of [...OPTIONS, ...REPLAY_OPTIONS]) command.addOption(option());
  command.addHelpText("after", EXAMPLES).action(async (server: string[], flags: Flags) => {
    checkMode(command, server, flags.replay);
    if (flags.replay) await (await import("./inject/replay-command.ts")).replayCommand(flags);
    else await (await import("./inject/inject-command.ts")).injectCommand(server, flags);
  });
}

type Flags = InjectFlags & ReplayFlags & { readonly replay: boolean };

/** What the proxy and the replay both take. */
const SHARED = ["seed", "pClean", "budget", "maxConsecutive", "output", "quiet", "replay"];

/** An option of the other mode would be ignored without a word. */
function checkMode(command: Command, server: readonly string[], replay: boolean): void {
  if (replay && server.length > 0)
    throw new CalibrantError("usage", `--replay needs no server, got ${server[0]}`);
  const replayed = REPLAY_OPTIONS.map((option) => option().attributeName());
  const stray = command.options.find((option) => {
    const name = option.attributeName();
    const isOther = replayed.includes(name) !== replay;
    return isOther && !SHARED.includes(name) && command.getOptionValueSource(name) === "cli";
  });
  if (stray === undefined) return;
  const message = replay ? `--replay does not take ${stray.long}` : `${stray.long} goes with --replay`;
  throw new CalibrantError("usage", message);
}

const OPTIONS: readonly DefineOption[] = [
  text("--url <address>", "a server that runs already, over streamable HTTP, instead of a command"),
  parsed("--header <name: value>", "header for --url; may be given several times", gather),
  parsed(
    "--http <port>",
    "listen for clients over streamable HTTP, at /mcp; 0: any port",
    integerBetween(0, 65535),
  ),
  () => text("--host <address>", "address to listen on")().default("127.0.0.1"),
  flag("--allow-remote", "let --host be an address that other machines reach"),
  () =>
    parsed(
      "--idle <seconds>",
      "an HTTP session without any request for so long is over; 0: never",
      numberBetween(0, 1e6),
    )().default(600),
  () =>
    parsed(
      "--seed <integer>",
      "with the episode's id it fixes all faults",
      integerBetween(0, 2 ** 32 - 1),
    )().default(0),
  text("--episode <id>", "id of the episode (default: episode-1, episode-2, … by what -o holds)"),
  text("--task <id>", "task_id of the episode"),
  text("--model <name>", "model of the episode"),
  text(
    "--registry <name|file>",
    "tools that replace each other: tau2-retail, bfcl, bfcl-travel_booking, … or a JSON file",
  ),
  choice("--scenario <name>", "S1 blocks nothing, S2 one of the task's ways, S3 all of them", [
    "S1",
    "S2",
    "S3",
  ]),
  parsed("--block <tools>", "tools that never answer, separated by commas", gatherNames),
  parsed(
    "--noise <name=number,…|file>",
    "probabilities of the faults, such as timeout=0.2,stale=0.1 (default: Table 7)",
    parseNoise,
  ),
  parsed(
    "--p-clean <number>",
    "probability of a call without a fault; the others in the proportions of Table 7",
    numberBetween(0, 1),
  ),
  parsed(
    "--budget <n>",
    "most faults in an episode (default: 5)",
    integerBetween(0, Number.MAX_SAFE_INTEGER),
  ),
  parsed(
    "--max-consecutive <n>",
    "most faults one after the other on one tool (default: 2)",
    integerBetween(0, Number.MAX_SAFE_INTEGER),
  ),
  text("--rules <file>", "JSON: what silent faults may change (default: by heuristics)"),
  flag("--clean", "inject nothing, only record"),
  text("--gold <file>", "JSON lines with task_id and gold_actions"),
  text(
    "--check <command>",
    "run when an episode ends, with its JSON on standard input; exit status 0: the task was done",
  ),
  () =>
    parsed("--check-timeout <seconds>", "how long the check may take", numberBetween(0.1, 86_400))().default(
      60,
    ),
  text("-o, --output <file>", "JSON lines to which each episode is added; the replay replaces the file"),
  text("--log <file>", "JSON lines to which each injection is added as it happens"),
  () =>
    parsed(
      "--max-recorded <bytes>",
      "most bytes of one result in the episode; the agent gets all",
      integerBetween(0, 2 ** 30),
    )().default(2 ** 20),
  flag("--quiet", "nothing on standard error but failures and what the server writes"),
];

/** Probabilities by name, or a file of them. */
function parseNoise(given: string): NoiseOptions | string {
  if ((FAULT_KINDS as readonly string[]).includes(given))
    throw new InvalidArgumentError(`a fault needs its probability, such as ${given}=0.2.`);
  if (!given.includes("=")) return given;
  const entries = [...parsePairs(given)].map(([name, value]): [string, number] => {
    const number = Number(value);
    if (value === "" || Number.isNaN(number))
      throw new InvalidArgumentError(`expected numbers, got ${name}=${value}.`);
    return [name, number];
  });
  return Object.fromEntries(entries);
}
