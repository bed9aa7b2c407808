#include "overlap/derived_output.hpp"

#include <algorithm>
#include <optional>

#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "overlap/number_output.hpp"

namespace program {
namespace {

/// Takes the array's positions as they come.
template <class Position>
class Derived {
 public:
  using Positions = std::span<const Position>;

  Derived(const ArraySettings& settings, const overlap::Text& text, genocl::io::OutputFile& out)
      : settings_(settings), text_(text), out_(out), width_(number_width(settings, text.size())) {
    if (settings.what == "bwt") transform_.emplace(text);
    if (settings.what == "isa") inverse_.emplace(text.size(), sizeof(Position) == 8);
    if (settings.check) kept_.reserve(text.size());
  }

  void add(Positions positions) {
    if (settings_.check) kept_.insert(kept_.end(), positions.begin(), positions.end());
    if (transform_) {
      const std::span<const std::uint8_t> symbols = transform_->add(positions);
      out_.write({reinterpret_cast<const char*>(symbols.data()), symbols.size()});
    } else if (inverse_) {
      inverse_->add(positions);
    } else {
      records_.resize(positions.size());
      overlap::documents_of(text_, positions, records_);
      write_numbers(out_, std::span<const std::uint32_t>(records_), width_);
    }
  }

  /// All have come.
  void finish(const genocl::Device& device, Steps& steps, DerivedReport& report) {
    if (settings_.check) {
      steps.begin("check");
      check_positions(settings_, text_, device, [this](std::uint64_t first, std::span<std::uint64_t> some) {
        std::copy_n(kept_.begin() + static_cast<std::ptrdiff_t>(first), some.size(), some.begin());
      });
    }
    if (transform_ && !text_.has_separators())
      report.more.emplace_back("primary", std::to_string(transform_->primary()));
    if (!inverse_) return;
    steps.begin("write");
    if constexpr (sizeof(Position) == 8)
      write_numbers(out_, inverse_->wide(), width_);
    else
      write_numbers(out_, inverse_->narrow(), width_);
  }

 private:
  const ArraySettings& settings_;
  const overlap::Text& text_;
  genocl::io::OutputFile& out_;
  std::size_t width_;
  std::optional<overlap::BwtFromPieces> transform_;
  std::optional<overlap::InverseFromPieces> inverse_;
  std::vector<std::uint32_t> records_;
  std::vector<Position> kept_;
};

template <class Position>
DerivedReport derive(const ArraySettings& settings, const overlap::Text& text, std::span<const genocl::Device> devices,
                     genocl::io::OutputFile& out, const overlap::PieceOptions& options, Steps& steps) {
  Derived<Position> derived(settings, text, out);
  DerivedReport report;
  report.array = overlap::sort_in_pieces(
      devices, text, overlap::PositionSink<Position>([&](std::span<const Position> some) { derived.add(some); }),
      options);
  derived.finish(devices.front(), steps, report);
  return report;
}

}  // namespace

void check_positions(const ArraySettings& settings, const overlap::Text& text, const genocl::Device& device,
                     const overlap::PositionSource& positions) {
  ProgressBar bar("checked", settings.common.quiet, "M", 1e6);
  const std::optional<std::uint64_t> wrong = overlap::first_error(device, text, text.size(), positions, bar.progress());
  if (wrong) throw genocl::Error("--check: the suffix array is wrong at index " + std::to_string(*wrong));
}

DerivedReport write_derived(const ArraySettings& settings, const overlap::Text& text,
                            std::span<const genocl::Device> devices, genocl::io::OutputFile& out,
                            const overlap::PieceOptions& options, Steps& steps) {
  return text.size() > overlap::Text::longest ? derive<std::uint64_t>(settings, text, devices, out, options, steps)
                                              : derive<std::uint32_t>(settings, text, devices, out, options, steps);
}

}  // namespace program
