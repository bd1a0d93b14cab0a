// Log-probs of target tokens from logits. Kernels and the layouts that src/uq/logprobs/cuda/ shares with them.
//
// A row is cut into parts of a length that depends on the vocabulary alone, each part is summed by one block in a fixed order, and one
// thread adds the parts up: results do not depend on how many rows are scored at once.
#include "numbers.cuh"
#include "running.cuh"
#include "top.cuh"

constexpr int STATUS_OK = 0, STATUS_SKIPPED = 1, STATUS_NOT_FINITE = 2;
constexpr double LN2 = 0.6931471805599453;
constexpr double LOG2E = 1.4426950408889634;

/** 16-byte loads under way in each thread. */
constexpr int LOADS = 4;

/** What a block found in its part of a row. */
struct Part {
  double sum;
  double weighted;
  float reference;
  float target;
  unsigned int greater;
  int bestId;
  float best;
  int unused;
};
static_assert(sizeof(Part) == 40, "as the host has it");

/** What became of a row. */
struct Result {
  double logprob;
  double entropy;
  /** ln Σ e^(scale · (x − reference)) */
  double logSum;
  float reference;
  int rank;
  int argmax;
  int status;
};
static_assert(sizeof(Result) == 40, "as the host has it");

/** Numbers before the first 16-byte boundary at or after `address`, `length` at most. */
template <typename Stored>
__device__ __forceinline__ int headLength(const Stored* address, int length) {
  const int bytes = (int)((16 - ((unsigned long long)address & 15)) & 15);
  return min(bytes / (int)sizeof(Stored), length);
}

/** Sums one part of one row. Grid (parts, rows). */
template <typename Type, bool all>
__device__ __forceinline__ void sumPart(const typename Type::Stored* logits, long long rowStride, int vocab, int partLength,
                                               const int* targets, float scale2, Part* parts) {
  constexpr int count = Type::perVector;
  const int row = blockIdx.y, thread = threadIdx.x;
  if (targets[row] < 0) return;
  const typename Type::Stored* ofRow = logits + row * rowStride;
  const float target = Type::decode(ofRow[targets[row]]);

  const int begin = min((int)blockIdx.x * partLength, vocab), end = min(begin + partLength, vocab);
  const int head = headLength(ofRow + begin, end - begin);
  const int vectors = (end - begin - head) / count;
  const int firstId = begin + head, tail = firstId + vectors * count;

  Running<all> running = Running<all>::ofNothing();
  if (thread < head) {
    const float one[1] = {Type::decode(ofRow[begin + thread])};
    running.add(one, begin + thread, target, scale2);
  }
  const uint4* aligned = reinterpret_cast<const uint4*>(ofRow + firstId);
  for (int base = thread; base < vectors; base += LOADS * THREADS) {
    uint4 words[LOADS];
#pragma unroll
    for (int i = 0; i < LOADS; i++)
      if (base + i * THREADS < vectors) words[i] = loadStreaming(aligned + base + i * THREADS);
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
      const int vector = base + i * THREADS;
      if (vector >= vectors) break;
      float x[count];
      Type::decode(words[i], x);
      running.add(x, firstId + vector * count, target, scale2);
    }
  }
  if (tail + thread < end) {
    const float one[1] = {Type::decode(ofRow[tail + thread])};
    running.add(one, tail + thread, target, scale2);
  }
  addBlock(running, scale2);
  if (thread > 0) return;
  parts[(long long)row * gridDim.x + blockIdx.x] = {running.sum,     running.weighted, running.reference, target,
                                                    running.greater, running.bestId,   running.best,      0};
}

#define SUM_KERNEL(name, Type, all, blocks)                                                                              \
  extern "C" __global__ void __launch_bounds__(THREADS, blocks)                                                          \
      name(const Type::Stored* logits, long long rowStride, int vocab, int partLength, const int* targets, float scale2, \
           Part* parts) {                                                                                                \
    sumPart<Type, all>(logits, rowStride, vocab, partLength, targets, scale2, parts);                                    \
  }

// So many blocks share a multiprocessor as registers allow without a spill.
SUM_KERNEL(sum_float32, Float32, false, 3)
SUM_KERNEL(sum_float16, Float16, false, 3)
SUM_KERNEL(sum_bfloat16, BFloat16, false, 3)
SUM_KERNEL(sum_all_float32, Float32, true, 2)
SUM_KERNEL(sum_all_float16, Float16, true, 2)
SUM_KERNEL(sum_all_bfloat16, BFloat16, true, 2)

/** Adds up the parts of each row and takes the last steps, all in float64. A thread for each row. */
extern "C" __global__ void finish(const Part* parts, int partCount, int rows, const int* targets, double scale, Result* results) {
  const int row = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  Result result = {NAN, NAN, NAN, 0, 0, -1, STATUS_SKIPPED};
  if (targets[row] < 0) {
    results[row] = result;
    return;
  }
  const Part* mine = parts + (long long)row * partCount;
  float reference = mine[0].reference;
  for (int i = 1; i < partCount; i++) reference = fmaxf(reference, mine[i].reference);
  double sum = 0, weighted = 0;
  unsigned int greater = 0;
  float best = -INFINITY;
  int bestId = -1;
  for (int i = 0; i < partCount; i++) {
    const double shift = ((double)mine[i].reference - reference) * (scale * LOG2E);
    const double factor = mine[i].reference == reference ? 1 : exp2(shift);
    sum += mine[i].sum * factor;
    // A part of masked logits alone may be as far away as numbers go.
    if (factor > 0) weighted += (mine[i].weighted + mine[i].sum * shift) * factor;
    greater += mine[i].greater;
    if (mine[i].best > best) {
      best = mine[i].best;
      bestId = mine[i].bestId;
    }
  }
  const bool isFinite = sum > 0 && sum < INFINITY;
  result.status = isFinite ? STATUS_OK : STATUS_NOT_FINITE;
  if (isFinite) {
    result.logSum = log(sum);
    result.reference = reference;
    result.logprob = scale * ((double)mine[0].target - reference) - result.logSum;
    result.entropy = fmax(0.0, result.logSum - LN2 * (weighted / sum));
    result.rank = 1 + (int)greater;
    result.argmax = bestId;
  }
  results[row] = result;
}

/** The k most probable tokens of each row, after `finish`. Grid (rows). */
template <typename Type>
__device__ __forceinline__ void selectTop(const typename Type::Stored* logits, long long rowStride, int vocab, int k,
                                                 double scale, const Result* results, int* ids, double* logprobs, double* covered) {
  const long long row = blockIdx.x;
  const typename Type::Stored* ofRow = logits + row * rowStride;
  const Result result = results[row];
  int found = 0;
  double mass = result.status == STATUS_OK ? 0 : NAN;
  if (result.status == STATUS_OK) {
    Candidate mine = nextOfThread<Type>(ofRow, vocab, {INFINITY, 0});
    for (; found < k; found++) {
      const Candidate first = firstOfBlock(mine);
      if (first.id < 0) break;
      if (threadIdx.x == 0) {
        const double logprob = scale * ((double)first.logit - result.reference) - result.logSum;
        ids[row * k + found] = first.id;
        logprobs[row * k + found] = logprob;
        mass += exp(logprob);
      }
      if (first.id % THREADS == (int)threadIdx.x) mine = nextOfThread<Type>(ofRow, vocab, first);
    }
  }
  if (threadIdx.x == 0) covered[row] = mass;
  for (int i = found + threadIdx.x; i < k; i += THREADS) {
    ids[row * k + i] = -1;
    logprobs[row * k + i] = NAN;
  }
}

#define TOP_KERNEL(name, Type)                                                                                        \
  extern "C" __global__ void __launch_bounds__(THREADS)                                                               \
      name(const Type::Stored* logits, long long rowStride, int vocab, int k, double scale, const Result* results,    \
           int* ids, double* logprobs, double* covered) {                                                             \
    selectTop<Type>(logits, rowStride, vocab, k, scale, results, ids, logprobs, covered);                             \
  }

TOP_KERNEL(top_float32, Float32)
TOP_KERNEL(top_float16, Float16)
TOP_KERNEL(top_bfloat16, BFloat16)

/** logits += bias, row by row. Grid (columns / THREADS, rows). */
extern "C" __global__ void add_bias(float* logits, long long rowStride, int vocab, const float* bias) {
  const int column = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (column < vocab) logits[blockIdx.y * rowStride + column] += bias[column];
}

/** 16-bit numbers as floats, which is exact; rows of the result lie one after the other. Grid (columns / THREADS, rows). */
template <typename Type>
__device__ __forceinline__ void widen(const unsigned short* from, long long rowStride, int columns, float* to) {
  const int column = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (column < columns) to[(long long)blockIdx.y * columns + column] = Type::decode(from[blockIdx.y * rowStride + column]);
}

extern "C" __global__ void widen_float16(const unsigned short* from, long long rowStride, int columns, float* to) {
  widen<Float16>(from, rowStride, columns, to);
}

extern "C" __global__ void widen_bfloat16(const unsigned short* from, long long rowStride, int columns, float* to) {
  widen<BFloat16>(from, rowStride, columns, to);
}
