// Calibrant's metrics of ToolFault-Bench on the files of bench/benchmarks.mjs: node bench/benchmarks-kernel.mjs FOLDER
import { readFileSync } from "node:fs";
import { tableFromIPC } from "apache-arrow";
import { toolFaultMetricsFromTable } from "../dist/metrics/index.js";
import { median } from "./measure.mjs";

const REPEATS = 3;
const [folder] = process.argv.slice(2);
const predictions = tableFromIPC(readFileSync(`${folder}/predictions.arrow`));
const items = tableFromIPC(readFileSync(`${folder}/items.arrow`))
  .toArray()
  .map((row) => row.toJSON())
  .map((row) => ({
    ...row,
    acceptable_next_actions: [...row.acceptable_next_actions],
    critical_next_actions: [...row.critical_next_actions],
  }));

const run = () =>
  toolFaultMetricsFromTable(predictions, items, {
    repeat: ["sample"],
    by: ["domain", "difficulty"],
    resamples: 0,
  });

let result = await run();
const seconds = [];
for (let round = 0; round < REPEATS; round += 1) {
  const started = performance.now();
  result = await run();
  seconds.push((performance.now() - started) / 1000);
}
const peakMiB = process.resourceUsage().maxRSS / 1024;
const [answers] = result.runs;
const { missing } = answers.overall;
process.stdout.write(
  JSON.stringify({ seconds: median(seconds), answer: answerOf(answers), missing, peakMiB }),
);

/** The value of every metric, overall and by slice, named as the Python programs name them. */
function answerOf({ overall, slices }) {
  const values = ({ metrics }) =>
    Object.fromEntries(Object.entries(metrics).map(([name, { value }]) => [name, value]));
  const named = slices.map((slice) => [`${slice.columns[0]}=${slice.values[0]}`, values(slice)]);
  return { overall: values(overall), ...Object.fromEntries(named) };
}
