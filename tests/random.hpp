// Random numbers of the tests: one generator, and the seed that a failed test prints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace genocl_test {

/// GENOCL_TEST_SEED, or another number in each run. Tests that must not draw the same add different numbers to it.
inline std::uint64_t test_seed() {
  static const std::uint64_t seed = [] {
    if (const char* const given = std::getenv("GENOCL_TEST_SEED")) return std::strtoull(given, nullptr, 10);
    return static_cast<unsigned long long>(std::random_device{}());
  }();
  return seed;
}

/// Whether GENOCL_TEST_LONG=1 asks for every repetition. The tests labelled `release` set it.
inline bool long_tests() {
  static const char* const given = std::getenv("GENOCL_TEST_LONG");
  return given != nullptr && *given == '1';
}

/// The number of repetitions of a long random test: `count` in long tests, otherwise one in `share`, rounded up.
inline unsigned rounds(unsigned count, unsigned share = 4) {
  return long_tests() ? count : (count + share - 1) / share;
}

/// What draws from test_seed() begins with this, so that its failure says how to repeat it.
#define GENOCL_SHOW_SEED() INFO("GENOCL_TEST_SEED=", genocl_test::test_seed())

/// A generator whose numbers are the same with every standard library, which those of its distributions are not. It is
/// one to std::shuffle too.
class Random {
 public:
  using result_type = std::mt19937_64::result_type;

  explicit Random(std::uint64_t seed) : engine_(seed) {}

  static constexpr result_type min() { return std::mt19937_64::min(); }
  static constexpr result_type max() { return std::mt19937_64::max(); }
  result_type operator()() { return engine_(); }

  /// rounds(n, share) of n values, in random order; all of them in long tests.
  template <class T>
  std::vector<T> some_of(std::vector<T> all, unsigned share = 4) {
    for (std::size_t left = all.size(); left > 1; --left) std::swap(all[left - 1], all[below(left)]);
    all.resize(rounds(static_cast<unsigned>(all.size()), share));
    return all;
  }

  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }

  double between(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }

  /// Over the whole range of T; floats between -1000 and 1000.
  template <class T>
  T value() {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(between(-1000, 1000));
    else
      return static_cast<T>(engine_());
  }
  template <class T>
  std::vector<T> values(std::size_t count) {
    std::vector<T> all(count);
    for (T& one : all) one = value<T>();
    return all;
  }
  template <class T>
  std::vector<T> values_below(std::size_t count, std::uint64_t bound) {
    std::vector<T> all(count);
    for (T& one : all) one = static_cast<T>(below(bound));
    return all;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace genocl_test
