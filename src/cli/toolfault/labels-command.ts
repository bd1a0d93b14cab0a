import {
  ACTION_DEFINITIONS,
  FAULT_DEFINITIONS,
  FAULT_TYPES,
  NEXT_ACTIONS,
} from "../../metrics/toolfault/labels.ts";
import { standardOutput } from "../standard-output.ts";

/**
 * Prints the labels of ToolFault-Bench with their definitions on standard output.
 *
 * @param options `json`: one JSON document, `{fault_types: [{label, definition}], next_actions: […]}`.
 */
export async function labelsCommand(options: { readonly json: boolean }): Promise<void> {
  const faults = FAULT_TYPES.map((label) => ({ label, definition: FAULT_DEFINITIONS[label] }));
  const actions = NEXT_ACTIONS.map((label) => ({ label, definition: ACTION_DEFINITIONS[label] }));
  const text = options.json
    ? JSON.stringify({ fault_types: faults, next_actions: actions }, null, 2)
    : `fault_type\n${lines(faults)}\n\nnext_action\n${lines(actions)}`;
  await standardOutput().write(Buffer.from(`${text}\n`));
}

function lines(labels: readonly { readonly label: string; readonly definition: string }[]): string {
  const width = Math.max(...labels.map(({ label }) => label.length));
  return labels.map(({ label, definition }) => `  ${label.padEnd(width)}  ${definition}`).join("\n");
}
