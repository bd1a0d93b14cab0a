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
  writeFileSync(join(folder, "gpu.json"), `${JSON.stringify(result, null, 2)}\n`);
  const text = markdown(result);
  writeFileSync(join(folder, "gpu.md"), text);
  console.log(text);
  return result.checks.every(({ passed }) => passed) ? 0 : 1;
}

async function measure(gpu, probe) {
  const hasCublas = probe.cublas.found;
  console.log(`${gpu.name}, driver for CUDA ${probe.driver.version}`);
  if (!hasCublas) console.log(`skipped: hidden states (${probe.cublas.problem})`);
  const options = { libraries, device, isQuick, python, hasCublas };
  const checks = [...(await runChecks(options)), ...(await checkMemory(options))];
  const failed = checks.filter(({ passed }) => !passed);
  for (const check of failed) console.log("FAILED", JSON.stringify(check));
  console.log(`${checks.length - failed.length} of ${checks.length} checks passed`);
  const timings = values["no-timings"] ? null : await runTimings(options);
  const aims = timings === null ? [] : aimsOf(timings);
  return {
    gpu,
    driver: probe.driver.version,
    cublas: probe.cublas.version,
    node: process.version,
    date,
    quick: isQuick,
    checks,
    timings,
    aims,
  };
}
