// The tables of a run on a GPU.

/** Markdown with the card's name, the worst errors, the times and their ratios. */
export function markdown({ gpu, driver, cublas, node, checks, timings, torch }) {
  const passed = checks.filter(({ passed }) => passed).length;
  const lines = [
    `# ${gpu.name}`,
    "",
    `Compute capability ${gpu.computeCapability}, driver CUDA ${driver}, cuBLAS ${cublas ?? "none"}, Node ${node}.`,
    "",
    `${passed} of ${checks.length} checks against float64 passed.`,
    "",
    "| logits | worst log-prob error | worst entropy error | wrong ranks, ids, statuses |",
    "|---|---|---|---|",
    ...["float32", "float16", "bfloat16"].map((type) => errorsOf(type, checks.filter(isLogits(type)))),
    `| from hidden states | ${worst(
      checks.filter(({ what }) => what === "hidden"),
      "logprob",
    )} | ${worst(
      checks.filter(({ what }) => what === "hidden"),
      "entropy",
    )} | |`,
  ];
  if (timings !== null) lines.push("", ...timingLines(timings, torch));
  return `${lines.join("\n")}\n`;
}

const isLogits = (type) => (check) => check.what === "logits" && check.type === type;

function errorsOf(type, checks) {
  const wrong = checks.reduce((sum, check) => sum + check.wrong, 0);
  return `| ${type} | ${worst(checks, "logprob")} | ${worst(checks, "entropy")} | ${wrong} |`;
}

function worst(checks, name) {
  return Math.max(0, ...checks.map((check) => check[name])).toExponential(1);
}

function timingLines({ logits, hidden }, torch) {
  const rows = logits.map((row, i) => {
    const best = bestOfTorch(torch?.logits?.[i]);
    return [
      `| ${row.rows} × ${row.vocab} ${row.type} | ${row.copyGBs.toFixed(0)} | ${ms(row.kernelMs)} | ${row.kernelGBs.toFixed(0)}`,
      `${(100 * row.ofCopy).toFixed(0)} % | ${ms(row.kernelAllMs)} | ${ms(row.callMs)} | ${ms(row.callAllMs)} | ${ms(row.topMs)}`,
      best === null ? "– | – |" : `${ms(best)} | ${(best / row.kernelMs).toFixed(1)}x |`,
    ].join(" | ");
  });
  const chunked = torch?.hidden?.chunkedCrossEntropyMs ?? null;
  return [
    "Logits on the device. The copy's traffic is what it reads and writes; kernels only read.",
    "",
    "| logits | copy GB/s | log-prob, kernels ms | GB/s | of the copy | with entropy, rank, argmax, kernels ms | call ms | call, all ms | call, top 5 ms | PyTorch's best ms | ratio |",
    "|---|---|---|---|---|---|---|---|---|---|---|",
    ...rows,
    "",
    "| hidden states, bfloat16 | product alone ms | TFLOP/s | call ms | of the product | PyTorch in chunks ms |",
    "|---|---|---|---|---|---|",
    `| ${hidden.rows} × ${hidden.width} → ${hidden.vocab} | ${ms(hidden.gemmMs)} | ${hidden.gemmTflops.toFixed(0)} | ${ms(hidden.callMs)} | ${hidden.ofGemm.toFixed(2)}x | ${chunked === null ? "–" : ms(chunked)} |`,
    "",
    torch?.problem === undefined ? `PyTorch ${torch?.torch}.` : `PyTorch was not timed: ${torch.problem}.`,
  ];
}

/** The fastest of PyTorch's eager ways to the log-prob alone. */
function bestOfTorch(row) {
  if (row === undefined) return null;
  const names = [
    "logSoftmaxGatherMs",
    "floatLogSoftmaxGatherMs",
    "crossEntropyMs",
    "floatCrossEntropyMs",
    "gatherLogsumexpMs",
  ];
  const times = names.map((name) => row[name]).filter((time) => time !== null);
  return times.length === 0 ? null : Math.min(...times);
}

function ms(value) {
  return value.toFixed(3);
}
