#include "runtime/kernel.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "runtime/helpers.hpp"
#include "runtime/kernel_source.hpp"
#include "runtime/pocl_launch_guard.hpp"

using namespace genocl;
using namespace genocl_test;

namespace {

std::vector<std::uint32_t> map_plus(const Device& device, const std::vector<std::uint32_t>& numbers,
                                    const runtime::Defines& defines = {}) {
  const Array<std::uint32_t> in(device, numbers);
  const Array<std::uint32_t> out(device, numbers.size());
  runtime::Kernel(device, "map.cl", "map_plus", defines)
      .args(in, out, static_cast<cl_ulong>(numbers.size()))
      .run((numbers.size() + 63) / 64, 64, 8 * numbers.size());
  return out.download();
}

}  // namespace

TEST_CASE("a kernel takes arrays, scalars and local memory, in one to three dimensions") {
  const Environment kernels("GENOCL_KERNEL_DIR", test_kernels().string());
  const Device device = Device::pick();
  CHECK(map_plus(device, {0, 1, 10}) == std::vector<std::uint32_t>{1, 3, 21});
  CHECK(map_plus(device, {0, 1, 10}, runtime::Defines().set("ADD", 5)) == std::vector<std::uint32_t>{5, 7, 25});
  CHECK(map_plus(device, {1}, runtime::Defines().set("ADD", 0xfffffffeu)) == std::vector<std::uint32_t>{0});

  const Array<std::uint32_t> sums(device, 3);
  runtime::Kernel group_sums(device, "map.cl", "group_sums");
  CHECK(group_sums.max_group_size() >= 1);
  group_sums.args(runtime::LocalBytes{16 * 4}, sums).run(3, 16);
  CHECK(sums.download() == std::vector<std::uint32_t>{120, 120, 120});

  const Array<std::uint32_t> cells(device, 8 * 4 * 2);
  runtime::Kernel(device, "map.cl", "coordinates").args(cells).run({2, 2, 2}, {4, 2, 1});
  const auto values = cells.download();
  for (std::uint32_t z = 0; z < 2; ++z)
    for (std::uint32_t y = 0; y < 4; ++y)
      for (std::uint32_t x = 0; x < 8; ++x) CHECK(values[(z * 4 + y) * 8 + x] == x + 10 * y + 100 * z);
}

TEST_CASE("a launch of no groups does nothing") {
  const Environment kernels("GENOCL_KERNEL_DIR", test_kernels().string());
  const Device device = Device::pick();
  CHECK(map_plus(device, {}).empty());
}

TEST_CASE("defines are sorted names with integers or names") {
  using runtime::Defines;
  CHECK(Defines().set("B", 2).set("A", "uint").options() == " -DA=uint -DB=2");
  CHECK(Defines().set("A", -1).options() == " -DA=-1");
  CHECK(Defines().set("A", 0x100000000ull).options() == " -DA=4294967296UL");
  CHECK(Defines().set("A", 1).set("A", 2).options() == " -DA=2");
  CHECK_THROWS_AS(Defines().set("A", "1 -DB"), InputError);
  CHECK_THROWS_AS(Defines().set("A B", 1), InputError);
  CHECK_THROWS_AS(Defines().set("", 1), InputError);
}

TEST_CASE("a build error names file and line and carries the log") {
  const Environment kernels("GENOCL_KERNEL_DIR", test_kernels().string());
  const Device device = Device::pick();
  try {
    runtime::Kernel(device, "broken.cl", "never");
    FAIL("it compiled");
  } catch (const BuildError& error) {
    const std::string message = error.what();
    INFO(error.log());
    CHECK(contains(error.log(), "common/broken.clh:3"));
    CHECK(contains(message, "common/broken.clh:3"));
    CHECK_FALSE(contains(message, "\n"));
    CHECK(error.file() == "broken.cl");
    CHECK(error.code() == CL_BUILD_PROGRAM_FAILURE);
    CHECK(contains(message, "CL_BUILD_PROGRAM_FAILURE"));
  }
}

TEST_CASE("a missing kernel or file is an error that says where it was looked for") {
  const Environment kernels("GENOCL_KERNEL_DIR", test_kernels().string());
  const Device device = Device::pick();
  const std::string include = message_of<BuildError>([&] { runtime::Kernel(device, "missing.cl", "never"); });
  CHECK(contains(include, "common/nowhere.clh"));
  CHECK(contains(include, "missing.cl:2"));
  const std::string file = message_of<BuildError>([&] { runtime::Kernel(device, "nothing.cl", "never"); });
  CHECK(contains(file, "nothing.cl"));
  CHECK(contains(file, "GENOCL_KERNEL_DIR="));
  const std::string kernel = message_of<DeviceError>([&] { runtime::Kernel(device, "map.cl", "nobody"); });
  CHECK(contains(kernel, "nobody"));
  CHECK(contains(kernel, "CL_INVALID_KERNEL_NAME"));
}

TEST_CASE("launch errors say which kernel and what OpenCL said") {
  const Environment kernels("GENOCL_KERNEL_DIR", test_kernels().string());
  const Device device = Device::pick();
  runtime::Kernel kernel(device, "map.cl", "group_sums");
  const Array<std::uint32_t> out(device, 1);
  kernel.args(runtime::LocalBytes{4}, out);
  const std::string message = message_of<DeviceError>([&] { kernel.run(1, std::size_t{1} << 30); });
  CHECK(contains(message, "group_sums"));
  CHECK(contains(message, device.info().name));
  CHECK(contains(message, "CL_"));
  CHECK_THROWS_AS(kernel.args(out, out, out, out), DeviceError);
}

TEST_CASE("includes are expanded once, with #line") {
  const runtime::KernelSources sources(test_kernels());
  const std::string text = sources.expand("map.cl");
  CHECK(text.find("inline uint twice") != std::string::npos);
  CHECK(text.find("inline uint twice") == text.rfind("inline uint twice"));
  CHECK_FALSE(contains(text, "#include"));
  CHECK(contains(text, "#line 1 \"map.cl\""));
  CHECK(contains(text, "#line 1 \"common/plus.clh\""));
  CHECK(contains(text, "#line 3 \"map.cl\"\n// out[i]"));
  CHECK(sources.files() == std::vector<std::string>{"broken.cl", "common/probe_ptx.cl", "map.cl", "missing.cl"});
}

TEST_CASE("lines that a compiler counts in the whole text are given back to their files") {
  const std::string source = runtime::KernelSources(test_kernels()).expand("broken.cl");
  CHECK(runtime::resolve_lines("<kernel>:9:37: error: no 'y'\n<kernel>:11:1: note", source) ==
        "common/broken.clh:3:37: error: no 'y'\nbroken.cl:3:1: note");
  CHECK(runtime::resolve_lines("<kernel>:999: x <kernel>: y <kernel>:0", source) ==
        "<kernel>:999: x <kernel>: y <kernel>:0");
  CHECK(runtime::resolve_lines("common/a.clh:3: error", source) == "common/a.clh:3: error");
}

TEST_CASE("GENOCL_KERNEL_DIR: right, wrong, and with an edited kernel") {
  {
    const Environment wrong("GENOCL_KERNEL_DIR", "/nonexistent/kernels");
    const Device device = Device::pick();  // choosing needs no kernels
    const std::string message = message_of<InputError>([&] { map_plus(device, {1}); });
    CHECK(contains(message, "GENOCL_KERNEL_DIR"));
    CHECK(contains(message, "/nonexistent/kernels"));
  }
  const TemporaryFolder folder;
  std::filesystem::copy(test_kernels(), folder.path(), std::filesystem::copy_options::recursive);
  const Environment edited("GENOCL_KERNEL_DIR", folder.path().string());
  CHECK(map_plus(Device::pick(), {4}) == std::vector<std::uint32_t>{9});
  // An edit in an included file alone must be seen: drivers' caches that follow includes by name miss it.
  write_file(folder.path() / "common/twice.clh", "inline uint twice(uint x) { return 3u * x; }\n");
  CHECK(map_plus(Device::pick(), {4}) == std::vector<std::uint32_t>{13});
}

TEST_CASE("without GENOCL_KERNEL_DIR the library's own kernels are found, and the built-in copy equals them") {
  const Environment unset("GENOCL_KERNEL_DIR", nullptr);
  const auto sources = runtime::KernelSources::locate();
  const auto files = sources.files();
  REQUIRE_FALSE(files.empty());
  const runtime::KernelSources built_in{std::filesystem::path()};
  if (!built_in.files().empty()) {
    CHECK(built_in.files() == files);
    for (const std::string& file : files) CHECK(built_in.expand(file) == sources.expand(file));
  }
}

TEST_CASE("profile: launches, seconds and bytes of each kernel") {
  const Environment kernels("GENOCL_KERNEL_DIR", test_kernels().string());
  Device device = Device::pick();
  map_plus(device, {1, 2, 3});
  CHECK(device.profile().empty());
  device.enable_profiling();
  map_plus(device, {1, 2, 3});
  map_plus(device.with_own_queue(), {1, 2, 3, 4});
  const auto profile = device.profile();
  REQUIRE(profile.size() == 1);
  CHECK(profile[0].kernel == "map_plus");
  CHECK(profile[0].launches == 2);
  CHECK(profile[0].bytes == 8 * 7);
  CHECK(profile[0].seconds > 0);
  device.reset_profile();
  CHECK(device.profile().empty());
}

TEST_CASE("launches of all widths side by side on several queues of a device") {
  // PoCL before 6.0 aborts here when they are not put in order (runtime/pocl_launch_guard.hpp).
  const Environment kernels("GENOCL_KERNEL_DIR", test_kernels().string());
  const Device first = Device::pick();
  constexpr std::size_t most = 64, group_size = 16;
  std::vector<std::uint32_t> numbers(most * group_size);
  std::iota(numbers.begin(), numbers.end(), 0);
  // A kernel of its own for each round: a widest launch is widest once.
  for (unsigned round = 1; round <= 8; ++round) {
    std::vector<std::thread> threads;
    std::vector<std::vector<std::uint32_t>> results(3);
    for (std::size_t t = 0; t < results.size(); ++t)
      threads.emplace_back([&, t] {
        const Device device = first.with_own_queue();
        const Array<std::uint32_t> in(device, numbers);
        const Array<std::uint32_t> out(device, numbers.size());
        for (std::size_t groups = 1 + t; groups <= most;
             groups = groups == most ? most + 1 : std::min(3 * groups, most))
          runtime::Kernel(device, "map.cl", "slow_map", runtime::Defines().set("ADD", round))
              .args(in, out, static_cast<cl_ulong>(numbers.size()), static_cast<cl_uint>(500'000 / groups))
              .run(groups, group_size);
        results[t] = out.download();
      });
    for (std::thread& thread : threads) thread.join();
    std::size_t wrong = 0;
    for (const auto& result : results)
      for (std::size_t i = 0; i < numbers.size(); ++i) wrong += result[i] != numbers[i] + round;
    CHECK(wrong == 0);
  }
}

TEST_CASE("which drivers want the widest launch first") {
  CHECK(runtime::needs_launch_guard("OpenCL 3.0 PoCL 3.1+debian  Linux, None+Asserts, RELOC, SPIR, LLVM 15.0.6"));
  CHECK(runtime::needs_launch_guard("OpenCL 2.0 pocl 1.8  Linux"));
  CHECK(runtime::needs_launch_guard("OpenCL 3.0 PoCL 5.0+debian"));
  CHECK_FALSE(runtime::needs_launch_guard("OpenCL 3.0 PoCL 6.0  Linux"));
  CHECK_FALSE(runtime::needs_launch_guard("OpenCL 3.0 CUDA 12.8.97"));
}
