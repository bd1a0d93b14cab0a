import type { Evaluation, EvaluationSlice } from "../evaluation.ts";
import { MISSING } from "../format-number.ts";
import { type Html, html } from "./html-template.ts";
import { type Cell, type Column, type SliceTable, sliceTables } from "./slice-tables.ts";

/** Small print beyond this many characters is wrapped; intervals are shorter. */
const LONG_DETAIL = 24;

/** A table that scrolls inside its own region, which can be focused and has a name. */
export interface TableParts {
  /** Unique in the page. */
  readonly id: string;
  /** Name of the table and its region: HTML with the id `{id}-name` is expected in the page. */
  readonly head: Html;
  readonly bodies: readonly Html[];
  /** Default true. */
  readonly sortable?: boolean;
  /** Show all rows instead of scrolling down inside: for tables with few. Default false. */
  readonly full?: boolean;
}

/** The table inside its region; its name is the element with the id `{id}-name`. */
export function scrollTable({ id, head, bodies, sortable = true, full = false }: TableParts): Html {
  const attribute = sortable ? html` data-sortable` : null;
  return html`<div class="scroll${full ? " full" : ""}" role="region" tabindex="0" aria-labelledby="${id}-name">
<table aria-labelledby="${id}-name"${attribute}>
<thead>${head}</thead>
${bodies}
</table>
</div>
`;
}

/** The complete tables of a report, with a heading each; the rows of the first are the targets of links to slices. */
export function tablesHtml(evaluation: Evaluation): Html {
  const tables = sliceTables(evaluation);
  return html`${tables.map((table, index) => sliceTableHtml(evaluation, table, index === 0))}`;
}

function sliceTableHtml(
  evaluation: Evaluation,
  { id, title, columns, omitted }: SliceTable,
  anchors: boolean,
): Html {
  const rows = { id: `table-${id}`, columns, anchors };
  const note =
    omitted.length === 0 ? null : html`<p class="note">Not in the table: ${omitted.join("; ")}.</p>`;
  return html`<h3 id="${rows.id}-name">${title}</h3>
${columns.length === 0 ? null : sliceRows(evaluation, rows)}${note}
`;
}

/** What a table of slices shows. */
export interface SliceRows {
  readonly id: string;
  readonly columns: readonly Column[];
  /** Give the rows the ids `slice-0` (all rows), `slice-1` …. */
  readonly anchors: boolean;
}

/** A table with a row for all rows, which stays on top, and one for every slice. */
export function sliceRows({ overall, slices, columns }: Evaluation, table: SliceRows): Html {
  const by = columns.by.length === 0 ? "Slice" : columns.by.join(" / ");
  const head = html`<tr><th scope="col">${by}</th>${table.columns.map(headCell)}</tr>`;
  const row = (slice: EvaluationSlice, index: number): Html => {
    const anchor = table.anchors ? html` id="slice-${index}"` : null;
    const cells = table.columns.map((column) => cellHtml(column.cell(slice)));
    return html`<tr${anchor}><th scope="row">${labelHtml(slice.label)}</th>${cells}</tr>\n`;
  };
  const whole = html`<tbody class="whole">${row(overall, 0)}</tbody>`;
  const rest = html`<tbody>${slices.map((slice, index) => row(slice, index + 1))}</tbody>`;
  return scrollTable({ id: table.id, head, bodies: slices.length === 0 ? [whole] : [whole, rest] });
}

function headCell({ title, meaning, kind }: Column): Html {
  return html`<th scope="col" class="${kind}" title="${meaning}">${title}</th>`;
}

/** Words up to this length stay whole: they fit a phone's screen. */
const LONG_WORD = 24;

/** A label from the data, apart from the direction of the text around it. */
export function labelHtml(label: string): Html {
  if (label === "") return html`<i>(empty)</i>`;
  const isShort = label.split(/\s+/).every((word) => word.length <= LONG_WORD);
  return isShort ? html`<bdi class="words">${label}</bdi>` : html`<bdi>${label}</bdi>`;
}

/** One cell: the number with its small print, or a dash that says why there is none. */
export function cellHtml({ text, detail, sort, missing }: Cell): Html {
  if (missing !== null) return missingCell(missing);
  const long = detail.length > LONG_DETAIL ? html` class="long"` : null;
  const small = detail === "" ? null : html` <small${long}>${detail}</small>`;
  if (sort === null) return html`<td class="text">${text}${small}</td>`;
  return html`<td class="number" data-v="${sort}">${text}${small}</td>`;
}

/** A dash with the reason, for the pointer and for readers that do not see it. */
export function missingCell(reason: string): Html {
  return html`<td class="number missing" data-v="" title="${reason}"><span aria-hidden="true">${MISSING}</span><span class="hidden">not available: ${reason}</span></td>`;
}
