import { type DefineOption, parsed } from "./define-option.ts";
import { gatherNames, parsePairs } from "./option-values.ts";

/** Names of columns, where a command reads one table. */
export const COLUMNS_OPTION: DefineOption = parsed(
  "--columns <needed=present,…>",
  "read a column under another name; needed= ignores the column",
  parsePairs,
);

/** What counts as an escalation. */
export const ESCALATION_TOOLS_OPTION: DefineOption = parsed(
  "--escalation-tools <names>",
  "tools that hand the task over to a person, separated by commas (default: transfer_to_human_agents and the like)",
  gatherNames,
);
