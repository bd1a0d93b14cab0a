// Columns of the back end cuda beside those of the back end js, which computes in float64.

/** Everything, with so many of the most probable tokens. */
export const everything = (topK) => ({ entropy: true, rank: true, argmax: true, topK });

/**
 * The worst errors of log-probs (also of the top tokens, and the covered mass) and entropies, and how many ranks, ids, statuses and
 * counts are wrong.
 *
 * @param expected - with `expectedK` top tokens a row, `topK` of them or more.
 * @param margin - logits that are so near to one another may change places; 0 = ranks and ids are exact.
 */
export function compare(found, expected, { topK, expectedK = topK, margin = 0, vocab }) {
  const worst = { logprob: 0, entropy: 0, wrong: 0 };
  for (const name of ["scored", "skipped", "notFinite"])
    if (found.counts[name] !== expected.counts[name]) worst.wrong++;
  const near = (name, column, at, other = at) => {
    if (found[column] !== undefined)
      worst[name] = Math.max(worst[name], errorOf(found[column][at], expected[column][other]));
  };
  for (let row = 0; row < expected.logprob.length; row++) {
    if (found.status[row] !== expected.status[row]) worst.wrong++;
    near("logprob", "logprob", row);
    near("entropy", "entropy", row);
    if (found.rank === undefined) continue;
    if (topK === expectedK) near("logprob", "coveredMass", row);
    for (let place = 0; place < topK; place++)
      near("logprob", "topLogprobs", row * topK + place, row * expectedK + place);
    worst.wrong += wrongOrder(found, expected, row, { topK, expectedK, margin, vocab });
  }
  return worst;
}

function wrongOrder(found, expected, row, { topK, expectedK, margin, vocab }) {
  const tops = expected.topIds.subarray(row * expectedK, (row + 1) * expectedK);
  const logprobs = expected.topLogprobs.subarray(row * expectedK, (row + 1) * expectedK);
  const isRight = (id, place) => {
    if (id === tops[place]) return true;
    const other = margin > 0 ? tops.indexOf(id) : -1;
    return other >= 0 && Math.abs(logprobs[other] - logprobs[place]) <= margin;
  };
  // So many logits are as near as the margin to the target's, where they lie as densely as normal numbers can (0.4 at their middle).
  const mayPass = margin > 0 && expected.status[row] === 0 ? 2 + Math.ceil(vocab * margin) : 0;
  let wrong = Math.abs(found.rank[row] - expected.rank[row]) <= mayPass ? 0 : 1;
  if (expected.argmax[row] < 0 ? found.argmax[row] !== -1 : !isRight(found.argmax[row], 0)) wrong++;
  for (let place = 0; place < topK; place++) if (!isRight(found.topIds[row * topK + place], place)) wrong++;
  return wrong;
}

/** NaN and infinities where others are expected count as an infinite error. */
function errorOf(found, expected) {
  if (Object.is(found, expected) || found === expected) return 0;
  const error = Math.abs(found - expected);
  return Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
}
