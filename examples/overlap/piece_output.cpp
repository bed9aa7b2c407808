#include "overlap/piece_output.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <optional>
#include <utility>

#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/json.hpp"
#include "genocl/version.hpp"
#include "overlap/derived_output.hpp"
#include "overlap/kept_positions.hpp"
#include "overlap/number_output.hpp"

namespace program {
namespace {

using genocl::InputError;

/// Minimum symbols for several GPUs to build an array in pieces. (A CPU is faster with the whole array.)
constexpr std::uint64_t shared_from = std::uint64_t{1} << 26;

void check_written(const ArraySettings& settings, const overlap::Text& text, const genocl::Device& device,
                   genocl::io::OutputFile& out, std::size_t width) {
  const std::optional<genocl::io::SharedOutput> written = out.share();
  if (!written)
    throw InputError(out.file(), {}, "--check of an array in pieces reads it again", "a regular file to write");
  NumberFile numbers(written->path, written->begin - width * text.size(), width, "--check");
  check_positions(settings, text, device,
                  [&numbers](std::uint64_t first, std::span<std::uint64_t> some) { numbers.read(first, some); });
  out.take_back(written->begin);
}

void tell_pieces(const ArraySettings& settings, const overlap::Text& text, std::span<const genocl::Device> devices,
                 const DerivedReport& derived, const std::optional<overlap::LcpPieceReport>& lcp, std::size_t width,
                 Steps& steps) {
  const overlap::PieceReport& report = derived.array;
  steps.end();
  if (settings.common.profile)
    for (const genocl::Device& device : devices) write_profile(std::cerr, device);
  if (!settings.report.empty()) {
    std::string line = "{\"program\": \"genocl-overlap\", \"version\": " + genocl::json_string(GENOCL_VERSION) +
                       ", \"command\": " + genocl::json_string(settings.what) + ", \"devices\": [";
    for (std::size_t i = 0; i < devices.size(); ++i)
      line += (i == 0 ? "" : ", ") + genocl::json_string(devices[i].info().name);
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
    if (lcp) {
      entry("lcp_pieces", lcp->pieces);
      entry("irreducible", lcp->irreducible);
    }
    entry("device_bytes", std::max(report.device_bytes, lcp ? lcp->device_bytes : 0));
    entry("host_bytes", std::max(report.host_bytes, lcp ? lcp->host_bytes : 0));
    if (width != 0) entry("bytes_per_number", width);
    for (const auto& [name, value] : derived.more) line += ", " + genocl::json_string(name) + ": " + value;
    if (settings.check) line += ", \"checked\": true";
    std::cerr << line << ", " << json_steps(steps) << "}\n";
  }
  if (settings.common.quiet) return;
  char seconds[40];
  std::snprintf(seconds, sizeof seconds, "%.2f", steps.seconds());
  std::cerr << text.size() << " symbols of " << text.bits() << " bits, " << report.pieces << " pieces on "
            << devices.size() << (devices.size() == 1 ? " device" : " devices");
  if (width != 0) std::cerr << ", bytes_per_number " << width;
  for (const auto& [name, value] : derived.more) std::cerr << ", " << name << " " << value;
  std::cerr << (settings.check ? ", checked true" : "") << ", " << seconds << " s\n";
}

}  // namespace

bool better_in_pieces(std::span<const genocl::Device> devices, std::uint64_t size, bool with_breaks) {
  if (size > overlap::Text::longest) return true;
  const bool all_gpus = std::ranges::all_of(
      devices, [](const genocl::Device& device) { return device.info().type == genocl::DeviceType::gpu; });
  if (devices.size() > 1 && all_gpus && size >= shared_from) return true;
  const genocl::DeviceInfo& device = devices.front().info();
  return 4 * size > device.max_allocation ||
         overlap::SuffixArray::peak_bytes(devices.front(), size, 4, with_breaks) > device.global_memory;
}

bool goes_in_pieces(const ArraySettings& settings, const TextInput& input, std::span<const genocl::Device> devices) {
  const bool of_records = settings.what == "bwt" && settings.records;
  const bool asked = settings.pieces || settings.both_strands || of_records;
  const bool kasai = settings.lcp_method == "kasai";
  if (asked && (settings.algorithm != "auto" || kasai))
    throw InputError(std::string(settings.pieces ? "--pieces"
                                 : of_records    ? "--records"
                                                 : "--strand both") +
                     (kasai ? " with --method kasai" : " with --algorithm " + settings.algorithm) +
                     ", which takes the array as a whole");
  const std::uint64_t size = input.size();
  if (asked || size > overlap::Text::longest) return true;
  if (settings.algorithm != "auto" || kasai) return false;
  return better_in_pieces(devices, size, settings.records);
}

void write_in_pieces(const ArraySettings& settings, TextInput input, std::span<const genocl::Device> devices,
                     Steps steps) {
  steps.begin("pack");
  const overlap::Text text = input.text(overlap::on_host, settings.both_strands);
  { const TextInput packed = std::move(input); }  // The letters are not needed any more.
  // bwt writes symbols, not numbers.
  const std::size_t width = settings.what == "bwt" ? 0 : number_width(settings, text.size());
  const bool is_lcp = settings.what == "lcp", derives = !is_lcp && settings.what != "sa";
  genocl::io::OutputFile out(
      settings.output, {.compression = genocl::io::Compression::none, .named = !derives && (settings.check || is_lcp)});
  std::optional<KeptPositions> kept;
  if (is_lcp) kept.emplace(out, text.size(), width);
  overlap::PieceOptions options;
  if (settings.pieces)
    options.piece_suffixes = std::max<std::uint64_t>(1, (text.size() + *settings.pieces - 1) / *settings.pieces);
  DerivedReport report;
  std::optional<overlap::LcpPieceReport> lcp_report;
  // Positions have 64 bits if the text exceeds 32.
  const auto wide_or_narrow = [&](const auto& with) {
    if (text.size() > overlap::Text::longest)
      with(std::uint64_t{0});
    else
      with(std::uint32_t{0});
  };
  {
    ProgressBar bar("suffixes", settings.common.quiet, "M", 1e6);
    options.progress = bar.progress();
    steps.begin(is_lcp || settings.what == "isa" ? "suffix array" : "suffix array, written");
    if (derives)
      report = write_derived(settings, text, devices, out, options, steps);
    else
      wide_or_narrow([&](auto position) {
        const overlap::PositionSink<decltype(position)> sink = [&](std::span<const decltype(position)> positions) {
          if (kept)
            kept->add(positions);
          else
            write_numbers(out, positions, width);
        };
        report.array = overlap::sort_in_pieces(devices, text, sink, options);
      });
  }
  if (settings.check && !derives) {
    steps.begin("check");
    if (kept)
      check_positions(settings, text, devices.front(), kept->source());
    else
      check_written(settings, text, devices.front(), out, width);
  }
  if (kept) {
    ProgressBar bar("common prefixes", settings.common.quiet, "M", 1e6);
    steps.begin("lcp, written");
    overlap::LcpPieceOptions lcp_options{.piece_values = options.piece_suffixes, .progress = bar.progress()};
    wide_or_narrow([&](auto value) {
      const overlap::PositionSink<decltype(value)> sink = [&](std::span<const decltype(value)> values) {
        write_numbers(out, values, width);
      };
      lcp_report = overlap::lcp_in_pieces(devices, text, text.size(), kept->source(), sink, lcp_options);
    });
  }
  out.commit();
  tell_pieces(settings, text, devices, report, lcp_report, width, steps);
}

}  // namespace program
