// genocl-overlap sa, isa, lcp, da and bwt write binary arrays of one text. unbwt writes the text of a transform,
// merge-bwt the transform of several sets of records.
#include <algorithm>
#include <array>
#include <future>
#include <iostream>
#include <optional>
#include <span>
#include <utility>

#include "common/check_files.hpp"
#include "genocl/array.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "overlap/built_text.hpp"
#include "overlap/commands.hpp"
#include "overlap/inputs.hpp"
#include "overlap/number_output.hpp"
#include "overlap/piece_output.hpp"

namespace program {
namespace {

using genocl::InputError;
using Numbers = genocl::Array<std::uint32_t>;

/// Writes in pieces: one is written while the device computes the next.
void write_from_device(genocl::io::OutputFile& out, const genocl::Device& device, const Numbers& numbers,
                       std::size_t width) {
  const std::size_t piece = std::min(std::size_t{1} << 22, numbers.size());
  std::array<genocl::HostArray<std::uint32_t>, 2> places{genocl::HostArray<std::uint32_t>(device, piece),
                                                         genocl::HostArray<std::uint32_t>(device, piece)};
  std::future<void> written;
  for (std::size_t first = 0; first < numbers.size(); first += piece) {
    const std::span<std::uint32_t> now(places[first / piece % 2].data(), std::min(piece, numbers.size() - first));
    numbers.download(now, first);
    if (written.valid()) written.get();
    // On another thread, if the system can start one.
    written = std::async([&out, now, width] { write_numbers(out, std::span<const std::uint32_t>(now), width); });
  }
  if (written.valid()) written.get();
}

void check_array(const overlap::SuffixArray& suffixes) {
  if (const std::optional<std::uint64_t> wrong = overlap::first_error(suffixes.text(), suffixes.positions()))
    throw genocl::Error("--check: the suffix array is wrong at index " + std::to_string(*wrong));
}

}  // namespace

void write_array(const ArraySettings& settings) {
  if (settings.records && settings.bytes) throw InputError("--records with --bytes, which have none");
  if (settings.n_break && !settings.records && !settings.both_strands)
    throw InputError("--n-break without --records or --strand both: records are one text then, without breaks");
  if (settings.both_strands && settings.bytes) throw InputError("--strand both with --bytes, which have no complement");
  check_files({settings.text}, {settings.output});
  const std::vector<genocl::Device> devices = settings.common.open_devices(settings.common.profile);
  Steps begun;
  begun.begin("read");
  std::optional<TextInput> input(std::in_place, settings);
  if (goes_in_pieces(settings, *input, devices)) {
    write_in_pieces(settings, std::move(*input), devices, std::move(begun));
    return;
  }
  BuiltText built(settings, devices.front(), *input, std::move(begun));
  input.reset();
  const overlap::SuffixArray& suffixes = *built.suffixes;
  std::vector<std::pair<std::string, std::string>> more;
  if (settings.check) {
    built.begin("check");
    check_array(suffixes);
    more.emplace_back("checked", "true");
  }
  genocl::io::OutputFile out(settings.output, {.compression = genocl::io::Compression::none});
  if (settings.what == "bwt") {
    built.begin("bwt");
    const overlap::BurrowsWheeler transform = overlap::bwt(suffixes);
    more.emplace_back("primary", std::to_string(transform.primary));
    built.begin("write");
    out.write({reinterpret_cast<const char*>(transform.symbols.data()), transform.symbols.size()});
  } else {
    const std::size_t width = number_width(settings, suffixes.size());
    more.emplace_back("bytes_per_number", std::to_string(width));
    const auto write = [&](const Numbers& numbers) {
      built.begin("write");
      write_from_device(out, built.device, numbers, width);
    };
    if (settings.what == "sa") {
      write(suffixes.positions());
    } else if (settings.what == "lcp") {
      built.begin("lcp");
      const overlap::Lcp lcp(suffixes, overlap::lcp_method_named(settings.lcp_method));
      write(lcp.values());
    } else {
      built.begin(settings.what == "da" ? "records" : "inverse");
      write(settings.what == "da" ? overlap::document_array(suffixes) : overlap::inverse(suffixes));
    }
  }
  out.commit();
  tell(settings, settings.what, built, more);
}

namespace {

/// Writes a line for each record.
void write_inverse_of_records(const InverseSettings& settings) {
  const std::vector<std::uint8_t> symbols = read_bytes(settings.transform);
  const std::vector<std::vector<std::uint8_t>> records = overlap::inverse_bwt_of_records(symbols);
  genocl::io::OutputFile out(settings.output, {.compression = genocl::io::Compression::none});
  for (const std::vector<std::uint8_t>& record : records) {
    out.write({reinterpret_cast<const char*>(record.data()), record.size()});
    out.write("\n");
  }
  out.commit();
  if (!settings.common.quiet) std::cerr << records.size() << " records, " << symbols.size() << " symbols\n";
}

}  // namespace

void write_inverse(const InverseSettings& settings) {
  check_files({settings.transform}, {settings.output});
  if (settings.records == settings.primary.has_value())
    throw InputError("unbwt: expected either --primary or --records");
  if (settings.records) return write_inverse_of_records(settings);
  const std::vector<std::uint8_t> symbols = read_bytes(settings.transform);
  const genocl::Device device = settings.common.open_devices(settings.common.profile).front();
  const std::vector<std::uint8_t> text = overlap::inverse_bwt(device, symbols, *settings.primary);
  genocl::io::OutputFile out(settings.output, {.compression = genocl::io::Compression::none});
  out.write({reinterpret_cast<const char*>(text.data()), text.size()});
  out.commit();
  if (settings.common.profile) write_profile(std::cerr, device);
  if (!settings.common.quiet) std::cerr << text.size() << " symbols\n";
}

void write_merged(const MergeSettings& settings) {
  check_standard_input(settings.transforms);
  check_files(settings.transforms, {settings.output});
  if (settings.transforms.size() < 2) throw InputError("merge-bwt", {}, "one transform", "two or more");
  std::vector<std::uint8_t> all = read_bytes(settings.transforms.front());
  for (std::size_t i = 1; i < settings.transforms.size(); ++i) {
    const std::vector<std::uint8_t> more = read_bytes(settings.transforms[i]);
    try {
      all = overlap::merge_bwt_of_records(all, more);
    } catch (const InputError& error) {
      throw InputError(settings.transforms[i - 1] + " and " + settings.transforms[i] + ": " + error.what());
    }
  }
  genocl::io::OutputFile out(settings.output, {.compression = genocl::io::Compression::none});
  out.write({reinterpret_cast<const char*>(all.data()), all.size()});
  out.commit();
  if (!settings.quiet) std::cerr << std::ranges::count(all, '$') << " records, " << all.size() << " symbols\n";
}

}  // namespace program
