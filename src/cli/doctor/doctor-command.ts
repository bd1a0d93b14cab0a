import { availableParallelism } from "node:os";
import { errorMessage } from "../../errors.ts";
import { indentedJson } from "../../report/render/indented-json.ts";
import { startBenchHost } from "./bench/bench-host.ts";
import type { BenchReport } from "./bench/bench-report.ts";
import { benchGroups, runBench } from "./bench/run-bench.ts";
import type { DoctorReport } from "./doctor-report.ts";
import { gatherReport } from "./gather-report.ts";
import { renderDoctor } from "./render-doctor.ts";

/** What `calibrant doctor` is asked. */
export interface DoctorOptions {
  readonly json: boolean;
  readonly bench: boolean;
  readonly rounds: number;
  /** Null: as many as run at once. */
  readonly threads: number | null;
  readonly timeoutMs: number;
}

/** The shape that is timed: a batch of 256 positions over the vocabulary of Llama 2. */
const SHAPE = { rows: 256, vocab: 32_000 } as const;

/** Runs `calibrant doctor`. */
export async function doctorCommand(options: DoctorOptions): Promise<void> {
  const found = await gatherReport(options.timeoutMs);
  const report: DoctorReport = options.bench ? { ...found, bench: await bench(found, options) } : found;
  process.stdout.write(options.json ? indentedJson(report, 2) : renderDoctor(report));
}

async function bench(
  { wasm, tfjs, cuda }: DoctorReport,
  { rounds, threads, timeoutMs }: DoctorOptions,
): Promise<BenchReport> {
  const plan = {
    ...SHAPE,
    rounds,
    floor: wasm.simd && wasm.threads ? "wasm" : "typed-array",
    groups: benchGroups(threads ?? availableParallelism(), {
      wasm: wasm.variant !== null,
      tfjs: tfjs.some(({ loads }) => loads),
      cuda: cuda.usable,
    }),
  } as const;
  try {
    return await runBench(plan, () => startBenchHost(timeoutMs), showRound);
  } catch (error) {
    const { groups: _groups, ...rest } = plan;
    return { ...rest, results: [], failures: [{ engine: "all", reason: errorMessage(error) }] };
  }
}

/** On a terminal only, one line that is written over. */
function showRound(done: number, all: number): void {
  if (process.stderr.isTTY !== true) return;
  process.stderr.write(done < all ? `\r\x1b[Ktiming: round ${done} of ${all}` : "\r\x1b[K");
}
