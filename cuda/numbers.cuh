// How logits are stored, and how sixteen bytes of them become floats.
#pragma once

#ifdef __CUDACC__
// The few operations that C++ has no name for. What runs the kernels on a processor brings its own.

__device__ __forceinline__ float exp2Approx(float y) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(y));
  return power;
}

__device__ __forceinline__ float decodeFloat16(unsigned short bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}

/** The value of the lane whose number differs by the bit `distance`; all lanes of the warp call it. */
template <typename Value>
__device__ __forceinline__ Value exchange(const Value& value, int distance) {
  static_assert(sizeof(Value) % 4 == 0, "lanes exchange words");
  unsigned int words[sizeof(Value) / 4];
  memcpy(words, &value, sizeof value);
#pragma unroll
  for (int i = 0; i < (int)(sizeof(Value) / 4); i++) words[i] = __shfl_xor_sync(0xffffffffu, words[i], distance);
  Value other;
  memcpy(&other, words, sizeof other);
  return other;
}

/** Logits are read once: they need not stay in the cache. */
__device__ __forceinline__ uint4 loadStreaming(const uint4* address) { return __ldcs(address); }
#endif

struct Float32 {
  using Stored = float;
  static constexpr int perVector = 4;
  static __device__ __forceinline__ float decode(float value) { return value; }
  static __device__ __forceinline__ void decode(const uint4& words, float (&out)[perVector]) {
    out[0] = __uint_as_float(words.x);
    out[1] = __uint_as_float(words.y);
    out[2] = __uint_as_float(words.z);
    out[3] = __uint_as_float(words.w);
  }
};

/** Eight numbers of 16 bits; `Half` tells how one of them is read. */
template <typename Half>
struct SixteenBit {
  using Stored = unsigned short;
  static constexpr int perVector = 8;
  static __device__ __forceinline__ float decode(unsigned short bits) { return Half::toFloat(bits); }
  static __device__ __forceinline__ void decode(const uint4& words, float (&out)[perVector]) {
    const unsigned int word[4] = {words.x, words.y, words.z, words.w};
#pragma unroll
    for (int i = 0; i < 4; i++) {
      out[2 * i] = Half::toFloat((unsigned short)(word[i] & 0xffffu));
      out[2 * i + 1] = Half::toFloat((unsigned short)(word[i] >> 16));
    }
  }
};

struct Float16Bits {
  static __device__ __forceinline__ float toFloat(unsigned short bits) { return decodeFloat16(bits); }
};

struct BFloat16Bits {
  static __device__ __forceinline__ float toFloat(unsigned short bits) {
    return __uint_as_float((unsigned int)bits << 16);
  }
};

using Float16 = SixteenBit<Float16Bits>;
using BFloat16 = SixteenBit<BFloat16Bits>;
