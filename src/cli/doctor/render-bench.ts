import type { BenchReport, BenchResult } from "./bench/bench-report.ts";
import { textTable } from "./text-table.ts";

const HEADER = ["", "threads", "logits", "computed", "ms", "least", "GB/s", "x memory read"];

/** What was timed, as the lines of a table. */
export function renderBench({ rows, vocab, rounds, floor, results, failures }: BenchReport): string[] {
  const how =
    floor === "wasm"
      ? "a WebAssembly loop that adds up all bytes"
      : "a loop over a typed array, on one thread";
  return [
    `Bench: ${rows} x ${vocab} logits in memory, medians of ${rounds} rounds in turns; memory read is ${how}`,
    ...textTable([HEADER, ...results.map(cells)], [1, 4, 5, 6, 7]),
    ...failures.map(({ engine, reason }) => `not timed: ${engine}: ${reason}`),
  ];
}

function cells(result: BenchResult): string[] {
  const { engine, threads, device, type, want, seconds, leastSeconds, bytesPerSecond, timesFloor } = result;
  return [
    device === "gpu" ? `${engine} (GPU)` : engine,
    threads === 0 ? "its own" : String(threads),
    type,
    want === null ? "" : want === "all" ? "log-prob, entropy, rank, argmax" : "log-prob",
    (seconds * 1000).toFixed(2),
    (leastSeconds * 1000).toFixed(2),
    (bytesPerSecond / 1e9).toFixed(2),
    timesFloor === null ? "" : timesFloor.toFixed(2),
  ];
}
