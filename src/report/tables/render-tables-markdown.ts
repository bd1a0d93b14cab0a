import { MISSING } from "../format-number.ts";
import { escapeMarkdown, tableRows } from "../render/markdown-text.ts";
import { columnMeanings } from "./column-meanings.ts";
import type { DocumentTable, TableCell, TableDocument } from "./table-document.ts";

/**
 * The results of a benchmark as GitHub-flavoured Markdown, with the tables and sentences of the HTML page. All texts are
 * escaped; a document without tables has its other parts. Ends with a line feed.
 *
 * @example
 * ```ts
 * import { renderTablesMarkdown } from "calibrant/report";
 * const text = renderTablesMarkdown({ title: "Results", headline: "", warnings: [], tables: [], facts: [["seed", "0"]] });
 * console.log(JSON.stringify(text)); // "# Results\n\n## How this was made\n\n- seed: 0\n"
 * ```
 */
export function renderTablesMarkdown(document: TableDocument): string {
  const { title, headline, warnings, tables, facts } = document;
  const meanings = columnMeanings(document).map(({ name, value }) => `${plain(name)}: ${plain(value)}`);
  const blocks = [
    `# ${plain(title)}`,
    ...(headline === "" ? [] : [`**${plain(headline)}**`]),
    ...listBlocks("## Warnings", warnings.map(plain)),
    ...tables.flatMap(tableBlocks),
    ...listBlocks("## What the columns mean", meanings),
    ...listBlocks(
      "## How this was made",
      facts.map(([name, value]) => `${plain(name)}: ${plain(value)}`),
    ),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** Spaces at the ends would end emphasis early or begin a block of code. */
function plain(text: string): string {
  return escapeMarkdown(text).trim();
}

function labelText(label: string): string {
  return plain(label) || "(empty)";
}

function listBlocks(heading: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [heading, listText(items)];
}

function listText(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

function tableBlocks({ title, rowTitle, columns, rows, notes }: DocumentTable): string[] {
  const head = [rowTitle, ...columns.map((column) => column.title)].map(labelText);
  const align = `l${columns.map(({ kind }) => (kind === "number" ? "r" : "l")).join("")}`;
  const lines = rows.map(({ label, cells }) => [labelText(label), ...cells.map(cellText)]);
  return [
    `## ${plain(title)}`,
    rows.length === 0 ? "No rows." : tableRows(head, align, lines),
    ...(notes.length === 0 ? [] : [listText(notes.map(plain))]),
  ];
}

function cellText({ text, detail, missing }: TableCell): string {
  if (missing !== null) return `${MISSING} (${plain(missing)})`;
  return plain(`${text} ${detail}`);
}
