// Rates of CUB, and of Thrust's set operations, on the inputs of algorithms_bench.cpp, expression_bench.cpp, sort_bench.cpp
// and segmented_bench.cpp, timed alike: calls back to back, one wait.
//
//   nvcc -O3 -std=c++17 -arch=native --extended-lambda tests/bench/primitives/cub_peer.cu -o cub_peer && ./cub_peer
//
// Not part of the build. Prints one line for each algorithm and size: name, size, milliseconds, G items/s.
#include <thrust/execution_policy.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/set_operations.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <cub/device/device_transform.cuh>
#include <cuda/functional>
#include <cuda/std/functional>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

template <class T>
T* device_array(std::size_t size) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, std::max<std::size_t>(1, size) * sizeof(T)), "cudaMalloc");
  return static_cast<T*>(memory);
}

template <class T>
T* device_array(const std::vector<T>& host) {
  T* memory = device_array<T>(host.size());
  check(cudaMemcpy(memory, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  return memory;
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void* scratch = nullptr;
std::size_t scratch_size = 0;

// `call(scratch, bytes)` is a CUB function with its other arguments bound. `prepare` runs before each call; its time
// is subtracted.
template <class Call>
void measure(const char* name, std::size_t size, Call call, const std::function<void()>& prepare = {}) {
  std::size_t bytes = 0;
  check(call(nullptr, bytes), name);
  if (bytes > scratch_size) {
    if (scratch) check(cudaFree(scratch), "cudaFree");
    check(cudaMalloc(&scratch, bytes), "cudaMalloc");
    scratch_size = bytes;
  }
  const auto rounds_take = [&](int rounds, bool with_call) {
    cudaDeviceSynchronize();
    const double start = seconds();
    for (int i = 0; i < rounds; ++i) {
      if (prepare) prepare();
      if (with_call) check(call(scratch, bytes), name);
    }
    check(cudaDeviceSynchronize(), name);
    return seconds() - start;
  };
  rounds_take(2, true);
  const int rounds = static_cast<int>(std::max(3.0, std::min(300.0, 0.05 / (rounds_take(2, true) / 2 + 1e-7))));
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const double prepared = prepare ? rounds_take(rounds, false) : 0;
    best = std::min(best, (rounds_take(rounds, true) - prepared) / rounds);
  }
  std::printf("%-44s 2^%-3.0f %10.4f %10.3f\n", name, std::log2(static_cast<double>(size)), best * 1e3,
              static_cast<double>(size) / best / 1e9);
  std::fflush(stdout);
}

struct Square {
  __host__ __device__ float operator()(float x) const { return x * x; }
};
struct Affine {
  __host__ __device__ float operator()(float x) const { return x * 2 + 1; }
};
struct Half {
  __host__ __device__ bool operator()(std::uint32_t x) const { return x < 0x80000000u; }
};
struct Less {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const { return a < b; }
};

// The offsets of segmented_bench.cpp. `length` 0: one segment has half of the elements, the others have 10.
std::vector<std::uint32_t> offsets_of(std::size_t length, std::size_t size) {
  std::vector<std::uint32_t> offsets{0};
  const std::size_t usual = length != 0 ? length : 10;
  while (offsets.back() < size) {
    const bool huge = length == 0 && offsets.back() <= size / 4 && offsets.back() + usual > size / 4;
    offsets.push_back(static_cast<std::uint32_t>(std::min(size, offsets.back() + (huge ? size / 2 : usual))));
  }
  return offsets;
}

void run_segments(const char* name, std::size_t length, const float* in, std::size_t size) {
  const std::vector<std::uint32_t> host = offsets_of(length, size);
  const std::uint32_t* offsets = device_array(host);
  const auto segments = static_cast<std::int64_t>(host.size() - 1);
  float* totals = device_array<float>(host.size());
  auto* places = device_array<cub::KeyValuePair<int, float>>(host.size());
  using Bytes = std::size_t&;
  const auto row = [&](const char* call) { return std::string(call) + ", " + name + "/f32"; };
  measure(row("segmented_reduce by sum").c_str(), size, [&](void* t, Bytes b) {
    return cub::DeviceSegmentedReduce::Sum(t, b, in, totals, segments, offsets, offsets + 1);
  });
  measure(row("segmented_reduce by max").c_str(), size, [&](void* t, Bytes b) {
    return cub::DeviceSegmentedReduce::Max(t, b, in, totals, segments, offsets, offsets + 1);
  });
  measure(row("segmented_arg_max").c_str(), size, [&](void* t, Bytes b) {
    return cub::DeviceSegmentedReduce::ArgMax(t, b, in, places, segments, offsets, offsets + 1);
  });
  for (void* memory : {(void*)offsets, (void*)totals, (void*)places}) cudaFree(memory);
}

void run(std::size_t size) {
  const auto n = static_cast<int>(size);
  std::mt19937_64 random(1);
  std::vector<float> floats(size);
  std::vector<std::uint32_t> words(size), runs(size);
  std::vector<std::uint8_t> half(size);
  for (std::size_t i = 0; i < size; ++i) {
    words[i] = static_cast<std::uint32_t>(random());
    floats[i] = static_cast<float>(words[i]);
    runs[i] = static_cast<std::uint32_t>(i / 4);
    half[i] = words[i] & 1;
  }
  const float* in = device_array(floats);
  float* work = device_array(floats);
  float* out = device_array<float>(size);
  const std::uint32_t* u = device_array(words);
  std::uint32_t* u_work = device_array(words);
  std::uint32_t* u_out = device_array<std::uint32_t>(size);
  const std::uint32_t* keys = device_array(runs);
  std::uint64_t* wide = device_array<std::uint64_t>(size);
  std::uint64_t* wide_out = device_array<std::uint64_t>(size);
  std::uint32_t* counts = device_array<std::uint32_t>(size);
  std::uint64_t* count = device_array<std::uint64_t>(1);
  auto* place = device_array<std::int64_t>(1);
  const std::uint8_t* flags = device_array(half);
  using Bytes = std::size_t&;

  measure("transform x * 2 + 1/f32", size, [&](void*, Bytes bytes) {
    bytes = 1;
    return cub::DeviceTransform::Transform(in, out, n, Affine());
  });
  measure("reduce by max/f32", size, [&](void* t, Bytes b) { return cub::DeviceReduce::Max(t, b, in, out, n); });
  const auto squares = thrust::make_transform_iterator(in, Square());
  measure("sum of squares/f32", size, [&](void* t, Bytes b) { return cub::DeviceReduce::Sum(t, b, squares, out, n); });
  measure("arg max/f32", size, [&](void* t, Bytes b) { return cub::DeviceReduce::ArgMax(t, b, in, out, place, n); });
  measure("inclusive scan by sum/f32", size,
          [&](void* t, Bytes b) { return cub::DeviceScan::InclusiveSum(t, b, in, out, n); });
  measure("inclusive scan by max/f32", size,
          [&](void* t, Bytes b) { return cub::DeviceScan::InclusiveScan(t, b, in, out, cuda::maximum<>(), n); });
  measure("exclusive scan/u32", size,
          [&](void* t, Bytes b) { return cub::DeviceScan::ExclusiveSum(t, b, u, u_out, n); });
  measure("inclusive scan by key/f32", size,
          [&](void* t, Bytes b) { return cub::DeviceScan::InclusiveSumByKey(t, b, keys, in, out, n); });
  measure("reduce by key, runs of 4/f32", size, [&](void* t, Bytes b) {
    return cub::DeviceReduce::ReduceByKey(t, b, keys, u_out, in, out, count, cuda::std::plus<>(), n);
  });
  measure("run length encode, runs of 4/u32", size, [&](void* t, Bytes b) {
    return cub::DeviceRunLengthEncode::Encode(t, b, keys, u_out, counts, count, n);
  });
  measure("unique_by_key, runs of 4/u32+u32", size, [&](void* t, Bytes b) {
    return cub::DeviceSelect::UniqueByKey(t, b, keys, u, u_out, counts, count, n);
  });
  measure("select_if half/u32", size,
          [&](void* t, Bytes b) { return cub::DeviceSelect::If(t, b, u, u_out, count, n, Half()); });
  measure("partition half/u32", size,
          [&](void* t, Bytes b) { return cub::DevicePartition::If(t, b, u, u_out, count, n, Half()); });
  measure("histogram_even, 256 bins/f32", size, [&](void* t, Bytes b) {
    return cub::DeviceHistogram::HistogramEven(t, b, in, reinterpret_cast<int*>(u_out), 257, 0.0f, 4294967296.0f, n);
  });
  std::vector<std::uint32_t> host_levels(257);
  for (std::size_t i = 0; i < 256; ++i) host_levels[i] = static_cast<std::uint32_t>(i << 24);
  host_levels[256] = 0xffffffffu;
  const std::uint32_t* levels = device_array(host_levels);
  measure("histogram_range, 256 bins/u32", size, [&](void* t, Bytes b) {
    return cub::DeviceHistogram::HistogramRange(t, b, u, reinterpret_cast<int*>(u_out), 257, levels, n);
  });
  measure("select by flags/u32", size, [&](void* t, Bytes b) {
    return cub::DeviceSelect::Flagged(t, b, u, flags, u_out, count, n);
  });
  measure("unique, runs of 4/u32", size,
          [&](void* t, Bytes b) { return cub::DeviceSelect::Unique(t, b, keys, u_out, count, n); });
  // Two sorted halves; Thrust's calls wait for their result.
  std::sort(words.begin(), words.begin() + n / 2);
  std::sort(words.begin() + n / 2, words.end());
  const std::uint32_t* sorted = device_array(words);
  const std::uint32_t* more = sorted + n / 2;
  measure("merge/u32", size, [&](void* t, Bytes b) {
    return cub::DeviceMerge::MergeKeys(t, b, sorted, n / 2, more, n / 2, u_out, Less());
  });
  measure("set_union/u32 (Thrust)", size, [&](void*, Bytes bytes) {
    bytes = 1;
    thrust::set_union(thrust::device, sorted, sorted + n / 2, more, more + n / 2, u_out);
    return cudaSuccess;
  });
  measure("set_intersection/u32 (Thrust)", size, [&](void*, Bytes bytes) {
    bytes = 1;
    thrust::set_intersection(thrust::device, sorted, sorted + n / 2, more, more + n / 2, u_out);
    return cudaSuccess;
  });
  measure("adjacent_difference/u32", size, [&](void* t, Bytes b) {
    return cub::DeviceAdjacentDifference::SubtractLeftCopy(t, b, u, u_out, n);
  });
  run_segments("segments of 10", 10, in, size);
  run_segments("segments of 1000", 1000, in, size);
  run_segments("skewed", 0, in, size);
  const auto restore = [&] { cudaMemcpyAsync(work, in, size * sizeof(float), cudaMemcpyDeviceToDevice); };
  const auto restore_words = [&] { cudaMemcpyAsync(u_work, u, size * 4, cudaMemcpyDeviceToDevice); };
  measure("sort_copy/f32", size,
          [&](void* t, Bytes b) { return cub::DeviceRadixSort::SortKeys(t, b, in, out, n); });
  measure("sort, double buffer/f32", size, [&](void* t, Bytes b) {
    cub::DoubleBuffer<float> both(work, out);
    return cub::DeviceRadixSort::SortKeys(t, b, both, n);
  }, restore);
  measure("sort descending/f32", size,
          [&](void* t, Bytes b) { return cub::DeviceRadixSort::SortKeysDescending(t, b, in, out, n); });
  measure("sort with values of 8 bytes/f32", size,
          [&](void* t, Bytes b) { return cub::DeviceRadixSort::SortPairs(t, b, in, out, wide, wide_out, n); });
  measure("sort/u32", size, [&](void* t, Bytes b) { return cub::DeviceRadixSort::SortKeys(t, b, u, u_out, n); });
  measure("sort/u32+u32", size, [&](void* t, Bytes b) {
    return cub::DeviceRadixSort::SortPairs(t, b, u, u_out, keys, counts, n);
  });
  measure("merge_sort/u32", size, [&](void* t, Bytes b) {
    return cub::DeviceMergeSort::StableSortKeys(t, b, u_work, n, Less());
  }, restore_words);
  measure("copy_buffer/f32", size, [&](void*, Bytes bytes) {
    bytes = 1;
    return cudaMemcpyAsync(out, in, size * sizeof(float), cudaMemcpyDeviceToDevice);
  });
  for (void* memory : {(void*)in, (void*)work, (void*)out, (void*)u, (void*)u_work, (void*)u_out, (void*)keys,
                       (void*)wide, (void*)wide_out, (void*)counts, (void*)count, (void*)place, (void*)flags,
                       (void*)levels, (void*)sorted})
    cudaFree(memory);
}

}  // namespace

int main() {
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0), "device");
  std::printf("%s, CUB %d\n", device.name, CUB_VERSION);
  for (const unsigned bits : {20u, 28u}) run(std::size_t{1} << bits);
}
