// The sums of a softmax that are kept while a row streams by, and how those of many threads become one.
#pragma once

#ifdef EMULATED_THREADS
// A processor that plays the device takes time for each thread.
constexpr int THREADS = EMULATED_THREADS;
#else
constexpr int THREADS = 512;
#endif
constexpr int WARP = 32;
constexpr int WARPS = THREADS / WARP;

/** Below every logit that counts, and finite: a difference with it is never −Infinity minus −Infinity. */
constexpr float LOWEST = -3.402823466e38f;

/** The reference moves only when a logit exceeds it so far, in powers of two: hardly ever, and each move rounds. */
constexpr float SLACK = 8.0f;

/** 2^NOTHING is 0, and NOTHING · 0 is 0 where −Infinity · 0 would be NaN. */
constexpr float NOTHING = -1000.0f;

/**
 * Sums over some logits x of one row, with y = (x − reference) · scale · log2(e). The reference is a float, the sums of each 16 bytes
 * are floats, and what they add up to is float64, so that a row of any length keeps the precision of its terms. NaN and +Infinity turn
 * `sum` into NaN for good.
 */
template <bool all>
struct Running {
  float reference;
  /** Σ 2^y */
  double sum;
  /** Σ 2^y · y */
  double weighted;
  /** Logits above the target's. */
  unsigned int greater;
  float best;
  int bestId;

  static __device__ __forceinline__ Running ofNothing() { return {LOWEST, 0, 0, 0, -INFINITY, -1}; }

  /** Makes the sums those for another reference, not below the present one. */
  __device__ __forceinline__ void refer(float to, float scale2) {
    const float shift = fmaxf((reference - to) * scale2, NOTHING);
    const double factor = exp2Approx(shift);
    if (all) weighted = factor * (weighted + shift * sum);
    sum *= factor;
    reference = to;
  }

  /** Adds `count` logits with ascending ids from `firstId` on; ids must ascend from call to call. */
  template <int count>
  __device__ __forceinline__ void add(const float (&x)[count], int firstId, float target, float scale2) {
    float greatest = x[0];
#pragma unroll
    for (int i = 1; i < count; i++) greatest = fmaxf(greatest, x[i]);
    if ((greatest - reference) * scale2 > SLACK) refer(greatest, scale2);
    float powers = 0, products = 0;
#pragma unroll
    for (int i = 0; i < count; i++) {
      const float y = (x[i] - reference) * scale2;
      const float power = exp2Approx(y);
      powers += power;
      if (all) {
        products += power * fmaxf(y, NOTHING);
        greater += x[i] > target ? 1u : 0u;
      }
    }
    sum += powers;
    if (!all) return;
    weighted += products;
    if (greatest > best) {
      best = greatest;
#pragma unroll
      for (int i = count - 1; i >= 0; i--)
        if (x[i] == greatest) bestId = firstId + i;
    }
  }

  /** Adds up the lanes of a warp; all have one reference. */
  __device__ __forceinline__ void addLanes() {
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
      sum += exchange(sum, distance);
      if (!all) continue;
      const Rest other = exchange(Rest{weighted, greater, best, bestId, 0}, distance);
      weighted += other.weighted;
      greater += other.greater;
      if (other.best > best || (other.best == best && other.bestId < bestId)) {
        best = other.best;
        bestId = other.bestId;
      }
    }
  }

 private:
  struct Rest {
    double weighted;
    unsigned int greater;
    float best;
    int bestId;
    int unused;
  };
};

/** The greatest of a float that each thread of the block has; all threads get it. */
__device__ __forceinline__ float blockMax(float value) {
  __shared__ float ofWarp[WARPS];
#pragma unroll
  for (int distance = WARP / 2; distance > 0; distance /= 2)
    value = fmaxf(value, exchange(value, distance));
  if (threadIdx.x % WARP == 0) ofWarp[threadIdx.x / WARP] = value;
  __syncthreads();
  value = ofWarp[0];
#pragma unroll
  for (int i = 1; i < WARPS; i++) value = fmaxf(value, ofWarp[i]);
  return value;
}

/**
 * Makes one of the sums of all threads; the first thread gets it. One common reference comes first, so that each sum is rescaled once
 * only, and the order of the additions is always the same.
 */
template <bool all>
__device__ __forceinline__ void addBlock(Running<all>& mine, float scale2) {
  __shared__ Running<all> ofWarp[WARPS];
  mine.refer(blockMax(mine.reference), scale2);
  mine.addLanes();
  if (threadIdx.x % WARP == 0) ofWarp[threadIdx.x / WARP] = mine;
  __syncthreads();
  if (threadIdx.x >= WARP) return;
  const float reference = mine.reference;
  mine = threadIdx.x < WARPS ? ofWarp[threadIdx.x] : Running<all>::ofNothing();
  mine.reference = reference;
  mine.addLanes();
}
