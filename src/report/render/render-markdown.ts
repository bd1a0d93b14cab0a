import type { Comparison, Delta, Evaluation, EvaluationSlice } from "../evaluation.ts";
import { formatCount, formatInterval, formatNumber, formatSigned, MISSING } from "../format-number.ts";
import { METRIC_NAMES, METRICS, type MetricName } from "../metric-info.ts";
import { type ComparedGroup, comparedGroups, comparisonGuide, promptsText } from "./comparison-text.ts";
import { deltaVerdict } from "./delta-verdict.ts";
import { type FigureGroup, firstFigures, furtherFigures } from "./figure-groups.ts";
import { headline } from "./headline.ts";
import { codeSpan, escapeMarkdown, fenced, linkTarget, tableRows } from "./markdown-text.ts";
import { definitions, methodFacts, SEPARATION_NOTE } from "./method-facts.ts";
import { type Sentence, sentenceText } from "./sentence.ts";
import { type Cell, type SliceTable, sliceTables } from "./slice-tables.ts";

/** Options of {@link renderMarkdown}. */
export interface RenderMarkdownOptions {
  /** Files of pictures, relative to the Markdown file, by the plot's id. Default: no pictures. */
  readonly plotFiles?: ReadonlyMap<string, string>;
}

/**
 * A report as GitHub-flavoured Markdown: the sentences and tables of the HTML page, and links to pictures when there are
 * files of them. Labels and other texts from the data are escaped.
 *
 * @example
 * ```ts
 * import { tableFromArrays } from "apache-arrow";
 * import { evaluateTable, renderMarkdown } from "calibrant/report";
 * const table = tableFromArrays({ ppl: [1.1, 1.2, 2.5, 3.1], correct: Uint8Array.of(1, 1, 0, 1) });
 * const evaluation = await evaluateTable(table, { resamples: 100, permutations: 100 });
 * const text = renderMarkdown(evaluation, { plotFiles: new Map([["distributions-0", "plots/distributions-0.png"]]) });
 * console.log(text.split("\n")[0], text.includes("](plots/distributions-0.png)")); // # Calibration report true
 * ```
 */
export function renderMarkdown(evaluation: Evaluation, options: RenderMarkdownOptions = {}): string {
  const { plotFiles = new Map<string, string>() } = options;
  const figures = (groups: readonly FigureGroup[]): string[] =>
    groups.flatMap((group) => figureBlocks(group, plotFiles));
  const blocks = [
    `# ${escapeMarkdown(evaluation.title)}`,
    ...headlineBlocks(evaluation),
    ...figures(firstFigures(evaluation.plots)),
    ...comparisonBlocks(evaluation),
    ...figures(furtherFigures(evaluation.plots)),
    "## Tables",
    ...sliceTables(evaluation).flatMap((table) => sliceTableBlocks(evaluation, table)),
    ...flagBlocks(evaluation),
    ...methodBlocks(evaluation),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function headlineBlocks(evaluation: Evaluation): string[] {
  const { question, answer, evidence, rows, flags, comparisons } = headline(evaluation);
  const list = [...comparisons, ...evidence, rows, ...flags].map((sentence) => `- ${markdownOf(sentence)}`);
  return [`## ${question}`, `**${sentenceText(answer, escapeMarkdown, escapeMarkdown)}**`, list.join("\n")];
}

function markdownOf(sentence: Sentence): string {
  return sentenceText(sentence, escapeMarkdown, (label) => `**${escapeMarkdown(label) || "(empty)"}**`);
}

function figureBlocks({ title, guide, plots }: FigureGroup, files: ReadonlyMap<string, string>): string[] {
  const pictures = plots.flatMap(({ id, description }) => {
    const file = files.get(id);
    return file === undefined ? [] : [`![${escapeMarkdown(description)}](${linkTarget(file)})`];
  });
  return pictures.length === 0 ? [] : [`## ${title}`, guide, ...pictures];
}

/** Up to this many comparisons get a table each; more share one with a row each. */
const SEPARATE_TABLES = 6;

function comparisonBlocks({ comparisons, level }: Evaluation): string[] {
  if (comparisons.length === 0) return [];
  const separate = comparisons.length <= SEPARATE_TABLES;
  const tables = separate
    ? comparisons.flatMap(oneComparison)
    : comparedGroups(comparisons).flatMap((group) => comparisonMatrix(group, comparisons));
  return ["## Compared with the baseline", comparisonGuide(comparisons, level), ...tables];
}

function comparisonMatrix({ title, names }: ComparedGroup, comparisons: readonly Comparison[]): string[] {
  const head = [
    "Candidate",
    "Baseline",
    "Shared prompts",
    ...names.map((name) => `Δ ${METRICS[name].title}`),
  ];
  const rows = comparisons.map(({ candidate, baseline, paired, prompts, deltas }) => [
    escapeMarkdown(candidate),
    escapeMarkdown(baseline),
    paired ? formatCount(prompts.shared) : MISSING,
    ...names.map((name) => deltaText(name, deltas[name])),
  ]);
  return [`### ${title}`, tableRows(head, `llr${"r".repeat(names.length)}`, rows)];
}

function deltaText(name: MetricName, delta: Delta | undefined): string {
  return delta === undefined ? MISSING : `${difference(name, delta)} ${deltaVerdict(name, delta).text}`;
}

function difference(name: MetricName, { value, low, high }: Delta): string {
  const { unit } = METRICS[name];
  return `${formatSigned(value, unit)} ${formatInterval(low, high, unit)}`.trim();
}

function oneComparison(comparison: Comparison): string[] {
  const { baseline, candidate, deltas } = comparison;
  const names = METRIC_NAMES.filter((name) => deltas[name] !== undefined);
  const rows = names.map((name) => deltaRow(name, deltas[name] as Delta));
  const [from, to] = [escapeMarkdown(baseline), escapeMarkdown(candidate)];
  return [
    `### ${to} against ${from}`,
    promptsText(comparison),
    tableRows(["Metric", from, to, "Difference", "Verdict"], "lrrrl", rows),
  ];
}

function deltaRow(name: MetricName, delta: Delta): string[] {
  const { title, unit } = METRICS[name];
  const why =
    delta.verdict === "undetermined" && Number.isNaN(delta.low) ? ` (${escapeMarkdown(delta.sentence)})` : "";
  return [
    title,
    formatNumber(delta.baseline, unit),
    formatNumber(delta.candidate, unit),
    difference(name, delta),
    `${deltaVerdict(name, delta).text}${why}`,
  ];
}

function sliceTableBlocks(evaluation: Evaluation, table: SliceTable): string[] {
  const { overall, slices, columns } = evaluation;
  const by = columns.by.length === 0 ? "Slice" : escapeMarkdown(columns.by.join(" / "));
  const row = (slice: EvaluationSlice): string[] => [
    escapeMarkdown(slice.label) || "(empty)",
    ...table.columns.map((column) => cellText(column.cell(slice))),
  ];
  const align = `l${table.columns.map(({ kind }) => (kind === "number" ? "r" : "l")).join("")}`;
  const head = [by, ...table.columns.map(({ title }) => title)];
  const omitted =
    table.omitted.length === 0 ? [] : [`Not in the table: ${escapeMarkdown(table.omitted.join("; "))}.`];
  const rows = table.columns.length === 0 ? [] : [tableRows(head, align, [overall, ...slices].map(row))];
  return [`### ${table.title}`, ...rows, ...omitted];
}

function cellText({ text, detail, missing }: Cell): string {
  if (missing !== null) return `${MISSING} (${escapeMarkdown(missing)})`;
  return escapeMarkdown(detail === "" ? text : `${text} ${detail}`);
}

function flagBlocks({ overall, slices, notes }: Evaluation): string[] {
  const remarks = notes.map((note) => `- ${escapeMarkdown(note)}`);
  const flags = [overall, ...slices].flatMap(({ label, flags }) =>
    flags.map(
      ({ code, text }) => `- ${codeSpan(code)} **${escapeMarkdown(label)}**: ${escapeMarkdown(text)}`,
    ),
  );
  if (remarks.length + flags.length === 0) return [];
  return ["## Flags and notes", [...remarks, ...flags].join("\n")];
}

function methodBlocks(evaluation: Evaluation): string[] {
  const { command } = evaluation;
  const facts = methodFacts(evaluation).map(({ name, value }) => `- ${name}: ${escapeMarkdown(value)}`);
  const rows = definitions(evaluation).map(({ name, title, meaning, unit, better }) => [
    title,
    codeSpan(name),
    escapeMarkdown(meaning),
    unit,
    better ?? "neither",
  ]);
  return [
    "## How this was computed",
    SEPARATION_NOTE,
    ...(command === null ? [] : ["The same report again:", fenced(command)]),
    facts.join("\n"),
    "### Definitions",
    tableRows(["Metric", "Name in JSON", "What it is", "Unit", "Better"], "lllll", rows),
  ];
}
