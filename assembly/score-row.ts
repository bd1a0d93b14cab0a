import { blockGreater, blockMax, blockMoment, blockSpecial, blockSum, sumBlock } from "./block";
import { decode, decodeOne, sizeOf } from "./decode";
import { powerOf, UNIT } from "./exponential";
import { BLOCK, Entry, FLOAT16, FLOAT32, Job, NOT_FINITE, Result, ROUND, SCORED } from "./layout";

const LOG2_E: f64 = 1.4426950408889634;
/** By how many powers of two a number may exceed the reference before a block is done again: more costs accuracy, less costs time. */
const MARGIN: f32 = 9;
/** Powers of two below this count as this. */
const LOWEST: f32 = -120;

/** One pass over a block of any numbers, in `scratch` if they have to be decoded or filled up first. */
function scoreBlock<A>(
  pointer: usize,
  count: i32,
  type: i32,
  reference: f32,
  factor: f32,
  target: f32,
  scratch: usize,
): void {
  const lowest: f32 = LOWEST / factor;
  const isWhole = count % ROUND == 0;
  if (isWhole) {
    const end = pointer + (<usize>count) * sizeOf(type);
    if (type == FLOAT32) sumBlock<f32, A>(pointer, end, reference, factor, lowest, target);
    else if (type == FLOAT16) sumBlock<i16, A>(pointer, end, reference, factor, lowest, target);
    else sumBlock<u16, A>(pointer, end, reference, factor, lowest, target);
    if (type != FLOAT16 || !blockSpecial) return;
  }
  decode(pointer, type, count, scratch);
  let filled = count;
  for (; filled % ROUND != 0; filled++) store<f32>(scratch + ((<usize>filled) << 2), -Infinity);
  sumBlock<f32, A>(scratch, scratch + ((<usize>filled) << 2), reference, factor, lowest, target);
}

/** The first place of `value` in a block. */
function placeOf(value: f32, pointer: usize, type: i32): i32 {
  const size = sizeOf(type);
  let i = 0;
  while (decodeOne(pointer + (<usize>i) * size, type) != value) i++;
  return i;
}

/** Scores one row in one pass: a block is done again only where it exceeds the reference by the margin. */
export function scoreRow<A>(job: Job, entry: Entry, result: Result, scratch: usize): void {
  const type = job.type;
  const size = sizeOf(type);
  const columns = job.columns;
  const factor: f32 = <f32>(job.scale * LOG2_E);
  const margin: f32 = MARGIN / factor;
  const target = decodeOne(entry.row + (<usize>entry.target) * size, type);
  let reference = target;
  let sum: f64 = 0;
  let moment: f64 = 0;
  let greater = 0;
  let best: f32 = -Infinity;
  let bestBlock = 0;
  result.status = NOT_FINITE;
  if (!(target < Infinity)) return;
  for (let start = 0; start < columns; start += BLOCK) {
    const count = min(BLOCK, columns - start);
    const pointer = entry.row + (<usize>start) * size;
    // A short look ahead saves doing the first block twice where the target is improbable.
    if (start == 0) {
      scoreBlock<i32>(pointer, min(count, BLOCK / 4), type, 0, factor, 0, scratch);
      reference = max(reference, blockMax);
    }
    scoreBlock<A>(pointer, count, type, reference == -Infinity ? 0 : reference, factor, target, scratch);
    if (blockMax == Infinity) return;
    if (blockMax > -Infinity && !(blockMax - reference <= margin)) {
      // A reference of −Infinity is beyond the lowest too: there is nothing in the sums then.
      const lowered = reference - blockMax;
      const share = lowered * factor > LOWEST ? powerOf(lowered, factor) : 0;
      moment = share == 0 ? 0 : share * (moment + (<f64>lowered) * sum);
      sum *= share;
      reference = blockMax;
      scoreBlock<A>(pointer, count, type, reference, factor, target, scratch);
    }
    if (blockSum != blockSum) return;
    if (blockMax > best) {
      best = blockMax;
      bestBlock = start;
    }
    if (reference == -Infinity) continue;
    sum += blockSum;
    if (sizeof<A>() == 8) {
      moment += blockMoment;
      greater += blockGreater;
    }
  }
  if (best == -Infinity) return;
  result.sum = sum / UNIT;
  result.moment = moment / UNIT;
  result.reference = reference;
  result.target = target;
  result.greater = greater;
  if (sizeof<A>() == 8) result.argmax = bestBlock + placeOf(best, entry.row + (<usize>bestBlock) * size, type);
  result.status = SCORED;
}
