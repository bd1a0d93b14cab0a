// A libcuda whose device is the processor. It knows the calls that the package makes, keeps the order of streams (an operation runs only
// when somebody asks for its end, so that memory reused too early shows), refuses what a driver refuses, counts what is held, and fails
// where the tests say so.
#include "emulate.h"

#include "../../../../cuda/logprobs.cu"

#include "fake-cuda.h"

#include <stdint.h>
#include <stdlib.h>

#include <deque>
#include <map>
#include <string>

namespace {

constexpr int INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100, INVALID_DEVICE = 101, INVALID_CONTEXT = 201,
              NO_BINARY = 209, INVALID_PTX = 218, UNSUPPORTED_PTX = 222, INVALID_HANDLE = 400, NOT_FOUND = 500, NOT_READY = 600,
              ILLEGAL_ADDRESS = 700, LAUNCH_FAILED = 719;
constexpr size_t GUARD_BYTES = 256;
constexpr unsigned char GUARD = 0xa5;

struct Allocation {
  size_t bytes;
  char* block;
};

struct Stream {
  std::deque<std::function<void()>> waiting;
};

struct Event {
  Stream* stream = nullptr;
  bool isDone = true;
  int polls = 0;
};

struct Failure {
  int skip, code;
};

struct Device {
  std::map<std::string, long> settings, calls;
  std::map<std::string, Failure> failures;
  std::map<uintptr_t, Allocation> device, pinned;
  std::vector<Stream*> streams;
  size_t deviceBytes = 0;
  long objects = 0, damaged = 0;
  int broken = 0;
  bool isInitialized = false;
};

Device fake;
thread_local void* currentContext = nullptr;

long setting(const char* name, long otherwise) {
  const auto found = fake.settings.find(name);
  return found == fake.settings.end() ? otherwise : found->second;
}

int enter(const char* name, bool needsContext) {
  fake.calls[name]++;
  const auto failure = fake.failures.find(name);
  if (failure != fake.failures.end() && failure->second.skip-- <= 0) {
    const int code = failure->second.code;
    fake.failures.erase(failure);
    return code;
  }
  if (fake.broken) return fake.broken;
  if (needsContext && !fake.isInitialized) return NOT_INITIALIZED;
  if (needsContext && currentContext == nullptr) return INVALID_CONTEXT;
  return 0;
}

#define ENTER(needsContext)                                       \
  if (const int failed = enter(__func__, needsContext)) return failed

void drain(Stream* stream) {
  while (!stream->waiting.empty()) {
    const auto operation = stream->waiting.front();
    stream->waiting.pop_front();
    operation();
  }
}

void drainAll() {
  for (Stream* stream : fake.streams) drain(stream);
}

uintptr_t hold(std::map<uintptr_t, Allocation>& where, size_t bytes) {
  char* block = (char*)aligned_alloc(256, ((bytes + 255) & ~(size_t)255) + 2 * GUARD_BYTES);
  memset(block, GUARD, bytes + 2 * GUARD_BYTES);
  const uintptr_t address = (uintptr_t)block + GUARD_BYTES;
  where[address] = {bytes, block};
  return address;
}

bool release(std::map<uintptr_t, Allocation>& where, uintptr_t address) {
  const auto found = where.find(address);
  if (found == where.end()) return false;
  drainAll();
  const Allocation& held = found->second;
  for (size_t i = 0; i < GUARD_BYTES; i++)
    if ((unsigned char)held.block[i] != GUARD || (unsigned char)held.block[GUARD_BYTES + held.bytes + i] != GUARD) {
      fake.damaged++;
      break;
    }
  free(held.block);
  where.erase(found);
  return true;
}

bool holds(const std::map<uintptr_t, Allocation>& where, uintptr_t address, size_t bytes) {
  auto after = where.upper_bound(address);
  if (after == where.begin()) return false;
  const auto& [start, held] = *--after;
  return address + bytes <= start + held.bytes;
}

/** A copy that leaves or enters memory of nobody breaks the context, as on a GPU. */
void copy(uintptr_t to, uintptr_t from, size_t bytes, uintptr_t onDevice) {
  if (holds(fake.device, onDevice, bytes))
    memcpy((void*)to, (const void*)from, bytes);
  else
    fake.broken = ILLEGAL_ADDRESS;
}

struct Arguments {
  uint64_t value[16];
  template <typename Value>
  Value at(int i) const {
    Value out;
    memcpy(&out, &value[i], sizeof out);
    return out;
  }
};

using Call = std::function<void(const Arguments&)>;

template <typename Result, typename... Parameters, size_t... at>
Call callWith(Result (*kernel)(Parameters...), std::index_sequence<at...>) {
  return [kernel](const Arguments& given) { kernel(given.at<Parameters>(at)...); };
}

struct Kernel {
  int argumentCount;
  Call call;
};

template <typename Result, typename... Parameters>
Kernel kernelOf(Result (*kernel)(Parameters...)) {
  return {sizeof...(Parameters), callWith(kernel, std::index_sequence_for<Parameters...>{})};
}

std::map<std::string, Kernel>& kernels() {
  static std::map<std::string, Kernel> all = {
      {"sum_float32", kernelOf(sum_float32)},         {"sum_float16", kernelOf(sum_float16)},
      {"sum_bfloat16", kernelOf(sum_bfloat16)},       {"sum_all_float32", kernelOf(sum_all_float32)},
      {"sum_all_float16", kernelOf(sum_all_float16)}, {"sum_all_bfloat16", kernelOf(sum_all_bfloat16)},
      {"finish", kernelOf(finish)},                   {"top_float32", kernelOf(top_float32)},
      {"top_float16", kernelOf(top_float16)},         {"top_bfloat16", kernelOf(top_bfloat16)},
      {"add_bias", kernelOf(add_bias)},               {"widen_float16", kernelOf(widen_float16)},
      {"widen_bfloat16", kernelOf(widen_bfloat16)}};
  return all;
}

const std::map<int, const char*> NAMES = {{1, "CUDA_ERROR_INVALID_VALUE"},
                                          {2, "CUDA_ERROR_OUT_OF_MEMORY"},
                                          {3, "CUDA_ERROR_NOT_INITIALIZED"},
                                          {100, "CUDA_ERROR_NO_DEVICE"},
                                          {101, "CUDA_ERROR_INVALID_DEVICE"},
                                          {200, "CUDA_ERROR_INVALID_IMAGE"},
                                          {201, "CUDA_ERROR_INVALID_CONTEXT"},
                                          {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
                                          {218, "CUDA_ERROR_INVALID_PTX"},
                                          {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
                                          {500, "CUDA_ERROR_NOT_FOUND"},
                                          {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
                                          {719, "CUDA_ERROR_LAUNCH_FAILED"},
                                          {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"}};

}  // namespace

/** The stream 0 waits for all others, and runs at once. */
void fakeEnqueue(void* stream, std::function<void()> operation) {
  if (stream != nullptr) return ((Stream*)stream)->waiting.push_back(std::move(operation));
  drainAll();
  operation();
}

bool fakeHolds(const void* address, size_t bytes) { return holds(fake.device, (uintptr_t)address, bytes); }

void fakeBreak() { fake.broken = ILLEGAL_ADDRESS; }

long* fakeObjects() { return &fake.objects; }

bool fakeHasContext() { return currentContext != nullptr; }

extern "C" {

// What the tests steer.

void fake_reset() {
  fake.settings.clear();
  fake.failures.clear();
  fake.calls.clear();
  fake.broken = 0;
  fake.damaged = 0;
}
void fake_set(const char* name, int64_t value) { fake.settings[name] = value; }
/** The call `name` gives `code` once, after `skip` calls that work. */
void fake_fail(const char* name, int skip, int code) { fake.failures[name] = {skip, code}; }
int64_t fake_calls(const char* name) { return fake.calls[name]; }
int64_t fake_device_bytes() { return fake.deviceBytes; }
int64_t fake_device_blocks() { return fake.device.size(); }
int64_t fake_pinned_blocks() { return fake.pinned.size(); }
/** Contexts, modules, streams, events and cuBLAS handles that are held. */
int64_t fake_objects() { return fake.objects; }
/** Blocks beside which somebody wrote. */
int64_t fake_damaged() { return fake.damaged; }

// What the package calls.

int cuInit(unsigned int) {
  ENTER(false);
  if (setting("devices", 1) == 0) return NO_DEVICE;
  fake.isInitialized = true;
  return 0;
}
int cuDriverGetVersion(int* version) {
  ENTER(false);
  *version = (int)setting("version", 13000);
  return 0;
}
int cuGetErrorName(int code, const char** name) {
  const auto found = NAMES.find(code);
  *name = found == NAMES.end() ? nullptr : found->second;
  return *name == nullptr ? INVALID_VALUE : 0;
}
int cuDeviceGetCount(int* count) {
  ENTER(false);
  *count = (int)setting("devices", 1);
  return 0;
}
int cuDeviceGet(int* device, int index) {
  ENTER(false);
  if (index < 0 || index >= setting("devices", 1)) return INVALID_DEVICE;
  *device = index;
  return 0;
}
int cuDeviceGetName(char* name, int length, int) {
  ENTER(false);
  strncpy(name, "Fake GPU", length);
  return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  ENTER(false);
  if (attribute == 75) *value = (int)setting("major", 9);
  if (attribute == 76) *value = (int)setting("minor", 0);
  return 0;
}
int cuDeviceTotalMem_v2(size_t* bytes, int) {
  ENTER(false);
  *bytes = setting("memory", 8l << 30);
  return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
  ENTER(false);
  fake.objects++;
  *context = (void*)(uintptr_t)(0x1000 + device);
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  ENTER(false);
  fake.objects--;
  return 0;
}
int cuCtxSetCurrent(void* context) {
  ENTER(false);
  currentContext = context;
  return 0;
}
int cuMemGetInfo_v2(size_t* free, size_t* total) {
  ENTER(true);
  *total = setting("memory", 8l << 30);
  *free = *total - fake.deviceBytes;
  return 0;
}

/** PTX is refused by its version and its target, a cubin by its architecture, as a driver does. */
int cuModuleLoadData(void** module, const char* image) {
  ENTER(true);
  const int major = (int)setting("major", 9), minor = (int)setting("minor", 0);
  const int version = (int)setting("version", 13000);
  if (memcmp(image, "\177ELF", 4) == 0) {
    if (major != 9 || minor != 0 || version < 13000) return NO_BINARY;
  } else {
    int isaMajor = 0, isaMinor = 0, target = 0;
    const char* at = strstr(image, ".version ");
    if (at == nullptr || sscanf(at, ".version %d.%d", &isaMajor, &isaMinor) != 2) return INVALID_PTX;
    at = strstr(image, ".target sm_");
    if (at == nullptr || sscanf(at, ".target sm_%d", &target) != 1) return INVALID_PTX;
    // CUDA 10.1 reads PTX 6.4, 11.0 reads 7.0, 12.0 reads 8.0.
    const int reads = version >= 11000 ? (version / 1000 - 4) * 10 + version % 1000 / 10 : 63 + (version % 1000) / 10;
    if (isaMajor * 10 + isaMinor > reads) return UNSUPPORTED_PTX;
    if (target > major * 10 + minor) return NO_BINARY;
  }
  fake.objects++;
  *module = (void*)0x2000;
  return 0;
}
int cuModuleUnload(void*) {
  ENTER(true);
  fake.objects--;
  return 0;
}
int cuModuleGetFunction(void** function, void*, const char* name) {
  ENTER(true);
  const auto found = kernels().find(name);
  if (found == kernels().end()) return NOT_FOUND;
  *function = &found->second;
  return 0;
}

int cuMemAlloc_v2(uintptr_t* pointer, size_t bytes) {
  ENTER(true);
  if (bytes == 0) return INVALID_VALUE;
  if (fake.deviceBytes + bytes > (size_t)setting("memory", 8l << 30)) return OUT_OF_MEMORY;
  *pointer = hold(fake.device, bytes);
  fake.deviceBytes += bytes;
  return 0;
}
int cuMemFree_v2(uintptr_t pointer) {
  ENTER(true);
  const auto found = fake.device.find(pointer);
  if (found == fake.device.end()) return INVALID_VALUE;
  fake.deviceBytes -= found->second.bytes;
  release(fake.device, pointer);
  return 0;
}
int cuMemHostAlloc(void** pointer, size_t bytes, unsigned int) {
  ENTER(true);
  *pointer = (void*)hold(fake.pinned, bytes);
  return 0;
}
int cuMemFreeHost(void* pointer) {
  ENTER(true);
  return release(fake.pinned, (uintptr_t)pointer) ? 0 : INVALID_VALUE;
}
int cuPointerGetAttribute(void* data, int, uintptr_t pointer) {
  ENTER(true);
  if (!holds(fake.device, pointer, 1)) return INVALID_VALUE;
  *(unsigned int*)data = 2;
  return 0;
}

int cuMemcpyHtoD_v2(uintptr_t to, const void* from, size_t bytes) {
  ENTER(true);
  drainAll();
  copy(to, (uintptr_t)from, bytes, to);
  return fake.broken;
}
int cuMemcpyDtoH_v2(void* to, uintptr_t from, size_t bytes) {
  ENTER(true);
  drainAll();
  copy((uintptr_t)to, from, bytes, from);
  return fake.broken;
}
int cuMemcpyDtoD_v2(uintptr_t to, uintptr_t from, size_t bytes) {
  ENTER(true);
  drainAll();
  copy(to, from, bytes, to);
  return fake.broken;
}
/** From pinned memory the copy comes later; from other memory the driver has read it when it returns. */
int cuMemcpyHtoDAsync_v2(uintptr_t to, const void* from, size_t bytes, void* stream) {
  ENTER(true);
  const uintptr_t source = (uintptr_t)from;
  if (holds(fake.pinned, source, bytes)) {
    fakeEnqueue(stream, [=] { copy(to, source, bytes, to); });
  } else {
    const std::vector<char> kept((const char*)from, (const char*)from + bytes);
    fakeEnqueue(stream, [=] { copy(to, (uintptr_t)kept.data(), bytes, to); });
  }
  return 0;
}
int cuMemcpyDtoHAsync_v2(void* to, uintptr_t from, size_t bytes, void* stream) {
  ENTER(true);
  if (!holds(fake.pinned, (uintptr_t)to, bytes)) return INVALID_VALUE;
  fakeEnqueue(stream, [=] { copy((uintptr_t)to, from, bytes, from); });
  return 0;
}

int cuStreamCreate(void** stream, unsigned int) {
  ENTER(true);
  fake.streams.push_back(new Stream());
  *stream = fake.streams.back();
  fake.objects++;
  return 0;
}
int cuStreamDestroy_v2(void* stream) {
  ENTER(true);
  drain((Stream*)stream);
  fake.streams.erase(std::find(fake.streams.begin(), fake.streams.end(), (Stream*)stream));
  delete (Stream*)stream;
  fake.objects--;
  return 0;
}
int cuStreamSynchronize(void* stream) {
  ENTER(true);
  if (stream == nullptr)
    drainAll();
  else
    drain((Stream*)stream);
  return fake.broken;
}
int cuEventCreate(void** event, unsigned int) {
  ENTER(true);
  *event = new Event();
  fake.objects++;
  return 0;
}
int cuEventDestroy_v2(void* event) {
  ENTER(true);
  delete (Event*)event;
  fake.objects--;
  return 0;
}
int cuEventRecord(void* event, void* stream) {
  ENTER(true);
  Event* mark = (Event*)event;
  mark->stream = (Stream*)stream;
  mark->isDone = false;
  mark->polls = (int)setting("polls", 2);
  fakeEnqueue(stream, [mark] { mark->isDone = true; });
  return 0;
}
int cuEventQuery(void* event) {
  ENTER(true);
  Event* mark = (Event*)event;
  if (!mark->isDone && mark->polls-- > 0) return NOT_READY;
  if (!mark->isDone) drain(mark->stream);
  return fake.broken;
}
int cuEventElapsedTime(float* ms, void*, void*) {
  ENTER(true);
  *ms = 1;
  return 0;
}

int cuLaunchKernel(void* function, unsigned int gridX, unsigned int gridY, unsigned int gridZ, unsigned int threadsX, unsigned int threadsY,
                   unsigned int threadsZ, unsigned int shared, void* stream, void** parameters, void** extra) {
  ENTER(true);
  if (gridX < 1 || gridY < 1 || gridY > 65535 || gridZ != 1 || threadsX < 1 || threadsX > 1024 || threadsY != 1 || threadsZ != 1 ||
      shared != 0 || extra != nullptr)
    return INVALID_VALUE;
  const Kernel* kernel = (const Kernel*)function;
  Arguments given;
  for (int i = 0; i < kernel->argumentCount; i++) memcpy(&given.value[i], parameters[i], sizeof(uint64_t));
  const Index3 grid = {gridX, gridY, 1}, threads = {threadsX == 512 ? THREADS : threadsX, 1, 1};
  fakeEnqueue(stream, [=] {
    if (!holds(fake.device, given.value[0], 1))
      fake.broken = ILLEGAL_ADDRESS;
    else
      emulated::launch(grid, threads, [&] { kernel->call(given); });
  });
  return 0;
}

}  // extern "C"
