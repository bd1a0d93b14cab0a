import { describe, expect, it } from "vitest";
import { labelsCommand } from "../../../src/cli/toolfault/labels-command.ts";
import { FAULT_TYPES, NEXT_ACTIONS } from "../../../src/metrics/toolfault/labels.ts";
import { outputOf } from "./captured-output.ts";

interface Taxonomy {
  readonly fault_types: readonly { readonly label: string; readonly definition: string }[];
  readonly next_actions: readonly { readonly label: string; readonly definition: string }[];
}

describe("labelsCommand", () => {
  it("prints every label with its definition, for people and as JSON", async () => {
    const text = await outputOf(() => labelsCommand({ json: false }));
    const taxonomy = JSON.parse(await outputOf(() => labelsCommand({ json: true }))) as Taxonomy;
    expect(taxonomy.fault_types.map(({ label }) => label)).toEqual(FAULT_TYPES);
    expect(taxonomy.next_actions.map(({ label }) => label)).toEqual(NEXT_ACTIONS);
    const expected = [...taxonomy.fault_types, ...taxonomy.next_actions];
    const shown = [...text.matchAll(/^ {2}(\w+) +(.*)$/gm)].map(([, label, definition]) => ({
      label,
      definition,
    }));
    expect(shown).toEqual(expected);
  });
});
