import { parentPort } from "node:worker_threads";
import { runSeed } from "./experiment.mjs";
import { SETTINGS, VARIATION_SEEDS, VARIATIONS } from "./settings.mjs";

parentPort.on("message", (seed) => {
  parentPort.postMessage(runSeed(seed, SETTINGS, seed <= VARIATION_SEEDS ? VARIATIONS : []));
});
