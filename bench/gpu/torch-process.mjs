// PyTorch in a process of its own, told what to compute call by call.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Null and a reason where it cannot be timed. */
export async function openTorch(python, device) {
  if (python === undefined) return { torch: null, problem: "no Python was given (--python PATH)" };
  const script = fileURLToPath(new URL("torch_logprobs.py", import.meta.url));
  const child = spawn(python, ["-B", script, String(device)], { stdio: ["pipe", "pipe", "pipe"] });
  let complaints = "";
  child.stderr.on("data", (text) => {
    complaints = `${complaints}${text}`.slice(-4000);
  });
  const ended = new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", () => resolve(complaints.trim().split("\n").at(-1) || "it ended"));
  });
  // A process that has ended takes no more lines; its end is told by `ended`.
  child.stdin.on("error", () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => {
    const { value, done } = await lines.next();
    if (done || value === undefined) throw new Error(`PyTorch: ${await ended}`);
    return JSON.parse(value);
  };
  const ask = (request) => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    return answer();
  };
  try {
    const { versions } = await answer();
    return { torch: { versions, ask, close: () => closeChild(child, ended) }, problem: null };
  } catch (error) {
    await closeChild(child, ended);
    return { torch: null, problem: error.message };
  }
}

async function closeChild(child, ended) {
  child.stdin.end();
  await ended;
}

/** What PyTorch does with the shape that it was told last, as contenders; none without PyTorch. */
export function torchContenders(torch, tasks) {
  if (torch === null) return {};
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      async () => {
        const { ms, wallMs } = await torch.ask({ run: task });
        return ms === null ? null : { ms, wallMs };
      },
    ]),
  );
}
