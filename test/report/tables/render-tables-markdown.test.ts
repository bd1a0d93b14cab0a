import { describe, expect, it } from "vitest";
import { renderTablesMarkdown } from "../../../src/report/tables/render-tables-markdown.ts";
import { HOSTILE_LABELS } from "../hostile-evaluation.ts";
import { hostileDocument, sampleDocument } from "./sample-document.ts";

describe("renderTablesMarkdown", () => {
  it("has the parts of the page in order", () => {
    expect(renderTablesMarkdown(sampleDocument())).toBe(`# ToolFault-Bench

**The oracle is right in 80.5% of 441 items.**

## Warnings

- 3 predictions are missing and count as wrong

## Runs

| run | joint | critical | Δ joint | items | prompt |
| --- | ---: | ---: | ---: | ---: | --- |
| always | 18.1 \\[14.8, 22.0\\] | 0.0 \\[0.0, 1.9\\] | 0.0 \\[−3.1, 2.0\\] | 1,441 | prompt v1 |
| oracle | 80.5 \\[76.5, 83.9\\] | – (no item has a critical set) | +62.4 \\[−3.1, 2.0\\] | 1,441 | prompt v1 |

- In brackets: 95% Wilson intervals.

## What the columns mean

- joint: fault right and action acceptable, in percent of all items
- critical: critical actions, in percent of items with a critical set
- Δ joint: difference to always, in percentage points
- items: items
- prompt: version of the prompt

## How this was made

- seed: 0
`);
  });

  it("escapes what data can hold", () => {
    const text = renderTablesMarkdown(hostileDocument());
    expect(text).not.toMatch(/(?<!\\)<(?=\/?[a-z])|[^\P{Cc}\n]|[\u202a-\u202e]/u);
    const rows = text.split("\n").filter((line) => line.startsWith("| "));
    expect(rows).toHaveLength(HOSTILE_LABELS.length + 2);
    for (const line of rows) expect(line.match(/(?<!\\)\|/g)).toHaveLength(7);
    expect(text).toContain("| (empty) |");
  });
});
