// A process that forks after it has used a device: the child ends without waiting for the driver, whose threads it has
// not, and is told so where it uses the device.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/error.hpp"
#include "genocl/jacobi.hpp"
#include "genocl/opencl.hpp"
#include "genocl/primitives/reduce.hpp"
#include "genocl/primitives/sort.hpp"

using namespace genocl;

namespace {

constexpr int right = 7;

/// The child's exit status, or minus the signal that ended it. An alarm ends a child that waits.
template <class Child>
int status_of_child(Child&& child) {
  const pid_t id = fork();
  REQUIRE(id >= 0);
  if (id == 0) {
    alarm(30);
    child();
  }
  int status = 0;
  REQUIRE(waitpid(id, &status, 0) == id);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

template <class Use>
bool is_refused(Use&& use) {
  try {
    use();
  } catch (const DeviceError& error) {
    return std::string(error.what()).find("fork()") != std::string::npos;
  } catch (...) {
  }
  return false;
}

/// All that a program may keep in its static storage.
struct Kept {
  Device device = Device::pick();
  Device second = device.with_own_queue();
  std::optional<Device> adopted;
  Array<std::uint32_t> array;
  HostArray<std::uint32_t> pinned{device, 1000};
  std::unique_ptr<jacobi::Relaxation<float>> relaxation;

  Kept() {
    const std::vector<std::uint32_t> host{3, 2, 1};
    array = Array<std::uint32_t>(device, host);
    primitives::sort(device, array);
    REQUIRE(array.download() == std::vector<std::uint32_t>{1, 2, 3});
    adopted.emplace(device.queue());
    REQUIRE(primitives::sum(*adopted, array) == 6);
    REQUIRE(primitives::sum(device.companion(), array) == 6);
    jacobi::Grid<float> grid(100, 90, 1.0F);
    const std::vector<Device> two{device, second};
    relaxation = std::make_unique<jacobi::Relaxation<float>>(two, grid.shape(), jacobi::SolveOptions());
    relaxation->load(grid);
    relaxation->advance(8);
  }
};

}  // namespace

TEST_CASE("fork: a child that ends does not wait for the driver") {
  auto kept = std::make_unique<Kept>();
  CHECK(status_of_child([&] {
          kept.reset();
          _exit(right);
        }) == right);
  CHECK(status_of_child([&] { std::exit(right); }) == right);
  CHECK(primitives::sum(kept->device, kept->array) == 6);  // the parent's is as it was
  kept->relaxation->advance(8);
}

TEST_CASE("fork: a child that uses the device is told") {
  const Kept kept;
  jacobi::Grid<float> grid(100, 90);
  std::vector<std::uint32_t> host(3);
  const std::vector<std::function<void()>> uses{[&] { primitives::sum(kept.device, kept.array); },
                                                [&] { primitives::sum(*kept.adopted, kept.array); },
                                                [&] { const Array<std::uint32_t> more(kept.device, 10); },
                                                [&] { const HostArray<std::uint32_t> more(kept.device, 10); },
                                                [&] { kept.array.download(host); },
                                                [&] { const_cast<Array<std::uint32_t>&>(kept.array).upload(host); },
                                                [&] { const_cast<Array<std::uint32_t>&>(kept.array).fill(1); },
                                                [&] { kept.device.finish(); },
                                                [&] { kept.device.with_own_queue(); },
                                                [&] { jacobi::solve<float>(kept.device, grid, {.iterations = 3}); },
                                                [&] { kept.relaxation->advance(1); },
                                                [&] { kept.relaxation->store(grid); },
                                                [&] { Device::pick(); },
                                                [&] { Device::list("all"); }};
  for (std::size_t i = 0; i < uses.size(); ++i) {
    CAPTURE(i);
    CHECK(status_of_child([&] { _exit(is_refused(uses[i]) ? right : 1); }) == right);
  }
}

TEST_CASE("fork: a child of a child") {
  const Kept kept;
  CHECK(status_of_child([&] { _exit(status_of_child([&] { std::exit(right); })); }) == right);
}
