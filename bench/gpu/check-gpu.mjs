// Checks the back end cuda on the GPU of this machine against float64, times it, and writes gpu.json and gpu.md to a folder:
//
//   npm ci && npm run build && node bench/gpu/check-gpu.mjs OUT
//
// Options: --device N, --driver PATH and --cublas PATH (libraries that are elsewhere), --python PATH (default python3; PyTorch with
// CUDA is timed where it is), --small (few rows: to try the script), --no-timings.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { probeCuda } from "../../dist/uq/logprobs/cuda/probe-cuda.js";
import { runChecks } from "./checks.mjs";
import { markdown } from "./markdown.mjs";
import { runTimings } from "./timings.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    device: { type: "string", default: "0" },
    driver: { type: "string" },
    cublas: { type: "string" },
    python: { type: "string", default: "python3" },
    small: { type: "boolean", default: false },
    "no-timings": { type: "boolean", default: false },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error(
    "usage: node bench/gpu/check-gpu.mjs OUT [--device N] [--driver PATH] [--cublas PATH] [--small]",
  );
  process.exit(2);
}
const { driver, cublas, small: isSmall } = values;
const device = Number(values.device);
const libraries = { ...(driver !== undefined && { driver }), ...(cublas !== undefined && { cublas }) };

const probe = await probeCuda(libraries);
const gpu = probe.devices[device];
if (gpu === undefined) {
  console.error(`no GPU ${device}: ${probe.driver.problem ?? probe.koffi.problem ?? "there are fewer"}`);
  process.exit(1);
}
console.log(
  `${gpu.name}, driver CUDA ${probe.driver.version}, cuBLAS ${probe.cublas.version ?? probe.cublas.problem}`,
);

const options = { driver, cublas, device, isSmall };
const checks = await runChecks(options);
const failed = checks.filter(({ passed }) => !passed);
for (const check of failed) console.log("FAILED", JSON.stringify(check));
console.log(`${checks.length - failed.length} of ${checks.length} checks passed`);
const timings = values["no-timings"] ? null : await runTimings(options);
const torch = timings === null ? null : timeTorch(values.python, timings);

const result = {
  gpu,
  driver: probe.driver.version,
  cublas: probe.cublas.version,
  node: process.version,
  checks,
  timings,
  torch,
};
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "gpu.json"), `${JSON.stringify(result, null, 2)}\n`);
const text = markdown(result);
writeFileSync(join(folder, "gpu.md"), text);
console.log(text);
process.exit(failed.length === 0 ? 0 : 1);

/** What PyTorch takes for the same shapes; a reason in words where it is not here. */
function timeTorch(python, { logits, hidden }) {
  const shapes = {
    logits: logits.map(({ rows, vocab, type }) => ({ rows, vocab, type })),
    hidden: { rows: hidden.rows, width: hidden.width, vocab: hidden.vocab },
  };
  const script = fileURLToPath(new URL("torch_logprobs.py", import.meta.url));
  const { status, stdout, stderr, error } = spawnSync(python, [script], {
    input: JSON.stringify(shapes),
    encoding: "utf8",
  });
  if (status !== 0)
    return {
      problem: String(error ?? stderr)
        .trim()
        .split("\n")
        .at(-1),
    };
  return JSON.parse(stdout);
}
