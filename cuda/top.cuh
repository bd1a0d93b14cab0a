// The most probable tokens of a row, one after the other.
#pragma once

/** A token that may come next; id −1 = none. */
struct Candidate {
  float logit;
  int id;
};

__device__ __forceinline__ bool isBefore(const Candidate& a, const Candidate& b) {
  if (b.id < 0) return a.id >= 0;
  return a.id >= 0 && (a.logit > b.logit || (a.logit == b.logit && a.id < b.id));
}

/** The first token after `last` among those of this thread: every THREADS-th. Masked tokens are none. */
template <typename Type>
__device__ Candidate nextOfThread(const typename Type::Stored* logits, int vocab, const Candidate& last) {
  Candidate first = {-INFINITY, -1};
  for (int id = threadIdx.x; id < vocab; id += THREADS) {
    const Candidate next = {Type::decode(logits[id]), id};
    if (next.logit > -INFINITY && isBefore(last, next) && isBefore(next, first)) first = next;
  }
  return first;
}

/** The first of the candidates of all threads; all get it. */
__device__ __forceinline__ Candidate firstOfBlock(Candidate mine) {
  __shared__ Candidate ofWarp[WARPS];
#pragma unroll
  for (int distance = WARP / 2; distance > 0; distance /= 2) {
    const Candidate other = exchange(mine, distance);
    if (isBefore(other, mine)) mine = other;
  }
  __syncthreads();
  if (threadIdx.x % WARP == 0) ofWarp[threadIdx.x / WARP] = mine;
  __syncthreads();
  Candidate first = ofWarp[0];
  for (int i = 1; i < WARPS; i++)
    if (isBefore(ofWarp[i], first)) first = ofWarp[i];
  return first;
}
