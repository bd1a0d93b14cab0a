import { errorMessage } from "../../errors.ts";
import type { ProbeMessage, ProbeName } from "./run-probe.ts";

/** Sends a message and waits until it is out: what follows may take the process down. */
function send(message: ProbeMessage): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, undefined, {}, () => resolve());
  });
}

async function loadAll(names: readonly string[]): Promise<void> {
  for (const name of names) {
    await send({ type: "loading", name });
    const reason = await import(name).then(() => null, errorMessage);
    await send({ type: "loaded", name, reason });
  }
}

/** What `auto` picks, for each kind of work. */
async function pickAll(): Promise<unknown> {
  const { createLogProbEngine } = await import("../../uq/logprobs/create-log-prob-engine.ts");
  const engine = await createLogProbEngine();
  const picked: Record<string, unknown> = {};
  for (const work of ["logits", "hidden"] as const) {
    const { name, device, info } = await engine.pick(work);
    picked[work] = { backend: name, device, detail: info.detail };
  }
  await engine.dispose();
  return picked;
}

async function find(probe: ProbeName): Promise<unknown> {
  if (probe === "cuda") return (await import("../../uq/logprobs/cuda/probe-cuda.ts")).probeCuda();
  return pickAll();
}

async function probeOnce(probe: ProbeName, names: readonly string[]): Promise<void> {
  try {
    if (probe === "packages") await loadAll(names);
    else await send({ type: "found", value: await find(probe) });
  } catch (error) {
    await send({ type: "failed", reason: errorMessage(error) });
  }
  // Native libraries may keep threads alive.
  process.exit(0);
}

process.on("disconnect", () => process.exit(1));
const [, , probe, ...names] = process.argv;
void probeOnce(probe as ProbeName, names);
