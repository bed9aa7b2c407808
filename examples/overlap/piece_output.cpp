#include "overlap/piece_output.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <optional>
#include <utility>

#include "common/json.hpp"
#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/version.hpp"
#include "overlap/number_output.hpp"

namespace program {
namespace {

using genocl::InputError;

/// From so many symbols on several GPUs take a share of the array each. (A CPU makes it faster as a whole.)
constexpr std::uint64_t shared_from = std::uint64_t{1} << 26;

genocl::Progress shown(ProgressBar& bar) {
  return [&bar](const genocl::ProgressState& state) {
    bar.show(state.fraction, state.items_done);
    return true;
  };
}

/// Numbers in a file, `width` bytes each, from `begin` on.
class NumberFile {
 public:
  NumberFile(const std::string& path, std::uint64_t begin, std::size_t width)
      : in_(path, std::ios::binary), path_(path), begin_(begin), width_(width) {}

  void read(std::uint64_t first, std::span<std::uint64_t> numbers) {
    in_.seekg(static_cast<std::streamoff>(begin_ + width_ * first));
    const bool as_they_are = std::endian::native == std::endian::little && width_ == sizeof(std::uint64_t);
    bytes_.resize(as_they_are ? 0 : width_ * numbers.size());
    in_.read(as_they_are ? reinterpret_cast<char*>(numbers.data()) : bytes_.data(),
             static_cast<std::streamsize>(width_ * numbers.size()));
    if (!in_) throw InputError(path_, {}, "cannot be read again, for --check");
    if (as_they_are) return;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = 0;
      for (std::size_t k = 0; k < width_; ++k)
        numbers[i] |= std::uint64_t{static_cast<unsigned char>(bytes_[width_ * i + k])} << (8 * k);
    }
  }

 private:
  std::ifstream in_;
  std::string path_, bytes_;
  std::uint64_t begin_;
  std::size_t width_;
};

void check_written(const ArraySettings& settings, const overlap::HostText& text, const genocl::Device& device,
                   genocl::io::OutputFile& out, std::size_t width) {
  const std::optional<genocl::io::SharedOutput> written = out.share();
  if (!written)
    throw InputError(out.file(), {}, "--check of an array in pieces reads it again", "a regular file to write");
  const std::uint64_t begin = written->begin - width * text.size();
  NumberFile numbers(written->path, begin, width);
  ProgressBar bar("checked", settings.common.quiet, "M", 1e6);
  const std::optional<std::uint64_t> wrong = overlap::first_error(
      device, text, text.size(),
      [&numbers](std::uint64_t first, std::span<std::uint64_t> some) { numbers.read(first, some); }, shown(bar));
  if (wrong) throw genocl::Error("--check: the suffix array is wrong at index " + std::to_string(*wrong));
  out.take_back(written->begin);
}

void tell_pieces(const ArraySettings& settings, const overlap::HostText& text, std::span<const genocl::Device> devices,
                 const overlap::PieceReport& report, std::size_t width, Steps& steps) {
  steps.end();
  if (settings.common.profile)
    for (const genocl::Device& device : devices) write_profile(std::cerr, device);
  if (!settings.report.empty()) {
    std::string line = "{\"program\": \"genocl-overlap\", \"version\": " + json_string(GENOCL_VERSION) +
                       ", \"command\": \"sa\", \"devices\": [";
    for (std::size_t i = 0; i < devices.size(); ++i) line += (i == 0 ? "" : ", ") + json_string(devices[i].info().name);
    const auto entry = [&line](const char* name, std::uint64_t value) {
      line += ", \"" + std::string(name) + "\": " + std::to_string(value);
    };
    line += "]";
    entry("symbols", text.size());
    entry("bits", text.bits());
    line += ", \"algorithm\": \"pieces\"";
    entry("pieces", report.pieces);
    entry("largest_piece", report.largest_piece);
    entry("period", report.period);
    entry("samples", report.samples);
    entry("sample_tied", report.sample_tied);
    entry("tied", report.tied);
    entry("device_bytes", report.device_bytes);
    entry("host_bytes", report.host_bytes);
    entry("bytes_per_number", width);
    if (settings.check) line += ", \"checked\": true";
    std::cerr << line << ", " << json_steps(steps) << "}\n";
  }
  if (settings.common.quiet) return;
  char seconds[40];
  std::snprintf(seconds, sizeof seconds, "%.2f", steps.seconds());
  std::cerr << text.size() << " symbols of " << text.bits() << " bits, " << report.pieces << " pieces on "
            << devices.size() << (devices.size() == 1 ? " device" : " devices") << ", bytes_per_number " << width
            << (settings.check ? ", checked true" : "") << ", " << seconds << " s\n";
}

}  // namespace

bool goes_in_pieces(const ArraySettings& settings, const TextInput& input, std::span<const genocl::Device> devices) {
  const bool asked = settings.pieces || settings.both_strands;
  if (settings.what != "sa") return false;
  if (asked && settings.algorithm != "auto")
    throw InputError(std::string(settings.pieces ? "--pieces" : "--both-strands") + " with --algorithm " +
                     settings.algorithm + ", which makes the array as a whole");
  const std::uint64_t size = input.size();
  if (asked || size > overlap::Text::longest) return true;
  if (settings.algorithm != "auto") return false;
  const bool all_gpus = std::ranges::all_of(
      devices, [](const genocl::Device& device) { return device.info().type == genocl::DeviceType::gpu; });
  if (devices.size() > 1 && all_gpus && size >= shared_from) return true;
  const genocl::DeviceInfo& device = devices.front().info();
  return 4 * size > device.max_allocation ||
         overlap::SuffixArray::peak_bytes(devices.front(), size, 4, settings.records) > device.global_memory;
}

void write_in_pieces(const ArraySettings& settings, TextInput input, std::span<const genocl::Device> devices,
                     Steps steps) {
  steps.begin("pack");
  const overlap::HostText text = input.on_host(settings.both_strands);
  { const TextInput packed = std::move(input); }  // The letters are not needed any more.
  const std::size_t width = number_width(settings, text.size());
  genocl::io::OutputFile out(settings.output, {.compression = genocl::io::Compression::none, .named = settings.check});
  overlap::PieceOptions options;
  if (settings.pieces)
    options.piece_suffixes = std::max<std::uint64_t>(1, (text.size() + *settings.pieces - 1) / *settings.pieces);
  overlap::PieceReport report;
  {
    ProgressBar bar("suffixes", settings.common.quiet, "M", 1e6);
    options.progress = shown(bar);
    steps.begin("suffix array, written");
    const auto sort = [&](auto position) {
      const overlap::PositionSink<decltype(position)> sink = [&](std::span<const decltype(position)> positions) {
        write_numbers(out, positions, width);
      };
      report = overlap::sort_in_pieces(devices, text, sink, options);
    };
    if (text.size() > overlap::Text::longest)
      sort(std::uint64_t{0});
    else
      sort(std::uint32_t{0});
  }
  if (settings.check) {
    steps.begin("check");
    check_written(settings, text, devices.front(), out, width);
  }
  out.commit();
  tell_pieces(settings, text, devices, report, width, steps);
}

}  // namespace program
