// Checks the back end cuda on the GPU of this machine against float64, looks for leaks, times it, and writes gpu.json and gpu.md to a
// folder:
//
//   npm ci && npm run build && node bench/gpu/check-gpu.mjs OUT
//
// Options: --python PATH (one with PyTorch for CUDA, timed beside it), --driver PATH and --cublas PATH (libraries that are elsewhere),
// --device N, --date TEXT (written to the table), --quick (tiny shapes: to try the script), --no-timings. Ends with 0 when all checks
// pass and when there is no GPU, which it says; the aims for speed are told and do not count.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { probeCuda } from "../../dist/uq/logprobs/cuda/probe-cuda.js";
import { createCudaBackend } from "../../dist/uq/logprobs/cuda-backend.js";
import { aimsOf } from "./aims.mjs";
import { runChecks } from "./checks.mjs";
import { markdown } from "./markdown.mjs";
import { checkMemory } from "./memory.mjs";
import { runTimings } from "./timings.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: "string" },
    driver: { type: "string" },
    cublas: { type: "string" },
    device: { type: "string", default: "0" },
    date: { type: "string" },
    quick: { type: "boolean", default: false },
    "no-timings": { type: "boolean", default: false },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error(
    "usage: node bench/gpu/check-gpu.mjs OUT [--python PATH] [--driver LIB] [--cublas LIB] [--device N] [--date TEXT] [--quick] [--no-timings]",
  );
  process.exit(2);
}
const { driver, cublas, python, date = null, quick: isQuick } = values;
const device = Number(values.device);
const libraries = { ...(driver !== undefined && { driver }), ...(cublas !== undefined && { cublas }) };
process.exitCode = await main();

async function main() {
  const probe = await probeCuda(libraries);
  if (driver !== undefined && !probe.driver.found) {
    console.error(`--driver: ${probe.driver.problem}`);
    return 1;
  }
  if (probe.devices.length === 0) {
    console.log(
      `skipped: no CUDA device (${probe.koffi.problem ?? probe.driver.problem ?? "none is shown"})`,
    );
    return 0;
  }
  const gpu = probe.devices[device];
  if (gpu === undefined) {
    console.error(`--device must be from 0 to ${probe.devices.length - 1}, got ${values.device}`);
    return 2;
  }
  const result = await measure(gpu, probe);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "gpu.json"), `${JSON.stringify(result, spelled, 2)}\n`);
  const text = markdown(result);
  writeFileSync(join(folder, "gpu.md"), text);
  console.log(text);
  return result.checks.every(({ passed }) => passed) ? 0 : 1;
}

async function measure(gpu, probe) {
  console.log(`${gpu.name}, driver for CUDA ${probe.driver.version}`);
  const checks = [];
  const hasCublas = await startCublas(probe, checks);
  const options = { libraries, device, isQuick, python, hasCublas };
  checks.push(...((await attempt("scores", () => runChecks(options), checks)) ?? []));
  checks.push(...((await attempt("memory", () => checkMemory(options), checks)) ?? []));
  const timings = values["no-timings"] ? null : await attempt("timings", () => runTimings(options), checks);
  const failed = checks.filter(({ passed }) => !passed);
  for (const check of failed) console.log("FAILED", JSON.stringify(check, spelled));
  console.log(`${checks.length - failed.length} of ${checks.length} checks passed`);
  return {
    gpu,
    driver: probe.driver.version,
    cublas: probe.cublas.version,
    node: process.version,
    date,
    quick: isQuick,
    checks,
    timings,
    aims: timings === null ? [] : aimsOf(timings, isQuick),
  };
}

/** Whether hidden states can be scored. Without cuBLAS that is left out; one that is there must start. */
async function startCublas({ cublas: found }, checks) {
  if (!found.found) {
    console.log(`skipped: hidden states (${found.problem})`);
    return false;
  }
  const started = await attempt(
    "start of cuBLAS",
    async () => {
      const backend = await createCudaBackend({ device, ...libraries });
      await backend.checkHidden().finally(() => backend.dispose());
      return true;
    },
    checks,
  );
  return started ?? false;
}

/** What the work gives; null when it fails, which is a check that did not pass: what was found before is still written. */
async function attempt(what, work, checks) {
  try {
    return await work();
  } catch (error) {
    checks.push({ what: `problem: ${what}`, problem: String(error), passed: false });
    return null;
  }
}

/** JSON has no infinities: an infinite error would read as none. */
function spelled(_name, value) {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}
