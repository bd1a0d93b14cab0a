// Runs the modules named on the command line in order and prints, as JSON, what each printed where it expects
// something: [{ printed, error }]. Other output of the examples is dropped.
import { pathToFileURL } from "node:url";
import { format } from "node:util";

const runs = [];
console.log = () => {};

for (const file of process.argv.slice(2)) {
  const printed = [];
  globalThis.printed =
    (index) =>
    (...values) => {
      const text = format(...values);
      printed[index] = printed[index] === undefined ? text : `${printed[index]}\n${text}`;
    };
  let error = null;
  try {
    await import(pathToFileURL(file).href);
  } catch (thrown) {
    error = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  }
  runs.push({ printed: Array.from(printed, (text) => text ?? ""), error });
}

process.stdout.write(`\n${JSON.stringify({ runs })}`);
