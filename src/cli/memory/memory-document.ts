import type { BayesianToolMemory } from "../../recovery/memory/bayesian-tool-memory.ts";
import type { Belief } from "../../recovery/memory/belief.ts";
import type { CountsApart, EpisodeCounts } from "../../recovery/memory/memory-data.ts";
import { countCell, shareCell, textCell } from "../../report/tables/cells.ts";
import type {
  DocumentTable,
  TableColumn,
  TableDocument,
  TableRow,
} from "../../report/tables/table-document.ts";

/** The beliefs of a memory as tables: failures by tool, switches, and what stands in for what. */
export function memoryDocument(
  memory: BayesianToolMemory,
  level: number,
  facts: readonly (readonly [string, string])[],
): TableDocument {
  const { recovery, switching } = memory.beliefs({ level });
  const { alpha, beta } = memory.prior;
  return {
    title: "Bayesian Tool Memory",
    headline: headlineOf(memory.episodes),
    warnings: [],
    tables: [
      beliefTable(
        { id: "recovery", title: "Recovery after a failure", rowTitle: "tool" },
        [{ title: "failure", meaning: "What its call met.", kind: "text" }],
        recovery.map((belief) => ({ label: belief.tool, cells: [textCell(belief.fault)], belief })),
      ),
      beliefTable(
        { id: "switching", title: "Recovery after a switch", rowTitle: "from" },
        [{ title: "to", meaning: "The tool that was called instead.", kind: "text" }],
        switching.map((belief) => ({ label: belief.source, cells: [textCell(belief.target)], belief })),
      ),
      fallbackTable(memory),
    ].filter(({ rows }) => rows.length > 0),
    facts: [
      ...facts,
      ["prior", `Beta(${alpha}, ${beta})`],
      ["interval", `equal-tailed credible interval, level ${level}`],
      ["update", memory.update],
    ],
  };
}

function headlineOf({ initial, observed }: CountsApart<EpisodeCounts>): string {
  const learned = initial.recovered + initial.failed + observed.recovered + observed.failed;
  const recovered = initial.recovered + observed.recovered;
  const skipped = initial.skipped + observed.skipped;
  const without = skipped === 0 ? "" : `; ${skipped} more had no outcome`;
  return `${recovered} of ${learned} episodes that met a failure ended recovered${without}.`;
}

const BELIEF_COLUMNS: readonly TableColumn[] = [
  {
    title: "rate (%)",
    meaning:
      "Posterior mean of the share of episodes that ended recovered, in percent, with its credible interval. Not the chance that one retry or switch works.",
    kind: "number",
  },
  { title: "recovered", meaning: "Episodes that met it and ended recovered.", kind: "number" },
  { title: "failed", meaning: "Episodes that met it and did not.", kind: "number" },
];

interface BeliefRow extends TableRow {
  readonly belief: Belief;
}

function beliefTable(
  heading: Pick<DocumentTable, "id" | "title" | "rowTitle">,
  columns: readonly TableColumn[],
  rows: readonly BeliefRow[],
): DocumentTable {
  return {
    ...heading,
    columns: [...columns, ...BELIEF_COLUMNS],
    rows: rows.map(({ label, cells, belief }) => ({ label, cells: [...cells, ...beliefCells(belief)] })),
    notes: [],
  };
}

function beliefCells({ mean, low, high, recovered, failed }: Belief): TableRow["cells"] {
  const rate = { value: mean, low, high, numerator: null, denominator: recovered + failed, reason: null };
  return [shareCell(rate), countCell(recovered), countCell(failed)];
}

function fallbackTable({ fallbacks }: BayesianToolMemory): DocumentTable {
  return {
    id: "alternatives",
    title: "Alternatives",
    rowTitle: "tool",
    columns: [
      { title: "alternative", meaning: "A tool that can stand in for it.", kind: "text" },
      { title: "note", meaning: "How it differs.", kind: "text" },
    ],
    rows: Object.entries(fallbacks).flatMap(([label, list]) =>
      list.map(({ tool, note = "" }) => ({ label, cells: [textCell(tool), textCell(note)] })),
    ),
    notes: [],
  };
}
