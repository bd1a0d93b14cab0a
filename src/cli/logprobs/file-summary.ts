import type { ListResult } from "../../data/columns.ts";
import { grown } from "../../math/growable.ts";
import { type CorpusPerplexity, corpusPerplexity } from "../../uq/corpus-perplexity.ts";
import type { LogProbBackend } from "../../uq/logprobs/log-prob-backend.ts";
import { perplexity } from "../../uq/perplexity.ts";
import { exactNumber } from "../score/print-summary.ts";
import type { SpooledRows } from "./row-spool.ts";

/** What a run over files of tensors did, as `--json` prints it. */
export interface FileSummary {
  readonly rows: number;
  /** Tokens with a log-prob, those of rows that an earlier run scored included. */
  readonly tokens: number;
  /** Tokens with target -100, left out. */
  readonly skipped: number;
  /** Tokens whose logits are NaN, +Infinity, or all -Infinity: null in the output. */
  readonly notFinite: number;
  /** -Σ ln p / Σ n in nats, over rows with a perplexity. */
  readonly meanNll: number;
  readonly ppl: Omit<CorpusPerplexity, "bitsPerByte">;
  readonly backend: string;
  readonly device: string;
  readonly detail: string;
  readonly threads: number;
  readonly temperature: number;
  readonly shift: boolean;
  /** Rows that an earlier run had scored. */
  readonly resumedRows: number;
  readonly seconds: number;
  /** Of this run. */
  readonly tokensPerSecond: number;
}

/** Gathers the counts and perplexities of all rows. */
export interface FileTally {
  add(rows: SpooledRows): void;
  finish(): Pick<FileSummary, "rows" | "tokens" | "skipped" | "notFinite" | "meanNll" | "ppl">;
}

/** @param column - the name of the column of log-probs. */
export function createFileTally(column: string): FileTally {
  let n = new Int32Array(0);
  let sumLogprob = new Float64Array(0);
  let nll = new Float64Array(0);
  let ppl = new Float64Array(0);
  let rows = 0;
  let skipped = 0;
  let notFinite = 0;
  let positions = 0;
  return {
    add({ columns, notes }) {
      const { values, offsets } = columns.find(({ name }) => name === column) as ListResult;
      const found = perplexity(values, offsets);
      const end = rows + notes.length;
      n = grown(n, end);
      sumLogprob = grown(sumLogprob, end);
      nll = grown(nll, end);
      ppl = grown(ppl, end);
      n.set(found.n, rows);
      sumLogprob.set(found.sumLogprob, rows);
      nll.set(found.nll, rows);
      ppl.set(found.ppl, rows);
      rows = end;
      positions += values.length;
      for (const note of notes) {
        skipped += Number(note?.skipped ?? 0);
        notFinite += Number(note?.notFinite ?? 0);
      }
    },
    finish() {
      const { bitsPerByte: _, ...corpus } = corpusPerplexity({
        n: n.subarray(0, rows),
        sumLogprob: sumLogprob.subarray(0, rows),
        nll: nll.subarray(0, rows),
        ppl: ppl.subarray(0, rows),
      });
      const meanNll = meanOf(n, sumLogprob, ppl, rows);
      return { rows, tokens: positions - notFinite, skipped, notFinite, meanNll, ppl: corpus };
    },
  };
}

function meanOf(n: Int32Array, sumLogprob: Float64Array, ppl: Float64Array, rows: number): number {
  let tokens = 0;
  let sum = 0;
  for (let row = 0; row < rows; row += 1) {
    if (Number.isNaN(ppl[row])) continue;
    tokens += n[row] as number;
    sum += sumLogprob[row] as number;
  }
  return -sum / tokens;
}

/** What computed, for summaries. */
export function backendFacts({
  name,
  device,
  info,
}: LogProbBackend): Pick<FileSummary, "backend" | "device" | "detail" | "threads"> {
  return { backend: name, device, detail: info.detail, threads: info.threads };
}

/** Prints a summary: as JSON on standard output, or for people on standard error. */
export function printFileSummary(
  summary: FileSummary,
  { json, quiet, output }: { readonly json: boolean; readonly quiet: boolean; readonly output?: string },
): void {
  if (json) {
    const text = `${JSON.stringify(summary, exactNumber, 2)}\n`;
    (output === "-" ? process.stderr : process.stdout).write(text);
  } else if (!quiet) process.stderr.write(renderFileSummary(summary));
}

/** The summary as a few lines for people. */
export function renderFileSummary(summary: FileSummary): string {
  const { rows, tokens, skipped, notFinite, meanNll, ppl, backend, device, detail, threads } = summary;
  const cpu = threads > 0 ? `, ${threads} ${threads === 1 ? "thread" : "threads"}` : "";
  return [
    `${count(rows)} rows, ${count(tokens)} tokens, ${count(Math.round(summary.tokensPerSecond))} tokens/s`,
    `skipped (-100): ${count(skipped)}; logits not finite: ${count(notFinite)}`,
    `mean NLL: ${meanNll.toFixed(6)} nats`,
    `perplexity: token-weighted ${ppl.tokenWeighted.toFixed(4)}, geometric mean ${ppl.geoMean.toFixed(4)}, arithmetic mean ${ppl.arithMean.toFixed(4)}; rows without one: ${count(ppl.excluded)}`,
    `back end: ${backend} on the ${device === "gpu" ? "GPU" : "CPU"} (${detail}${cpu})`,
    ...(summary.resumedRows > 0 ? [`rows of an interrupted run: ${count(summary.resumedRows)}`] : []),
    "",
  ].join("\n");
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
