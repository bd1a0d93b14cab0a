import { rateOf } from "../../../src/metrics/rate.ts";
import { countCell, pointsCell, shareCell, textCell } from "../../../src/report/tables/cells.ts";
import type { TableDocument, TableRow } from "../../../src/report/tables/table-document.ts";
import { HOSTILE_LABELS } from "../hostile-evaluation.ts";

function row(label: string, joint: number, criticalItems: number): TableRow {
  const difference = { value: joint / 441 - 80 / 441, low: -0.031, high: 0.02, reason: null };
  return {
    label,
    cells: [
      shareCell(rateOf(joint, 441)),
      shareCell(rateOf(0, criticalItems), "no item has a critical set"),
      pointsCell(difference),
      countCell(1441),
      textCell("prompt v1"),
    ],
  };
}

/** Two runs of a benchmark, the second without critical sets. */
export function sampleDocument(): TableDocument {
  const number = (title: string, meaning: string) => ({ title, meaning, kind: "number" as const });
  return {
    title: "ToolFault-Bench",
    headline: "The oracle is right in 80.5% of 441 items.",
    warnings: ["3 predictions are missing and count as wrong"],
    tables: [
      {
        id: "runs",
        title: "Runs",
        rowTitle: "run",
        columns: [
          number("joint", "fault right and action acceptable, in percent of all items"),
          number("critical", "critical actions, in percent of items with a critical set"),
          number("Δ joint", "difference to always, in percentage points"),
          number("items", "items"),
          { title: "prompt", meaning: "version of the prompt", kind: "text" },
        ],
        rows: [row("always", 80, 200), row("oracle", 355, 0)],
        notes: ["In brackets: 95% Wilson intervals."],
      },
    ],
    facts: [["seed", "0"]],
  };
}

/** The sample with hostile texts wherever data can put one. */
export function hostileDocument(): TableDocument {
  const sample = sampleDocument();
  const evil = `</title></style><script>alert("2")</script>|\u001b[31m\u202e`;
  return {
    title: evil,
    headline: evil,
    warnings: [evil],
    tables: sample.tables.map((table) => ({
      ...table,
      title: evil,
      rowTitle: evil,
      columns: table.columns.map((column) => ({ ...column, title: evil, meaning: `"><img src=x>${evil}` })),
      rows: HOSTILE_LABELS.map((label) => ({
        label,
        cells: table.columns.map((_, index) =>
          index === 0 ? shareCell(rateOf(0, 0), evil) : textCell(label, evil),
        ),
      })),
      notes: [evil, ...HOSTILE_LABELS],
    })),
    facts: [[evil, evil]],
  };
}
