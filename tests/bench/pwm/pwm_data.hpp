// What the benchmarks of pwm are given: motifs and texts, real ones where they are at hand, else drawn.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/data.hpp"
#include "genocl/pwm.hpp"

namespace genocl_bench {

/// Columns of 20 sites, one letter more frequent than the others.
genocl::pwm::ScoreMatrix drawn_matrix(Drawn& drawn, std::size_t length);
/// All letters of a column score differently: words that tie are no help.
genocl::pwm::ScoreMatrix distinct_matrix(std::size_t length);

/// Of the file GENOCL_BENCH_MOTIFS, else of GENOCL_TEST_DATA's JASPAR 2024 (also compressed, where there is gzip);
/// empty where there is neither.
const std::vector<genocl::pwm::Motif>& bench_motifs();
/// Those of the file; without one as many as JASPAR 2024 has, as long as its are, drawn.
std::vector<genocl::pwm::ScoreMatrix> bench_matrices();

/// Matrices with exact thresholds for a P-value. Those whose best word is more probable are not looked for, and their
/// columns not counted.
class Collection {
 public:
  Collection(std::vector<genocl::pwm::ScoreMatrix> matrices, double p);

  const std::vector<genocl::pwm::ScoreMatrix>& matrices() const { return matrices_; }
  std::uint64_t columns() const { return columns_; }
  /// Takes seconds on a CPU: only for who needs them.
  const std::vector<double>& thresholds(const genocl::Device& device);

 private:
  std::vector<genocl::pwm::ScoreMatrix> matrices_;
  double p_;
  std::uint64_t columns_ = 0;
  std::vector<double> thresholds_;
};

/// One text at a time on the device.
class ResidentText {
 public:
  explicit ResidentText(const genocl::Device& device) : device_(device) {}
  const genocl::pwm::Text& of(std::uint64_t size);
  void release() { text_.reset(); }

 private:
  genocl::Device device_;
  std::uint64_t size_ = 0;
  std::optional<genocl::pwm::Text> text_;
};

/// Words of all slices, as BUCKET SCORE DISTRIBUTION cuts a matrix.
double bucket_words(std::size_t length, unsigned slices);

}  // namespace genocl_bench
