// Runs a command as a process of its own and says how long it took and how much memory it needed.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";

const TIME = "/usr/bin/time";

/**
 * @returns {Promise<{ seconds: number, peakMiB: number | null }>} wall time, and peak resident memory where the system
 *   tells: GNU time, else the high-water mark of /proc read every 20 ms, else null. Without `memory` nothing stands
 *   between the clock and the process.
 */
export async function measure(command, args, { memory = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "calibrant-bench-"));
  const note = join(folder, "time");
  const timed = memory && process.platform === "linux" && existsSync(TIME);
  try {
    const started = performance.now();
    const polled = timed
      ? await finished(TIME, ["-f", "%M", "-o", note, command, ...args])
      : await finished(command, args);
    const seconds = (performance.now() - started) / 1000;
    const kib = timed ? Number(readFileSync(note, "utf8").trim().split("\n").pop()) : polled;
    return { seconds, peakMiB: kib === null ? null : kib / 1024 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits for a process; the largest VmHWM seen, in KiB, or null. Fails with the process's own words. */
function finished(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"] });
    let peak = null;
    let words = "";
    const poll = setInterval(() => {
      peak = Math.max(peak ?? 0, highWaterMark(child.pid) ?? 0) || null;
    }, 20);
    child.stderr.setEncoding("utf8").on("data", (text) => {
      words = (words + text).slice(-4000);
    });
    child.on("error", reject);
    child.on("close", (status) => {
      clearInterval(poll);
      if (status === 0) resolve(peak);
      else reject(new Error(`${[command, ...args].join(" ")} ended with ${status}: ${words.trim()}`));
    });
  });
}

function highWaterMark(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return null;
  }
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** The machine, for the record of a result. */
export function machine() {
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch}`,
    node: process.version,
  };
}
