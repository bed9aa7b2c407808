#include "runtime/program_cache.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vector>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "runtime/helpers.hpp"
#include "runtime/kernel.hpp"

using namespace genocl;
using namespace genocl_test;

namespace {

std::uint32_t run_once() {
  const Environment one_program("GENOCL_VENDOR", "off");  // on NVIDIA the test compile for PTX would be another
  const Device device = Device::pick();
  const Array<std::uint32_t> in(device, std::vector<std::uint32_t>{20});
  const Array<std::uint32_t> out(device, 1);
  runtime::Kernel(device, "map.cl", "map_plus").args(in, out, cl_ulong{1}).run(1, 64);
  return out.download().front();
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(folder))
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  return files;
}

// Sees to it that no file can grow, as on a full disk, for a scope.
class FullDisk {
 public:
  FullDisk() : old_handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    rlimit none = old_;
    none.rlim_cur = 0;
    ::setrlimit(RLIMIT_FSIZE, &none);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    ::signal(SIGXFSZ, old_handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit old_{};
  void (*old_handler_)(int);
};

}  // namespace

TEST_CASE("a stored binary comes back only under exactly its key") {
  const TemporaryFolder folder;
  const Environment place("GENOCL_CACHE_DIR", (folder.path() / "deep/er").string());
  const runtime::BinaryCache cache;
  const std::vector<unsigned char> binary{1, 2, 3, 0, 255};
  CHECK_FALSE(cache.load("key").has_value());
  cache.store("key", binary);
  REQUIRE(cache.load("key").has_value());
  CHECK(*cache.load("key") == binary);
  CHECK_FALSE(cache.load("key ").has_value());
  CHECK(files_in(folder.path() / "deep/er").size() == 1);
  cache.store("key", {9});
  CHECK(*cache.load("key") == std::vector<unsigned char>{9});
}

TEST_CASE("the first of several folders that has a binary is read, the first that can be written is written") {
  const TemporaryFolder first, second;
  const auto in = [](const std::string& list) {
    const Environment place("GENOCL_CACHE_DIR", list);
    return runtime::BinaryCache();
  };
  const std::string one = first.path().string(), two = second.path().string();
  in(two).store("key", {2});
  CHECK(*in(one + ":" + two).load("key") == std::vector<unsigned char>{2});
  in("/dev/null/cache::" + one + ":" + two).store("key", {1});
  CHECK(*in(one).load("key") == std::vector<unsigned char>{1});
  CHECK(*in(two).load("key") == std::vector<unsigned char>{2});
  CHECK(*in(one + ":" + two).load("key") == std::vector<unsigned char>{1});
  CHECK(*in(two + ":" + one).load("key") == std::vector<unsigned char>{2});
  CHECK_FALSE(in(":").load("key").has_value());
}

TEST_CASE("a cache entry with any byte changed, or cut anywhere, is a miss") {
  const TemporaryFolder folder;
  const Environment place("GENOCL_CACHE_DIR", folder.path().string());
  const runtime::BinaryCache cache;
  cache.store("some key", {10, 20, 30, 40});
  const auto file = files_in(folder.path()).at(0);
  const std::string whole = read_file(file);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 0x40);
    write_file(file, changed);
    CAPTURE(i);
    CHECK_FALSE(cache.load("some key").has_value());
    write_file(file, whole.substr(0, i));
    CHECK_FALSE(cache.load("some key").has_value());
  }
  write_file(file, whole + "x");
  CHECK_FALSE(cache.load("some key").has_value());
  write_file(file, whole);
  CHECK(cache.load("some key").has_value());
}

TEST_CASE("programs are kept on disk and a corrupt entry is rebuilt in silence") {
  const TemporaryFolder folder;
  const Environment kernels("GENOCL_KERNEL_DIR", test_kernels().string());
  const Environment place("GENOCL_CACHE_DIR", folder.path().string());
  const Environment on("GENOCL_CACHE", "on");
  CHECK(run_once() == 41);
  auto files = files_in(folder.path());
  REQUIRE(files.size() == 1);
  const std::string whole = read_file(files[0]);
  CHECK(run_once() == 41);  // from the binary
  write_file(files[0], whole.substr(0, whole.size() / 2));
  CHECK(run_once() == 41);
  CHECK(read_file(files[0]).size() >= whole.size() / 2 + 1);  // written anew
  std::filesystem::remove(files[0]);
  std::filesystem::create_directory(files[0]);  // something else in its place
  CHECK(run_once() == 41);
}

TEST_CASE("a program compiles with the driver's declarations if ours do not suffice") {
  const TemporaryFolder folder;
  std::filesystem::copy(test_kernels(), folder.path() / "cl", std::filesystem::copy_options::recursive);
  const Environment kernels("GENOCL_KERNEL_DIR", (folder.path() / "cl").string());
  const Environment off("GENOCL_CACHE", "off");
  for (const char* declarations : {"uint not_needed(uint);\n", "no OpenCL C\n"}) {
    write_file(folder.path() / "cl/common/builtins.clh", declarations);
    CAPTURE(declarations);
    CHECK(run_once() == 41);
    CHECK(run_once() == 41);
  }
}

TEST_CASE("a binary that the driver does not take is rebuilt") {
  const TemporaryFolder folder;
  const Environment kernels("GENOCL_KERNEL_DIR", test_kernels().string());
  const Environment place("GENOCL_CACHE_DIR", folder.path().string());
  const Environment on("GENOCL_CACHE", "on");
  CHECK(run_once() == 41);
  const auto file = files_in(folder.path()).at(0);
  // A well-formed entry under the right key with a wrong binary inside: take the key out of the real one.
  const std::string whole = read_file(file);
  std::uint64_t key_bytes = 0;
  whole.copy(reinterpret_cast<char*>(&key_bytes), 8, 8);
  runtime::BinaryCache().store(whole.substr(32, key_bytes), {'n', 'o', 'n', 's', 'e', 'n', 's', 'e'});
  CHECK(run_once() == 41);
}

TEST_CASE("GENOCL_CACHE: off keeps nothing; the default leaves it to drivers that do it; anything else is an error") {
  const TemporaryFolder folder;
  const Environment kernels("GENOCL_KERNEL_DIR", test_kernels().string());
  const Environment place("GENOCL_CACHE_DIR", folder.path().string());
  {
    const Environment off("GENOCL_CACHE", "off");
    CHECK(run_once() == 41);
    CHECK(files_in(folder.path()).empty());
  }
  {
    const Environment automatic("GENOCL_CACHE", nullptr);
    CHECK(run_once() == 41);
    const std::string platform = Device::pick().info().platform;
    if (platform == "Portable Computing Language" || contains(platform, "NVIDIA"))
      CHECK(files_in(folder.path()).empty());
  }
  const Environment wrong("GENOCL_CACHE", "sometimes");
  CHECK(contains(message_of<InputError>([] { run_once(); }), "sometimes"));
}

TEST_CASE("an unwritable cache folder or a full disk costs nothing but the cache") {
  const TemporaryFolder folder;
  const Environment kernels("GENOCL_KERNEL_DIR", test_kernels().string());
  const Environment on("GENOCL_CACHE", "on");
  {
    const Environment place("GENOCL_CACHE_DIR", "/dev/null/cache");
    CHECK(run_once() == 41);
  }
  {
    const Environment place("GENOCL_CACHE_DIR", folder.path().string());
    std::filesystem::permissions(folder.path(),
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    CHECK(run_once() == 41);
    if (::geteuid() != 0) CHECK(files_in(folder.path()).empty());  // root writes anywhere
    std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
  }
  const TemporaryFolder full;
  const Environment place("GENOCL_CACHE_DIR", full.path().string());
  const runtime::BinaryCache cache;
  {
    const FullDisk no_space;
    cache.store("key", std::vector<unsigned char>(100000, 1));
  }
  CHECK_FALSE(cache.load("key").has_value());
  CHECK(files_in(full.path()).empty());  // no half-written file either
}

TEST_CASE("on_compiling is called once, when compiling has taken as long as it says") {
  const Environment kernels("GENOCL_KERNEL_DIR", test_kernels().string());
  const Device device = Device::pick();
  unsigned calls = 0;
  const auto compile = [&](unsigned add) {
    runtime::Kernel(device, "map.cl", "map_plus", runtime::Defines().set("ADD", add));
  };
  device.on_compiling([&] { ++calls; }, 1e9);
  compile(1001);
  CHECK(calls == 0);
  device.on_compiling([&] { ++calls; }, 0);
  compile(1001);  // compiled before
  CHECK(calls == 0);
  compile(1002);
  CHECK(calls == 1);
  compile(1003);
  CHECK(calls == 1);
  device.on_compiling({}, 0);
  compile(1004);
  CHECK(calls == 1);
}

TEST_CASE("on_compiling counts launches, at which some drivers compile") {
  const Environment kernels("GENOCL_KERNEL_DIR", test_kernels().string());
  const Device device = Device::pick();
  Array<std::uint32_t> values(device, 1);
  values.fill(1);
  unsigned calls = 0;
  runtime::Kernel kernel(device, "map.cl", "map_plus", runtime::Defines().set("ADD", 1001));
  kernel.args(values, values, std::uint64_t{1});
  device.on_compiling([&] { ++calls; }, 0);
  kernel.run(1, 1);
  CHECK(calls == 1);
  kernel.run(1, 1);
  CHECK(calls == 1);
  device.finish();
}

TEST_CASE("compile_seconds grows when a kernel is compiled and at its first launch, not after") {
  const Environment kernels("GENOCL_KERNEL_DIR", test_kernels().string());
  const Device device = Device::pick();
  Array<std::uint32_t> values(device, 1);
  values.fill(1);
  CHECK(device.compile_seconds() == 0);
  runtime::Kernel kernel(device, "map.cl", "map_plus", runtime::Defines().set("ADD", 1005));
  const double built = device.compile_seconds();
  CHECK(built > 0);
  kernel.args(values, values, std::uint64_t{1});
  kernel.run(1, 1);
  const double launched = device.compile_seconds();
  CHECK(launched > built);
  kernel.run(1, 1);
  runtime::Kernel(device, "map.cl", "map_plus", runtime::Defines().set("ADD", 1005));
  CHECK(device.compile_seconds() == launched);
  device.finish();
}
