import { sumLanes } from "./block";
import { decode, sizeOf } from "./decode";
import { madd } from "./exponential";
import { Job } from "./layout";

/** Rows of the weights in a unit of work. */
export const WEIGHTS_OF_UNIT: i32 = 16;
/** After so many numbers the sums go to float64. */
const STRETCH: usize = 512 * 4;

/** hidden · weights + bias of four hidden states from `hidden` on and a row of weights, as float32. */
function fourProducts(hidden: usize, weights: usize, bytes: usize, bias: f64, output: usize, stride: usize): void {
  const second = hidden + bytes;
  const third = second + bytes;
  const fourth = third + bytes;
  let sum0 = bias;
  let sum1 = bias;
  let sum2 = bias;
  let sum3 = bias;
  let at: usize = 0;
  while (at < bytes) {
    const end = min(at + STRETCH, bytes);
    let a0 = f32x4.splat(0);
    let a1 = f32x4.splat(0);
    let a2 = f32x4.splat(0);
    let a3 = f32x4.splat(0);
    let b0 = f32x4.splat(0);
    let b1 = f32x4.splat(0);
    let b2 = f32x4.splat(0);
    let b3 = f32x4.splat(0);
    for (; at < end; at += 32) {
      const a = v128.load(weights + at);
      const b = v128.load(weights + at, 16);
      a0 = madd(v128.load(hidden + at), a, a0);
      a1 = madd(v128.load(second + at), a, a1);
      a2 = madd(v128.load(third + at), a, a2);
      a3 = madd(v128.load(fourth + at), a, a3);
      b0 = madd(v128.load(hidden + at, 16), b, b0);
      b1 = madd(v128.load(second + at, 16), b, b1);
      b2 = madd(v128.load(third + at, 16), b, b2);
      b3 = madd(v128.load(fourth + at, 16), b, b3);
    }
    sum0 += sumLanes(a0) + sumLanes(b0);
    sum1 += sumLanes(a1) + sumLanes(b1);
    sum2 += sumLanes(a2) + sumLanes(b2);
    sum3 += sumLanes(a3) + sumLanes(b3);
  }
  store<f32>(output, <f32>sum0);
  store<f32>(output + stride, <f32>sum1);
  store<f32>(output + 2 * stride, <f32>sum2);
  store<f32>(output + 3 * stride, <f32>sum3);
}

/** The logits of all hidden states for the rows of weights of one unit. The output has room for a multiple of four rows. */
export function multiply(job: Job, unit: i32, scratch: usize): void {
  const width = job.width;
  const bytes = (<usize>job.padded) << 2;
  const rowBytes = (<usize>width) * sizeOf(job.type);
  const stride = (<usize>job.outputStride) << 2;
  const first = unit * WEIGHTS_OF_UNIT;
  const end = min(first + WEIGHTS_OF_UNIT, job.columns);
  memory.fill(scratch, 0, bytes);
  for (let id = first; id < end; id++) {
    decode(job.input + (<usize>id) * rowBytes, job.type, width, scratch);
    const bias: f64 = job.third == 0 ? 0 : load<f32>(job.third + ((<usize>id) << 2));
    for (let row = 0; row < job.rows; row += 4) {
      const output = job.output + (<usize>row) * stride + ((<usize>id) << 2);
      fourProducts(job.second + (<usize>row) * bytes, scratch, bytes, bias, output, stride);
    }
  }
}
