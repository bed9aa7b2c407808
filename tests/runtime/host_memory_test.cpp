#include "runtime/host_memory.hpp"

#include <doctest/doctest.h>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "genocl/error.hpp"
#include "runtime/helpers.hpp"

using namespace genocl;
using namespace genocl_test;
using runtime::available_host_memory;

TEST_CASE("host memory: what the kernel has") {
  const TemporaryFolder root;
  CHECK(available_host_memory(root.path()) == runtime::no_limit);
  write_file(root.path() / "proc/meminfo", "MemTotal:  8000 kB\nMemFree:  100 kB\nMemAvailable:   5000 kB\n");
  CHECK(available_host_memory(root.path()) == 5000 * 1024);
}

TEST_CASE("host memory: what control groups leave") {
  const TemporaryFolder root;
  const auto file = [&](const std::string& name, const std::string& text) { write_file(root.path() / name, text); };
  file("proc/meminfo", "MemAvailable: 1000000 kB\n");
  SUBCASE("version 2: the group's own limit, and that of the group around it") {
    file("proc/self/cgroup", "0::/jobs/mine\n");
    file("sys/fs/cgroup/jobs/mine/memory.max", "max\n");
    file("sys/fs/cgroup/jobs/mine/memory.current", "400000\n");
    file("sys/fs/cgroup/jobs/memory.max", "900000\n");
    file("sys/fs/cgroup/jobs/memory.current", "500000\n");
    CHECK(available_host_memory(root.path()) == 400000);
    // What was read of files makes room.
    file("sys/fs/cgroup/jobs/memory.stat", "anon 1\ninactive_file 30000\nactive_file 20000\n");
    CHECK(available_host_memory(root.path()) == 450000);
    file("sys/fs/cgroup/jobs/mine/memory.max", "410000\n");
    CHECK(available_host_memory(root.path()) == 10000);
    file("sys/fs/cgroup/jobs/mine/memory.current", "420000\n");
    CHECK(available_host_memory(root.path()) == 0);
  }
  SUBCASE("version 1, with a path of the host's that the container does not see") {
    file("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/docker/123\n0::/\n");
    file("sys/fs/cgroup/memory/memory.limit_in_bytes", "700000\n");
    file("sys/fs/cgroup/memory/memory.usage_in_bytes", "600000\n");
    file("sys/fs/cgroup/memory/memory.stat", "total_inactive_file 5000\ntotal_active_file 1000\n");
    CHECK(available_host_memory(root.path()) == 106000);
  }
  SUBCASE("nonsense is no limit") {
    file("proc/self/cgroup", "\nx\n0:\n::\n4:memory:/a\n");
    file("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "many\n");
    CHECK(available_host_memory(root.path()) == 1000000 * 1024ull);
  }
}

TEST_CASE("host memory: what the process's own limits leave") {
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_AS, &before) == 0);
  const TemporaryFolder root;
  // It has four pages of address space.
  write_file(root.path() / "proc/self/statm", "4 3 2 1 0 2 0\n");
  rlimit limit = before;
  limit.rlim_cur = rlim_t{1} << 46;
  if (before.rlim_max != RLIM_INFINITY) limit.rlim_cur = std::min(limit.rlim_cur, before.rlim_max);
  REQUIRE(::setrlimit(RLIMIT_AS, &limit) == 0);
  const std::uint64_t left = available_host_memory(root.path());
  CHECK(::setrlimit(RLIMIT_AS, &before) == 0);
  CHECK(left == limit.rlim_cur - 4 * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
}

TEST_CASE("host memory: too much is an error with both figures") {
  CHECK_NOTHROW(runtime::check_host_memory("a grid", 100, 100));
  CHECK_THROWS_WITH_AS(runtime::check_host_memory("a grid", 101, 100),
                       "a grid in the host's memory needs 101 bytes, there are 100 bytes", CapacityError);
  CHECK(available_host_memory() > 0);
}
