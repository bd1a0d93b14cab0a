// Preloaded with `node --import`: prints the address of every module that is loaded afterwards, one a line.
import Module, { register } from "node:module";

const hook = `
import { writeSync } from "node:fs";
export async function load(url, context, nextLoad) {
  writeSync(1, url + "\\n");
  return nextLoad(url, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

// What CommonJS loads through require() does not pass the hook.
process.on("exit", () => {
  for (const path of Object.keys(Module._cache)) console.log(path);
});
