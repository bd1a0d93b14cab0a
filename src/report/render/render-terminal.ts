import type { Estimate, Evaluation, EvaluationSlice } from "../evaluation.ts";
import { formatCount, formatEstimate, formatNumber } from "../format-number.ts";
import { headline } from "./headline.ts";
import { type Sentence, sentenceText } from "./sentence.ts";
import { displayWidth, padded, plainLine, shortened } from "./terminal-text.ts";

/** Columns that a label takes at most. */
const LABEL_WIDTH = 32;
/** Up to this many flags are explained below the table. */
const FLAGS_EXPLAINED = 6;

/**
 * A report as plain text for a terminal: the headline, a line for every slice, the comparisons, the flags. Control
 * characters of labels are replaced, so that data cannot steer the terminal. Ends with a line feed.
 *
 * @example
 * ```ts
 * import { tableFromArrays } from "apache-arrow";
 * import { evaluateTable, renderTerminal } from "calibrant/report";
 * const table = tableFromArrays({ ppl: [1.1, 1.2, 2.5, 3.1], correct: Uint8Array.of(1, 1, 0, 1) });
 * const evaluation = await evaluateTable(table, { resamples: 100, permutations: 100 });
 * console.log(renderTerminal(evaluation).split("\n")[0]); // Does this policy know when it is wrong? …
 * ```
 */
export function renderTerminal(evaluation: Evaluation): string {
  const { question, answer, evidence, rows, comparisons } = headline(evaluation);
  const single = evaluation.slices.length < 2;
  const lines = [
    `${question} ${textOf(answer)}`,
    ...[...(single ? evidence : []), rows].map(textOf),
    "",
    ...table(evaluation),
    ...(comparisons.length === 0 ? [] : ["", ...comparisons.map(textOf)]),
    ...flagLines(evaluation),
    ...evaluation.notes.map((note) => `note: ${plainLine(note)}`),
  ];
  return `${lines.join("\n")}\n`;
}

function textOf(sentence: Sentence): string {
  return sentenceText(sentence, plainLine, (label) => labelText(label));
}

function labelText(label: string): string {
  return shortened(plainLine(label), LABEL_WIDTH) || "(empty)";
}

const HEAD = ["slice", "n", "accuracy", "IoU", "if same", "AUROC", "ECE", "if exact", "reward", "flags"];
const TEXT_COLUMNS: readonly number[] = [0, 9];

function table({ overall, slices }: Evaluation): string[] {
  const rows = [HEAD, ...[...slices, overall].map(rowOf)];
  const kept = HEAD.map((_, column) => column).filter(
    (column) => column === 0 || rows.slice(1).some((row) => !/^–?$/.test(row[column] as string)),
  );
  const widths = kept.map((column) => Math.max(...rows.map((row) => displayWidth(row[column] as string))));
  return rows.map((row) =>
    kept
      .map((column, k) => padded(row[column] as string, widths[k] as number, TEXT_COLUMNS.includes(column)))
      .join("  ")
      .trimEnd(),
  );
}

function rowOf(slice: EvaluationSlice): string[] {
  const { metrics, iouNull, reliability, flags } = slice;
  const value = ({ value }: Estimate, unit?: string): string => formatNumber(value, unit);
  return [
    labelText(slice.label),
    formatCount(slice.correct + slice.wrong),
    value(metrics.accuracy),
    formatEstimate(metrics.iou),
    formatNumber(iouNull.mean),
    value(metrics.auroc),
    value(metrics.ece),
    formatNumber(reliability.nullMean),
    value(metrics.reward, "reward"),
    flags.map(({ code }) => plainLine(code)).join(","),
  ];
}

function flagLines({ overall, slices }: Evaluation): string[] {
  const flagged = [...slices, overall].flatMap(({ label, flags }) =>
    flags.map(({ code, text }) => `${plainLine(code)}: ${labelText(label)}: ${plainLine(text)}`),
  );
  if (flagged.length === 0) return [];
  const rest = flagged.length - FLAGS_EXPLAINED;
  const more = rest > 0 ? [`and ${formatCount(rest)} more flags`] : [];
  return ["", ...flagged.slice(0, FLAGS_EXPLAINED), ...more];
}
