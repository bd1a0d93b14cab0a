// A cuBLAS with the one product that the package asks for, summed in float64.
#include "fake-cuda.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

namespace {

constexpr int NOT_INITIALIZED = 1, INVALID_VALUE = 7, NOT_SUPPORTED = 15;
constexpr int REAL_32F = 0, REAL_16F = 2, REAL_16BF = 14, COMPUTE_32F = 68;

struct Handle {
  void* stream = nullptr;
  int mathMode = 0;
};

int failNext = 0;

float halfToFloat(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const float size = exponent == 31  ? (fraction ? NAN : INFINITY)
                     : exponent == 0 ? ldexpf((float)fraction, -24)
                                     : ldexpf((float)(fraction + 1024), exponent - 25);
  return bits & 0x8000 ? -size : size;
}

float read(const void* data, int type, int64_t at) {
  if (type == REAL_32F) return ((const float*)data)[at];
  const uint16_t bits = ((const uint16_t*)data)[at];
  if (type == REAL_16F) return halfToFloat(bits);
  const uint32_t wide = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &wide, sizeof value);
  return value;
}

int64_t size(int type) { return type == REAL_32F ? 4 : 2; }

}  // namespace

extern "C" {

/** The next call of cuBLAS gives this status. */
void fake_cublas_fail(int status) { failNext = status; }

#define ENTER()                         \
  if (const int failed = failNext) {    \
    failNext = 0;                       \
    return failed;                      \
  }                                     \
  if (!fakeHasContext()) return NOT_INITIALIZED

int cublasCreate_v2(void** handle) {
  ENTER();
  *handle = new Handle();
  ++*fakeObjects();
  return 0;
}
int cublasDestroy_v2(void* handle) {
  delete (Handle*)handle;
  --*fakeObjects();
  return 0;
}
int cublasGetProperty(int type, int* value) {
  const int version[3] = {12, 4, 1};
  *value = version[type];
  return 0;
}
int cublasSetStream_v2(void* handle, void* stream) {
  ENTER();
  ((Handle*)handle)->stream = stream;
  return 0;
}
int cublasSetMathMode(void* handle, int mode) {
  ((Handle*)handle)->mathMode = mode;
  return 0;
}

/** C (m, n) = Aᵀ · B, column after column. */
int cublasGemmEx(void* handle, int transposeA, int transposeB, int m, int n, int k, const float* alpha, const void* a, int aType, int lda,
                 const void* b, int bType, int ldb, const float* beta, void* c, int cType, int ldc, int compute, int algorithm) {
  ENTER();
  if (transposeA != 1 || transposeB != 0 || *alpha != 1 || *beta != 0 || lda < k || ldb < k || ldc < m || algorithm != -1)
    return INVALID_VALUE;
  if (aType != bType || cType != REAL_32F || compute != COMPUTE_32F || (((Handle*)handle)->mathMode & 3) != 0) return NOT_SUPPORTED;
  fakeEnqueue(((Handle*)handle)->stream, [=] {
    const bool isHeld = fakeHolds(a, size(aType) * ((int64_t)(m - 1) * lda + k)) && fakeHolds(b, size(bType) * ((int64_t)(n - 1) * ldb + k)) &&
                        fakeHolds(c, 4 * ((int64_t)(n - 1) * ldc + m));
    if (!isHeld) return fakeBreak();
    for (int64_t column = 0; column < n; column++)
      for (int64_t row = 0; row < m; row++) {
        double sum = 0;
        for (int i = 0; i < k; i++) sum += (double)read(a, aType, row * lda + i) * read(b, bType, column * ldb + i);
        ((float*)c)[column * ldc + row] = (float)sum;
      }
  });
  return 0;
}

}  // extern "C"
