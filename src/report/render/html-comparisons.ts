import type { Comparison, Delta, Evaluation } from "../evaluation.ts";
import { formatCount, formatInterval, formatNumber, formatSigned } from "../format-number.ts";
import { METRIC_NAMES, METRICS, type MetricName } from "../metric-info.ts";
import { type ComparedGroup, comparedGroups, comparisonGuide, promptsText } from "./comparison-text.ts";
import { deltaVerdict } from "./delta-verdict.ts";
import { labelHtml, missingCell, scrollTable } from "./html-tables.ts";
import { type Html, html } from "./html-template.ts";

/** Up to this many comparisons get a table each; more share one with a row each. */
const SEPARATE_TABLES = 6;

/** The differences to the baseline with their verdicts; null when nothing was compared. */
export function comparisonsHtml(evaluation: Evaluation): Html | null {
  const { comparisons, level } = evaluation;
  if (comparisons.length === 0) return null;
  const tables =
    comparisons.length <= SEPARATE_TABLES
      ? html`${comparisons.map(oneComparison)}`
      : allComparisons(comparisons);
  return html`<p>${comparisonGuide(comparisons, level)}</p>
${tables}`;
}

function oneComparison(comparison: Comparison, index: number): Html {
  const id = `compare-${index}`;
  const { baseline, candidate, deltas } = comparison;
  const names = METRIC_NAMES.filter((name) => deltas[name] !== undefined);
  const head = html`<tr><th scope="col">Metric</th><th scope="col" class="number">${labelHtml(baseline)}</th><th scope="col" class="number">${labelHtml(candidate)}</th><th scope="col" class="number">Difference</th><th scope="col">Verdict</th></tr>`;
  const rows = names.map((name) => deltaRow(name, deltas[name] as Delta));
  return html`<h3 id="${id}-name">${labelHtml(candidate)} against ${labelHtml(baseline)}</h3>
<p class="note">${promptsText(comparison)}</p>
${scrollTable({ id, head, bodies: [html`<tbody>${rows}</tbody>`], full: true })}`;
}

function deltaRow(name: MetricName, delta: Delta): Html {
  const { title, unit, meaning } = METRICS[name];
  const numbers = [delta.baseline, delta.candidate].map((value) =>
    Number.isNaN(value)
      ? missingCell("not computed")
      : html`<td class="number" data-v="${value}">${formatNumber(value, unit)}</td>`,
  );
  return html`<tr><th scope="row" title="${meaning}">${title}</th>${numbers}${differenceCell(name, delta)}${verdictCell(name, delta)}</tr>\n`;
}

function differenceCell(name: MetricName, delta: Delta): Html {
  const { unit } = METRICS[name];
  if (Number.isNaN(delta.value)) return missingCell(delta.sentence);
  const interval = formatInterval(delta.low, delta.high, unit);
  return html`<td class="number" data-v="${delta.value}">${formatSigned(delta.value, unit)} <small>${interval}</small></td>`;
}

function verdictCell(name: MetricName, delta: Delta): Html {
  const { text, tone } = deltaVerdict(name, delta);
  const why =
    delta.verdict === "undetermined" && Number.isNaN(delta.low)
      ? html` <small>${delta.sentence}</small>`
      : null;
  return html`<td class="text"><span class="verdict ${tone}">${text}</span>${why}</td>`;
}

function allComparisons(comparisons: readonly Comparison[]): Html {
  return html`${comparedGroups(comparisons).map((group) => comparisonMatrix(group, comparisons))}`;
}

function comparisonMatrix({ id, title, names }: ComparedGroup, comparisons: readonly Comparison[]): Html {
  const heads = names.map(
    (name) =>
      html`<th scope="col" class="number" title="${METRICS[name].meaning}">Δ ${METRICS[name].title}</th>`,
  );
  const rows = comparisons.map(
    (comparison) =>
      html`<tr><th scope="row">${labelHtml(comparison.candidate)}</th><td class="text">${labelHtml(comparison.baseline)}</td>${promptsCell(comparison)}${names.map((name) => matrixCell(name, comparison.deltas[name]))}</tr>\n`,
  );
  const head = html`<tr><th scope="col">Candidate</th><th scope="col">Baseline</th><th scope="col" class="number">Shared prompts</th>${heads}</tr>`;
  return html`<h3 id="compare-${id}-name">${title}</h3>
${scrollTable({ id: `compare-${id}`, head, bodies: [html`<tbody>${rows}</tbody>`] })}`;
}

function promptsCell({ paired, prompts }: Comparison): Html {
  if (!paired) return missingCell("not paired");
  return html`<td class="number" data-v="${prompts.shared}">${formatCount(prompts.shared)}</td>`;
}

function matrixCell(name: MetricName, delta: Delta | undefined): Html {
  if (delta === undefined) return missingCell("not compared");
  if (Number.isNaN(delta.value)) return missingCell(delta.sentence);
  const { unit } = METRICS[name];
  const { text, tone } = deltaVerdict(name, delta);
  const interval = formatInterval(delta.low, delta.high, unit);
  return html`<td class="number" data-v="${delta.value}">${formatSigned(delta.value, unit)} <small>${interval}</small> <small class="verdict ${tone}">${text}</small></td>`;
}
