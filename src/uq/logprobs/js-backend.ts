import { CalibrantError } from "../../errors.ts";
import { type CheckedWant, checkHiddenJob, checkLogitsJob, SKIPPED_TARGET } from "./check-log-prob-input.ts";
import { bfloat16Values, float16Values } from "./half-floats.ts";
import { scoreRow } from "./js/score-row.ts";
import { type HalfTable, projectedRows, type ReadRow, storedRows } from "./js/stored-rows.ts";
import type { LogProbBackend, LogProbColumns } from "./log-prob-backend.ts";
import { closeColumns, openColumns } from "./log-prob-columns.ts";

/** Numbers that are worked through before others get their turn, and before an abort is looked for. */
const PIECE = 2 ** 19;

/**
 * The back end in plain JavaScript: float64 throughout, errors of about 1e-12 nats, on one thread. It runs anywhere, on
 * logits and hidden states in the memory of the computer, and gives way to other work between pieces of rows.
 */
export function createJsBackend(): LogProbBackend {
  let disposed = false;
  const table = keptTables();
  const checkOpen = (): void => {
    if (disposed) throw new CalibrantError("option", "the log-prob back end is disposed");
  };
  const goOn = async (signal: AbortSignal | undefined): Promise<void> => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    checkOpen();
  };
  return {
    name: "js",
    device: "cpu",
    info: { threads: 1, detail: "JavaScript float64", tolerance: 1e-9 },
    async score(block, ids, wanted, signal) {
      checkOpen();
      const { logits, scale, targets, want } = checkLogitsJob(block, ids, wanted);
      signal?.throwIfAborted();
      const read = storedRows("logits", logits, table);
      const { columns: vocab } = logits;
      return scoreRows({ read, vocab, scale, targets, want, cost: vocab }, () => goOn(signal));
    },
    async scoreHidden(block, head, ids, wanted, signal) {
      checkOpen();
      const job = checkHiddenJob(block, head, ids, wanted);
      signal?.throwIfAborted();
      const { scale, targets, want } = job;
      const { rows: vocab, columns: width } = job.weights;
      const read = projectedRows(job, table);
      return scoreRows({ read, vocab, scale, targets, want, cost: vocab * width }, () => goOn(signal));
    },
    async dispose() {
      disposed = true;
    },
  };
}

/** Tables of 16-bit values, made when first asked for. */
function keptTables(): HalfTable {
  const kept = new Map<string, Float64Array>();
  return (type) => {
    const values = kept.get(type) ?? (type === "float16" ? float16Values() : bfloat16Values());
    kept.set(type, values);
    return values;
  };
}

interface RowsToScore {
  readonly read: ReadRow;
  readonly vocab: number;
  readonly scale: number;
  readonly targets: Int32Array;
  readonly want: CheckedWant;
  /** Numbers that one row takes. */
  readonly cost: number;
}

async function scoreRows(
  { read, vocab, scale, targets, want, cost }: RowsToScore,
  goOn: () => Promise<void>,
): Promise<LogProbColumns> {
  const columns = openColumns(targets.length, want);
  const logits = new Float64Array(vocab);
  let done = 0;
  for (let row = 0; row < targets.length; row++) {
    const target = targets[row] as number;
    if (target === SKIPPED_TARGET) continue;
    if (done >= PIECE) {
      await goOn();
      done = 0;
    }
    read(row, logits);
    scoreRow(logits, scale, target, row, columns);
    done += cost;
  }
  return closeColumns(columns);
}
