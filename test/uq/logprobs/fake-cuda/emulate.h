// Runs a CUDA kernel on the processor: each thread of a block is a fiber, one block after the other.
#pragma once

#include <string.h>
#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#define __device__
#define __global__
#define __forceinline__ inline
#define __shared__ static
#define __launch_bounds__(...)

struct uint4 {
  unsigned int x, y, z, w;
};

struct Index3 {
  unsigned int x, y, z;
};

static Index3 threadIdx, blockIdx, blockDim, gridDim;
using std::min;

static inline float __uint_as_float(unsigned int bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline float exp2Approx(float y) { return y < -126 ? 0 : exp2f(y); }
static inline uint4 loadStreaming(const uint4* address) { return *address; }

static inline float decodeFloat16(unsigned short bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const float size = exponent == 31  ? (fraction ? NAN : INFINITY)
                     : exponent == 0 ? ldexpf((float)fraction, -24)
                                     : ldexpf((float)(fraction + 1024), exponent - 25);
  return bits & 0x8000 ? -size : size;
}

namespace emulated {

constexpr int WARP_SIZE = 32;
constexpr size_t STACK_BYTES = 16 << 10;

struct Barrier {
  int arrived = 0, alive = 0;
  unsigned long generation = 0;

  void releaseIfComplete() {
    if (alive == 0 || arrived < alive) return;
    arrived = 0;
    generation++;
  }
};

/** What a thread offers to the others of its warp. */
struct Lane {
  char bytes[24];
};

struct Warp {
  Barrier barrier;
  Lane lanes[2][WARP_SIZE];
  int parity[WARP_SIZE];
};

/** A thread. The jumps are GCC's own, which do not save what a thread does not need. */
struct Fiber {
  void* at[5];
  bool isDone = true;
  std::vector<char> stack;
};

static std::vector<std::unique_ptr<Fiber>> fibers;
static std::vector<Warp> warps;
static Barrier block;
static unsigned int current, threadCount;
static void* launcher[5];
static const std::function<void()>* kernelBody;

/** Goes on with the next thread that is not done, or with the launcher after the last. */
static __attribute__((noipa, noreturn)) void next() {
  for (unsigned int i = 0; i < threadCount; i++) {
    if (++current >= threadCount) current = 0;
    if (fibers[current]->isDone) continue;
    threadIdx = {current, 0, 0};
    __builtin_longjmp(fibers[current]->at, 1);
  }
  __builtin_longjmp(launcher, 1);
}

/** Lets the other threads go on, which may change any memory: the compiler cannot see that in a jump. */
static __attribute__((noinline, noipa)) void yield() {
  if (__builtin_setjmp(fibers[current]->at) == 0) next();
  asm volatile("" ::: "memory");
}

static void wait(Barrier& barrier) {
  const unsigned long generation = barrier.generation;
  barrier.arrived++;
  barrier.releaseIfComplete();
  while (barrier.generation == generation) yield();
}

static __attribute__((noipa)) void runThread() {
  (*kernelBody)();
  Warp& warp = warps[current / WARP_SIZE];
  fibers[current]->isDone = true;
  block.alive--;
  warp.barrier.alive--;
  block.releaseIfComplete();
  warp.barrier.releaseIfComplete();
}

/** A fiber serves one block after the other. */
static void fiberMain() {
  while (true) {
    yield();
    runThread();
  }
}

static __attribute__((noinline, noipa)) void enterFiber(ucontext_t* start) {
  if (__builtin_setjmp(launcher) == 0) setcontext(start);
}

/** Makes a fiber and lets it come to its first stop. */
static void addFiber() {
  fibers.push_back(std::make_unique<Fiber>());
  Fiber& fiber = *fibers.back();
  // Stacks at equal places of a page would evict each other from the cache.
  fiber.stack.resize(STACK_BYTES + fibers.size() % 61 * 64);
  current = (unsigned int)fibers.size() - 1;
  threadCount = 0;
  ucontext_t start;
  getcontext(&start);
  start.uc_stack.ss_sp = fiber.stack.data();
  start.uc_stack.ss_size = fiber.stack.size();
  makecontext(&start, fiberMain, 0);
  enterFiber(&start);
}

static __attribute__((noinline, noipa)) void runFibers() {
  if (__builtin_setjmp(launcher) == 0) next();
}

static void runBlock(unsigned int threads) {
  while (fibers.size() < threads) addFiber();
  block = Barrier{0, (int)threads, 0};
  warps.assign((threads + WARP_SIZE - 1) / WARP_SIZE, Warp{});
  for (unsigned int i = 0; i < threads; i++) {
    fibers[i]->isDone = false;
    warps[i / WARP_SIZE].barrier.alive++;
  }
  threadCount = threads;
  current = threads - 1;
  runFibers();
}

/** Runs `body`, a call of a kernel, for each thread of each block. */
static void launch(Index3 grid, Index3 threads, const std::function<void()>& body) {
  kernelBody = &body;
  gridDim = grid;
  blockDim = threads;
  for (unsigned int y = 0; y < grid.y; y++)
    for (unsigned int x = 0; x < grid.x; x++) {
      blockIdx = {x, y, 0};
      runBlock(threads.x);
    }
  kernelBody = nullptr;
}

}  // namespace emulated

static inline void __syncthreads() { emulated::wait(emulated::block); }

template <typename Value>
static Value exchange(Value value, int distance) {
  const unsigned int lane = threadIdx.x % emulated::WARP_SIZE;
  emulated::Warp& warp = emulated::warps[threadIdx.x / emulated::WARP_SIZE];
  emulated::Lane* lanes = warp.lanes[warp.parity[lane]];
  warp.parity[lane] ^= 1;
  static_assert(sizeof value <= sizeof lanes[0], "as much as a lane holds");
  memcpy(lanes[lane].bytes, &value, sizeof value);
  emulated::wait(warp.barrier);
  memcpy(&value, lanes[lane ^ distance].bytes, sizeof value);
  return value;
}
