import { MISSING } from "../format-number.ts";
import { displayWidth, padded, plainLine, shortened } from "../render/terminal-text.ts";
import type { DocumentTable, TableCell, TableDocument } from "./table-document.ts";

/** Options of {@link renderTablesTerminal}. */
export interface RenderTablesTerminalOptions {
  /** Characters on a line. Default 100. */
  readonly width?: number;
}

/** Characters that the name of a row, and any other cell or heading, takes at most. */
const LABEL_WIDTH = 32;
const CELL_WIDTH = 48;
const GAP = "  ";

/**
 * The results of a benchmark as plain text for a terminal. A table that is wider than the terminal continues below itself
 * with its further columns, the names of the rows in front again. Control characters are replaced, so that data cannot
 * steer the terminal. Ends with a line feed.
 *
 * @example
 * ```ts
 * import { renderTablesTerminal } from "calibrant/report";
 * const text = renderTablesTerminal({ title: "Results", headline: "", warnings: [], tables: [], facts: [["seed", "0"]] });
 * console.log(JSON.stringify(text)); // "Results\n\nseed: 0\n"
 * ```
 */
export function renderTablesTerminal(
  document: TableDocument,
  options: RenderTablesTerminalOptions = {},
): string {
  const { width = 100 } = options;
  const { title, headline, warnings, tables, facts } = document;
  const parts = [
    [title, headline].filter((text) => text !== "").map(plainLine),
    warnings.map((warning) => `warning: ${plainLine(warning)}`),
    ...tables.map((table) => tableLines(table, width)),
    facts.map(([name, value]) => `${plainLine(name)}: ${plainLine(value)}`),
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function tableLines({ title, rowTitle, columns, rows, notes }: DocumentTable, width: number): string[] {
  const labels: Column = columnOf([rowTitle, ...rows.map(({ label }) => label)].map(labelText), "text");
  const others = columns.map(({ title, kind }, index) =>
    columnOf([labelText(title), ...rows.map(({ cells }) => cellText(cells[index]))], kind),
  );
  const grids = blocksOf(labels, others, width).map((block) => gridLines([labels, ...block]));
  return [
    plainLine(title),
    ...(rows.length === 0
      ? ["no rows"]
      : grids.flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]))),
    ...missingLines(rows.flatMap(({ cells }) => cells)),
    ...notes.map((note) => `note: ${plainLine(note)}`),
  ];
}

/** The texts of a column with its heading first, and how wide it is. */
interface Column {
  readonly texts: readonly string[];
  readonly width: number;
  readonly left: boolean;
}

function columnOf(texts: readonly string[], kind: "number" | "text"): Column {
  return { texts, width: Math.max(...texts.map(displayWidth)), left: kind === "text" };
}

function labelText(label: string): string {
  return shortened(plainLine(label), LABEL_WIDTH) || "(empty)";
}

function cellText(cell: TableCell | undefined): string {
  if (cell === undefined || cell.missing !== null) return MISSING;
  return shortened(plainLine(`${cell.text} ${cell.detail}`.trim()), CELL_WIDTH);
}

/** The columns in groups that fit beside the labels; one that never fits stands alone. */
function blocksOf(labels: Column, columns: readonly Column[], width: number): Column[][] {
  const blocks: Column[][] = [[]];
  let used = labels.width;
  for (const column of columns) {
    const last = blocks.at(-1) as Column[];
    const needed = GAP.length + column.width;
    if (last.length > 0 && used + needed > width) {
      blocks.push([column]);
      used = labels.width + needed;
    } else {
      last.push(column);
      used += needed;
    }
  }
  return blocks;
}

function gridLines(columns: readonly Column[]): string[] {
  const [first] = columns;
  return (first?.texts ?? []).map((_, row) =>
    columns
      .map(({ texts, width, left }) => padded(texts[row] as string, width, left))
      .join(GAP)
      .trimEnd(),
  );
}

function missingLines(cells: readonly TableCell[]): string[] {
  const reasons = new Set(cells.flatMap(({ missing }) => (missing === null ? [] : [plainLine(missing)])));
  return reasons.size === 0 ? [] : [`${MISSING}: ${[...reasons].join("; ")}`];
}
