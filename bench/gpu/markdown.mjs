// The tables of a run on a GPU.
import { bestOfTorch, ratesOf } from "./aims.mjs";
import { TYPES } from "./checks.mjs";

/** Markdown with the card's name, the worst errors, the times and their ratios. */
export function markdown({ gpu, driver, cublas, node, date, quick, checks, timings, aims }) {
  const passed = checks.filter(({ passed }) => passed).length;
  const facts = [
    `compute capability ${gpu.computeCapability}`,
    `${(gpu.memoryBytes / 2 ** 30).toFixed(0)} GiB`,
    `driver for CUDA ${driver}`,
    cublas === null ? "no cuBLAS" : `cuBLAS ${cublas}`,
    `Node ${node}`,
    ...(date === null ? [] : [date]),
  ];
  const lines = [
    `# ${gpu.name}`,
    "",
    `${facts.join(", ")}.`,
    ...(quick ? ["", "Tiny shapes (`--quick`): the times say nothing."] : []),
    "",
    `${passed} of ${checks.length} checks passed.`,
    "",
    ...errorTable(checks),
    "",
    ...memoryLines(checks),
    ...checks
      .filter(({ problem }) => problem !== undefined)
      .map(({ what, problem }) => `- ${what}: ${problem}`),
  ];
  if (timings !== null) lines.push("", ...timingLines(timings, aims));
  return `${lines.join("\n")}\n`;
}

function errorTable(checks) {
  const row = (name, some) =>
    some.length === 0
      ? `| ${name} | not checked | | |`
      : `| ${name} | ${worst(some, "logprob")} | ${worst(some, "entropy")} | ${some.reduce((sum, { wrong }) => sum + wrong, 0)} |`;
  const of = (kind, type) => checks.filter(({ what, type: found }) => what === kind && found === type);
  return [
    "| against float64 | worst log-prob error | worst entropy error | wrong ranks, ids, statuses |",
    "|---|---|---|---|",
    ...TYPES.map((type) => row(`logits, ${type}`, of("logits", type))),
    ...TYPES.map((type) => row(`hidden states, ${type}`, of("hidden", type))),
  ];
}

function worst(checks, name) {
  return Math.max(0, ...checks.map((check) => check[name])).toExponential(1);
}

function memoryLines(checks) {
  return checks
    .filter(({ what }) => what.startsWith("memory"))
    .map(({ what, lost }) => `- ${what}: ${lost === null ? "not known" : `${lost} bytes less are free`}`);
}

function timingLines(timings, aims) {
  const { torch, torchProblem, rounds, logits, hidden, leftOut } = timings;
  return [
    `Logits on the device, milliseconds, medians of ${rounds} interleaved rounds. The copy's traffic is what it reads and writes; kernels only read. Copy, kernels and PyTorch by the device's clock, calls by the host's.`,
    "",
    "| logits | copy | GB/s | log-prob | GB/s | of the copy | with entropy, rank, argmax | PyTorch's best | its way | ratio | PyTorch, all | ratio |",
    "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ...logits.map(logitsRow),
    "",
    "| whole calls | log-prob | with entropy, rank, argmax | top 5 | PyTorch's `log_softmax` till it has answered |",
    "|---|---|---|---|---|",
    ...logits.map(({ rows, vocab, type, times }) => {
      const calls = ["call", "call, all", "call, top 5"].map((name) => ms(times[name].ms));
      return `| ${rows} × ${vocab} ${type} | ${calls.join(" | ")} | ${ms(times["torch log_softmax"]?.wallMs)} |`;
    }),
    "",
    ...hiddenTable(hidden),
    "",
    ...leftOut.map((text) => `- ${text}`),
    ...(leftOut.length > 0 ? [""] : []),
    torch === null
      ? `PyTorch was not timed: ${torchProblem}.`
      : `PyTorch ${torch.torch}, CUDA ${torch.cuda}, eager.`,
    "",
    "| aim | wanted | found | |",
    "|---|---|---|---|",
    ...aims.map(aimRow),
  ];
}

function logitsRow(row) {
  const { rows, vocab, type, times } = row;
  const { copyMs, copyRate, kernelRate } = ratesOf(row);
  const best = bestOfTorch(row);
  const all = times["torch everything"]?.ms;
  const cells = [
    `${rows} × ${vocab} ${type}`,
    ...[ms(copyMs), (copyRate / 1e9).toFixed(0)],
    ...[
      ms(times.kernels.ms),
      (kernelRate / 1e9).toFixed(0),
      `${((100 * kernelRate) / copyRate).toFixed(0)} %`,
    ],
    ms(times["kernels, all"].ms),
    ...[ms(best?.ms), best?.way ?? "–", timesOf(best?.ms, times.kernels.ms)],
    ...[ms(all), timesOf(all, times["kernels, all"].ms)],
  ];
  return `| ${cells.join(" | ")} |`;
}

function hiddenTable(hidden) {
  if (hidden.length === 0) return ["Hidden states were not timed."];
  return [
    "| hidden states | `torch.matmul` | cuBLAS in chunks, float32 logits | TFLOP/s | whole call | PyTorch in chunks |",
    "|---|---|---|---|---|---|",
    ...hidden.map(({ rows, width, vocab, type, times }) => {
      const flops = (2 * rows * width * vocab) / times.product.ms / 1e9;
      const chunked = times["torch chunked cross_entropy"]?.ms;
      const cells = [ms(times["torch matmul"]?.ms), ms(times.product.ms), flops.toFixed(0)];
      return `| ${rows} × ${width} → ${vocab} ${type} | ${cells.join(" | ")} | ${ms(times.call.ms)} | ${ms(chunked)} |`;
    }),
  ];
}

function aimRow({ what, least, most, found, isAim, reached }) {
  const wanted = least !== null ? `≥ ${least}` : `≤ ${most}`;
  const verdict =
    found === null ? "not measured" : reached === null ? "no verdict" : reached ? "reached" : "missed";
  return `| ${what} | ${isAim ? wanted : "–"} | ${found === null ? "–" : found.toFixed(2)} | ${isAim ? verdict : ""} |`;
}

function timesOf(a, b) {
  return a === undefined ? "–" : `${(a / b).toFixed(1)}x`;
}

function ms(value) {
  return value === undefined ? "–" : value.toFixed(3);
}
