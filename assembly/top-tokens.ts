import { decodeOne, firstFour, halfMask, halfScale, nextFour, sizeOf } from "./decode";
import { FLOAT16, FLOAT32, ROUND } from "./layout";

// A heap whose root is the least of the best: values and ids side by side, as the job hands them out.

@inline
function valueAt(values: usize, i: i32): f32 {
  return load<f32>(values + ((<usize>i) << 2));
}

@inline
function idAt(ids: usize, i: i32): i32 {
  return load<i32>(ids + ((<usize>i) << 2));
}

@inline
function put(values: usize, ids: usize, i: i32, value: f32, id: i32): void {
  store<f32>(values + ((<usize>i) << 2), value);
  store<i32>(ids + ((<usize>i) << 2), id);
}

@inline
function isWorse(value: f32, id: i32, thanValue: f32, thanId: i32): bool {
  return value < thanValue || (value == thanValue && id > thanId);
}

function siftUp(values: usize, ids: usize, from: i32, value: f32, id: i32): void {
  let i = from;
  while (i > 0) {
    const parent = (i - 1) >> 1;
    const parentValue = valueAt(values, parent);
    const parentId = idAt(ids, parent);
    if (!isWorse(value, id, parentValue, parentId)) break;
    put(values, ids, i, parentValue, parentId);
    i = parent;
  }
  put(values, ids, i, value, id);
}

function siftDown(values: usize, ids: usize, size: i32, value: f32, id: i32): void {
  let i = 0;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= size) break;
    if (
      child + 1 < size &&
      isWorse(valueAt(values, child + 1), idAt(ids, child + 1), valueAt(values, child), idAt(ids, child))
    )
      child++;
    const childValue = valueAt(values, child);
    const childId = idAt(ids, child);
    if (!isWorse(childValue, childId, value, id)) break;
    put(values, ids, i, childValue, childId);
    i = child;
  }
  put(values, ids, i, value, id);
}

/** Of eight numbers, which may be greater than `least`; a float16 that is infinite may always. */
@inline
function mayExceed<T>(pointer: usize, least: v128, half: v128, mask: v128): v128 {
  const raw = v128.load(pointer);
  const next = isFloat<T>() ? v128.load(pointer, 16) : raw;
  const first = f32x4.gt(firstFour<T>(raw, half, mask), least);
  return v128.or(first, f32x4.gt(nextFour<T>(raw, next, half, mask), least));
}

function collect<T>(row: usize, type: i32, columns: i32, topK: i32, values: usize, ids: usize): i32 {
  const size = sizeOf(type);
  const eight: usize = size << 3;
  const half = halfScale();
  const mask = halfMask();
  let found = 0;
  let least: f32 = -Infinity;
  for (let start = 0; start < columns; start += ROUND) {
    const pointer = row + (<usize>start) * size;
    if (start + ROUND <= columns) {
      const bound = f32x4.splat(least);
      const first = v128.or(
        mayExceed<T>(pointer, bound, half, mask),
        mayExceed<T>(pointer + eight, bound, half, mask),
      );
      const second = v128.or(
        mayExceed<T>(pointer + 2 * eight, bound, half, mask),
        mayExceed<T>(pointer + 3 * eight, bound, half, mask),
      );
      if (!v128.any_true(v128.or(first, second))) continue;
    }
    const end = min(start + ROUND, columns);
    for (let id = start; id < end; id++) {
      const value = decodeOne(row + (<usize>id) * size, type);
      if (!(value > least)) continue;
      if (found < topK) siftUp(values, ids, found++, value, id);
      else siftDown(values, ids, topK, value, id);
      if (found == topK) least = valueAt(values, 0);
    }
  }
  return found;
}

/**
 * The best `topK` numbers of a row without NaN, masks left out: the greatest first, equal ones by their ids.
 *
 * @returns how many there are.
 */
export function topTokens(row: usize, type: i32, columns: i32, topK: i32, values: usize, ids: usize): i32 {
  let found: i32;
  if (type == FLOAT32) found = collect<f32>(row, type, columns, topK, values, ids);
  else if (type == FLOAT16) found = collect<i16>(row, type, columns, topK, values, ids);
  else found = collect<u16>(row, type, columns, topK, values, ids);
  for (let last = found - 1; last > 0; last--) {
    const value = valueAt(values, last);
    const id = idAt(ids, last);
    put(values, ids, last, valueAt(values, 0), idAt(ids, 0));
    siftDown(values, ids, last, value, id);
  }
  return found;
}
