import { errorMessage } from "../../../errors.ts";
import type { BenchAnswer, BenchEngine, BenchOpened, BenchOrder } from "./bench-messages.ts";
import { type BenchInputs, benchInputs, openTimed, type TimedEngine } from "./timed-engine.ts";

/** The engines of this process, in the order in which they were asked for; null for one that could not be opened. */
let engines: readonly (TimedEngine | null)[] = [];
let shape = { rows: 0, vocab: 0 };

async function opened(engine: BenchEngine): Promise<[TimedEngine | null, BenchOpened]> {
  try {
    const timed = await openTimed(engine);
    return [timed, { device: timed.device, detail: timed.detail, failure: null }];
  } catch (error) {
    return [null, { device: "cpu", detail: "", failure: errorMessage(error) }];
  }
}

/** The engine, or one whose runs all fail with the reason. */
async function fillOne(engine: TimedEngine, inputs: BenchInputs): Promise<TimedEngine> {
  try {
    await engine.fill(inputs);
    return engine;
  } catch (error) {
    return { ...engine, run: () => Promise.reject(error) };
  }
}

async function obey(order: BenchOrder): Promise<BenchAnswer> {
  if (order.type === "open") {
    shape = order;
    const all: [TimedEngine | null, BenchOpened][] = [];
    for (const engine of order.engines) all.push(await opened(engine));
    engines = all.map(([timed]) => timed);
    return { type: "opened", engines: all.map(([, info]) => info) };
  }
  if (order.type === "fill") {
    const inputs = benchInputs(order.as, shape.rows, shape.vocab);
    const filled: (TimedEngine | null)[] = [];
    for (const engine of engines) filled.push(engine === null ? null : await fillOne(engine, inputs));
    engines = filled;
    return { type: "filled" };
  }
  const engine = engines[order.engine] ?? null;
  if (engine === null) return { type: "failed", reason: "was not opened" };
  return { type: "ran", seconds: await engine.run(order.buffer, order.want) };
}

process.on("message", (order: BenchOrder) => {
  void obey(order)
    .catch((error: unknown): BenchAnswer => ({ type: "failed", reason: errorMessage(error) }))
    .then((answer) => process.send?.(answer));
});
// Threads and native libraries may keep the process alive.
process.on("disconnect", () => process.exit(0));
