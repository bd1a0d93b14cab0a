// Trains a small simulated policy with three rewards and writes docs/images/trust-training.svg and the tables of
// docs/trust-training.md. A minute or two on two cores, after `npm run build`:
//
//   node examples/trust-training/run.mjs
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { drawTraining } from "./plot.mjs";
import { SEEDS } from "./settings.mjs";
import { tables } from "./tables.mjs";

const PAGE = fileURLToPath(new URL("../../docs/trust-training.md", import.meta.url));
const ASSETS = new URL("../../docs/images/", import.meta.url);
const MARKERS = /(<!-- numbers: begin[^>]*-->\n)[\s\S]*(<!-- numbers: end -->)/;

const results = await runSeeds(Array.from({ length: SEEDS }, (_, i) => i + 1));
mkdirSync(ASSETS, { recursive: true });
writeFileSync(new URL("trust-training.svg", ASSETS), `${await drawTraining(results)}\n`);
const text = tables(results);
const page = readFileSync(PAGE, "utf8");
if (!MARKERS.test(page)) throw new Error(`${PAGE} has no markers between which the numbers belong`);
writeFileSync(
  PAGE,
  page.replace(MARKERS, (_, begin, end) => `${begin}\n${text}\n${end}`),
);
process.stdout.write(`${text}\n`);
process.stderr.write("wrote docs/images/trust-training.svg and the tables of docs/trust-training.md\n");

/** Results by seed, in order; seeds are spread over the cores. */
async function runSeeds(seeds) {
  const waiting = [...seeds];
  const results = new Map();
  const work = async () => {
    const worker = new Worker(new URL("worker.mjs", import.meta.url));
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      worker.postMessage(seed);
      const [result] = await once(worker, "message");
      results.set(seed, result);
      process.stderr.write(`${results.size} of ${seeds.length} seeds done\n`);
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), seeds.length) }, work));
  return seeds.map((seed) => results.get(seed));
}
