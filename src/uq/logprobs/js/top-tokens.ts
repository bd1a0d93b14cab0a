/**
 * The ids of the `k` greatest logits, from the greatest on, equal ones by their ids; fewer when the others are masked
 * (−Infinity). Written to `ids`, `(k)`.
 *
 * @param logits - without NaN.
 * @returns how many there are.
 */
export function topTokens(logits: Float64Array, ids: Int32Array): number {
  const k = ids.length;
  let size = 0;
  for (let id = 0; id < logits.length; id++) {
    const logit = logits[id] as number;
    if (logit === Number.NEGATIVE_INFINITY) continue;
    if (size < k) {
      ids[size] = id;
      size += 1;
      rise(logits, ids, size - 1);
    } else if (logit > (logits[ids[0] as number] as number)) {
      ids[0] = id;
      sink(logits, ids, size);
    }
  }
  // The root is the least of those that are left: taken off, it belongs behind them.
  for (let left = size - 1; left > 0; left--) {
    swap(ids, 0, left);
    sink(logits, ids, left);
  }
  return size;
}

/** Whether token `a` belongs behind token `b`. */
function isLess(logits: Float64Array, a: number, b: number): boolean {
  const [left, right] = [logits[a] as number, logits[b] as number];
  return left < right || (left === right && a > b);
}

function rise(logits: Float64Array, heap: Int32Array, from: number): void {
  let place = from;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if (!isLess(logits, heap[place] as number, heap[parent] as number)) return;
    swap(heap, place, parent);
    place = parent;
  }
}

function sink(logits: Float64Array, heap: Int32Array, size: number): void {
  let place = 0;
  for (;;) {
    let least = place;
    for (let child = 2 * place + 1; child <= 2 * place + 2 && child < size; child++)
      if (isLess(logits, heap[child] as number, heap[least] as number)) least = child;
    if (least === place) return;
    swap(heap, place, least);
    place = least;
  }
}

function swap(heap: Int32Array, a: number, b: number): void {
  const kept = heap[a] as number;
  heap[a] = heap[b] as number;
  heap[b] = kept;
}
