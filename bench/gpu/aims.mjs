// The aims of the back end on a GPU, with what was found.

/**
 * @param isQuick - shapes are too small for a verdict.
 * @returns aims by name: what is wanted, what was found (null = not measured), and whether that does (null = no verdict).
 */
export function aimsOf({ logits, hidden }, isQuick) {
  const aims = [];
  for (const row of logits) {
    const shape = `${row.type}, ${row.rows} × ${row.vocab}`;
    const { copyRate, kernelRate } = ratesOf(row);
    // The aims are for bfloat16; float32 is told beside them.
    const isAim = row.type === "bfloat16";
    aims.push(
      aim(`read at the copy's speed, ${shape}`, kernelRate / copyRate, { least: 0.8, isAim }),
      aim(`beside PyTorch's best, ${shape}`, ratio(bestOfTorch(row)?.ms, row.times.kernels.ms), {
        ...{ least: 2, isAim },
      }),
      aim(
        `the whole call beside PyTorch's best, ${shape}`,
        ratio(bestOfTorch(row)?.wallMs, row.times.call.ms),
        {
          ...{ least: 2, isAim: false },
        },
      ),
    );
  }
  for (const { type, rows, width, vocab, times } of hidden) {
    const shape = `${type}, ${rows} × ${width} → ${vocab}`;
    const bare = times["torch matmul"]?.ms;
    aims.push(
      aim(`hidden states beside torch.matmul, ${shape}`, ratio(times.call.ms, bare), {
        ...{ most: 1.3, isAim: true },
      }),
      aim(`hidden states beside cuBLAS alone, ${shape}`, ratio(times.call.ms, times.product.ms), {
        ...{ most: 1.3, isAim: false },
      }),
    );
  }
  return isQuick ? aims.map((one) => ({ ...one, reached: null })) : aims;
}

/** Bytes a second: a copy, the faster of the driver's and PyTorch's, reads and writes each byte, the kernels only read. */
export function ratesOf({ bytes, times }) {
  const copyMs = Math.min(times.copy.ms, times["torch copy"]?.ms ?? Number.POSITIVE_INFINITY);
  return { copyMs, copyRate: (2 * bytes) / (copyMs / 1e3), kernelRate: bytes / (times.kernels.ms / 1e3) };
}

/** The fastest of PyTorch's ways to the log-prob alone, whatever its rounding. */
export function bestOfTorch({ times }) {
  const ways = ["log_softmax", "float log_softmax", "cross_entropy", "float cross_entropy"];
  return ways
    .map((way) => ({ way, ms: null, ...times[`torch ${way}`] }))
    .filter(({ ms }) => ms !== null)
    .sort((a, b) => a.ms - b.ms)[0];
}

function ratio(a, b) {
  return a === undefined || b === undefined ? null : a / b;
}

function aim(what, found, { least = null, most = null, isAim }) {
  const reached = found === null ? null : least !== null ? found >= least : found <= most;
  return { what, least, most, found, isAim, reached };
}
