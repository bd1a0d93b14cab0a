import { htmlPage } from "../render/html-page.ts";
import { factList, type Section, section, sectionLinks } from "../render/html-section.ts";
import { cellHtml, labelHtml, scrollTable } from "../render/html-tables.ts";
import { type Html, html } from "../render/html-template.ts";
import { columnMeanings } from "./column-meanings.ts";
import type { DocumentTable, TableColumn, TableDocument, TableRow } from "./table-document.ts";

/**
 * The results of a benchmark as one HTML file that needs nothing else: no network, no font, no script to be read (a small
 * one makes tables sortable). It follows the reader's light or dark theme, fits a phone and prints. The same document
 * gives the same bytes. All texts are escaped.
 *
 * @example
 * ```ts
 * import { renderTablesHtml } from "calibrant/report";
 * const page = await renderTablesHtml({ title: "Results", headline: "", warnings: [], tables: [], facts: [] });
 * console.log(page.slice(0, 15), page.includes("Results</h1>")); // <!doctype html> true
 * ```
 */
export async function renderTablesHtml(document: TableDocument): Promise<string> {
  const { title, headline } = document;
  const sections = sectionsOf(document);
  // Without a headline the title is what the page says.
  const head =
    headline === ""
      ? html`<header>\n<h1 class="lead">${title}</h1>\n</header>`
      : html`<header>\n<h1>${title}</h1>\n</header>`;
  const lead =
    headline === ""
      ? null
      : html`<section class="answer" aria-labelledby="answer">
<h2 id="answer">In short</h2>
<p class="lead">${headline}</p>
</section>
`;
  const links = sections.length < 2 ? null : html`${sectionLinks(sections)}\n`;
  const body = html`<a class="skip" href="#main">Skip to the results</a>
${head}
<main id="main">
${lead}${links}${sections.map(({ content }) => content)}</main>
`;
  return htmlPage({ title, body, refreshSeconds: null });
}

function sectionsOf(document: TableDocument): Section[] {
  const { warnings, tables, facts } = document;
  const meanings = columnMeanings(document);
  const made = facts.map(([name, value]) => ({ name, value }));
  const parts: readonly (Section | null)[] = [
    section("warnings", "Warnings", listHtml(warnings, "evidence")),
    ...tables.map((table) => section(`table-${table.id}-name`, table.title, tableHtml(table))),
    section("columns", "What the columns mean", meanings.length === 0 ? null : factList(meanings)),
    section("facts", "How this was made", made.length === 0 ? null : factList(made)),
  ];
  return parts.filter((part): part is Section => part !== null);
}

function listHtml(sentences: readonly string[], kind: string): Html | null {
  if (sentences.length === 0) return null;
  return html`<ul class="${kind}">${sentences.map((text) => html`<li>${text}</li>\n`)}</ul>\n`;
}

function tableHtml({ id, rowTitle, columns, rows, notes }: DocumentTable): Html {
  const head = html`<tr><th scope="col">${labelHtml(rowTitle)}</th>${columns.map(headCell)}</tr>`;
  const bodies = [html`<tbody>${rows.map(rowHtml)}</tbody>`];
  const table =
    rows.length === 0
      ? html`<p class="note">No rows.</p>\n`
      : scrollTable({ id: `table-${id}`, head, bodies });
  return html`${table}${listHtml(notes, "note")}`;
}

function headCell({ title, meaning, kind }: TableColumn): Html {
  // An arrow that says which way is better stays with its word.
  const whole = title.replace(/ (?=[↓↑]$)/u, "\u00a0");
  return html`<th scope="col" class="${kind}" title="${meaning}">${labelHtml(whole)}</th>`;
}

function rowHtml({ label, cells }: TableRow): Html {
  return html`<tr><th scope="row">${labelHtml(label)}</th>${cells.map(cellHtml)}</tr>\n`;
}
