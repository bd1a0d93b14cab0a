import type { Evaluation } from "../evaluation.ts";
import { formatCount, formatPercent } from "../format-number.ts";
import { firstFigures, furtherFigures } from "./figure-groups.ts";
import { type Headline, headline } from "./headline.ts";
import { comparisonsHtml } from "./html-comparisons.ts";
import { drawPictures, figureSection } from "./html-figures.ts";
import { flagsHtml, methodHtml } from "./html-method.ts";
import { htmlPage } from "./html-page.ts";
import { type Section, section, sectionLinks } from "./html-section.ts";
import { labelHtml, sliceRows, tablesHtml } from "./html-tables.ts";
import { EMPTY, type Html, html } from "./html-template.ts";
import type { Sentence } from "./sentence.ts";
import { summaryColumns } from "./slice-tables.ts";

/** Options of {@link renderHtml}. */
export interface RenderHtmlOptions {
  /** Reload the page after this many seconds, for a run in progress. Default: never. */
  readonly refreshSeconds?: number;
}

/** Up to this many slices stand beside each other at the top. */
const SUMMARY_SLICES = 12;

/**
 * A report as one HTML file that needs nothing else: no network, no font, no script to be read (a small one makes tables
 * sortable). It follows the reader's light or dark theme, fits a phone and prints. The same evaluation gives the same
 * bytes. Without the packages vega and vega-lite it has no pictures and says so.
 *
 * @throws CalibrantError `data` when a plot's specification cannot be drawn.
 *
 * @example
 * ```ts
 * import { tableFromArrays } from "apache-arrow";
 * import { evaluateTable, renderHtml } from "calibrant/report";
 * const table = tableFromArrays({ ppl: [1.1, 1.2, 2.5, 3.1], correct: Uint8Array.of(1, 1, 0, 1) });
 * const evaluation = await evaluateTable(table, { resamples: 100, permutations: 100 });
 * const page = await renderHtml(evaluation);
 * console.log(page.slice(0, 15)); // <!doctype html>
 * ```
 */
export async function renderHtml(evaluation: Evaluation, options: RenderHtmlOptions = {}): Promise<string> {
  const { refreshSeconds = null } = options;
  const sections = await sectionsOf(evaluation);
  const body = html`<a class="skip" href="#main">Skip to the report</a>
<header>
<h1>${evaluation.title}</h1>
<p class="inputs">${inputsText(evaluation.inputs)}</p>
<button type="button" id="pause" aria-pressed="false" hidden>Pause reloading</button>
</header>
<main id="main">
${answerHtml(evaluation)}
${sectionLinks(sections)}
${sections.map(({ content }) => content)}</main>
<footer><p>calibrant ${evaluation.version} · seed ${evaluation.seed}</p></footer>
`;
  return htmlPage({ title: evaluation.title, body, refreshSeconds });
}

async function sectionsOf(evaluation: Evaluation): Promise<Section[]> {
  const first = firstFigures(evaluation.plots);
  const further = furtherFigures(evaluation.plots);
  const pictures = await drawPictures([...first, ...further]);
  const figures = (groups: typeof first): Section[] =>
    groups.map((group) => ({
      id: group.id,
      title: group.title,
      content: figureSection(group, pictures, evaluation.slices.length),
    }));
  const parts: readonly (Section | null)[] = [
    ...figures(first),
    section("comparisons", "Compared with the baseline", comparisonsHtml(evaluation)),
    ...figures(further),
    section("tables", "Tables", html`<p>${tablesText(evaluation)}</p>\n${tablesHtml(evaluation)}`),
    section("flags", "Flags and notes", flagsHtml(evaluation)),
    section("method", "How this was computed", methodHtml(evaluation)),
  ];
  return parts.filter((part): part is Section => part !== null);
}

/** Long lists of inputs are cut here; the section on the method has them all. */
function inputsText(inputs: readonly string[]): string {
  const shown = inputs.slice(0, 3).join(", ");
  return inputs.length <= 3 ? shown : `${shown} and ${formatCount(inputs.length - 3)} more`;
}

function answerHtml(evaluation: Evaluation): Html {
  const { question, answer, evidence, rows, flags, comparisons } = headline(evaluation);
  const points = [...evidence, rows, ...flags];
  return html`<section class="answer" aria-labelledby="answer">
<h2 id="answer">${question}</h2>
<p class="lead">${sentenceHtml(answer)}</p>
${comparisonList({ comparisons })}<ul class="evidence">${points.map((item) => html`<li>${sentenceHtml(item)}</li>\n`)}</ul>
${summaryHtml(evaluation)}</section>`;
}

function comparisonList({ comparisons }: Pick<Headline, "comparisons">): Html {
  if (comparisons.length === 0) return EMPTY;
  return html`<ul class="verdicts">${comparisons.map((item) => html`<li>${sentenceHtml(item)}</li>\n`)}</ul>\n`;
}

function sentenceHtml(sentence: Sentence): Html {
  const parts = sentence.map((part) =>
    typeof part === "string" ? html`${part}` : html`<strong>${labelHtml(part.label)}</strong>`,
  );
  return html`${parts}`;
}

function summaryHtml(evaluation: Evaluation): Html {
  const { slices } = evaluation;
  if (slices.length < 2 || slices.length > SUMMARY_SLICES) return EMPTY;
  const table = sliceRows(evaluation, { id: "summary", columns: summaryColumns(evaluation), anchors: false });
  return html`<h3 id="summary-name">At a glance</h3>
${table}<p class="note">${tablesText(evaluation)}</p>
`;
}

function tablesText({ resamples, level, columns }: Evaluation): string {
  if (resamples === 0) return "No intervals were computed. A dash stands where there is no number.";
  const units = columns.cluster === null ? "rows" : "prompts";
  return `In brackets: ${formatPercent(level)} intervals from ${formatCount(resamples)} resamples of ${units}. A dash stands where there is no number.`;
}
