#include "overlap/streamed_repeats.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <vector>

#include "common/numbers.hpp"
#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "overlap/inputs.hpp"
#include "overlap/record_output.hpp"

namespace program {
namespace {

using genocl::InputError;

/// A byte of text takes this memory with its suffix array, and this host memory if the array is on a GPU.
constexpr std::uint64_t array_bytes = 30, text_bytes = 4;
/// On CPUs the passes take a tenth of the time of a suffix array. Texts up to this size are not worth temporary files.
constexpr std::uint64_t small_text = 1'000'000;
/// Host memory without --memory for texts that are sorted on GPUs.
constexpr std::uint64_t usual_memory = 4'000'000'000;

/// The size of all files; none if one of them is a pipe.
std::optional<std::uint64_t> size_of(const std::vector<std::string>& files) {
  std::uint64_t size = 0;
  for (const std::string& file : files) {
    std::error_code error;
    if (file == "-" || (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error)))
      return std::nullopt;
    const std::uintmax_t bytes = std::filesystem::file_size(file, error);
    if (!error) size += bytes;
  }
  return size;
}

/// True for texts that are sorted in memory. `memory`: 0 if not given.
bool fits_memory(std::span<const genocl::Device> devices, std::uint64_t size, std::uint64_t memory) {
  const std::uint64_t host = memory != 0 ? memory : usual_memory;
  for (const genocl::Device& device : devices) {
    const bool is_cpu = device.info().type == genocl::DeviceType::cpu;
    if (is_cpu && (size > small_text || array_bytes * size > host)) return false;
    if (!is_cpu && (text_bytes * size > host || array_bytes * size > device.info().global_memory)) return false;
  }
  return true;
}

/// Writes spans, kept bytes and separators as they come.
class SpanOutput {
 public:
  SpanOutput(const RepeatedSettings& settings, std::string_view separator)
      : settings_(settings), separator_(separator), rows_(settings.output, "record\tstart\tend\n") {
    if (!settings.kept.empty()) kept_.emplace(settings.kept, "");
  }

  overlap::FileRepeatSink sink() {
    overlap::FileRepeatSink sink;
    sink.span = [this](const genocl::SequenceInterval& span, const overlap::FileRecord& record) {
      rows_.row(name(record) + '\t' + std::to_string(span.begin + 1) + '\t' + std::to_string(span.end) + '\n');
    };
    if (kept_)
      sink.kept = [this](std::span<const std::uint8_t> bytes) {
        kept_->row({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      };
    sink.end_record = [this](const overlap::FileRecord& record) { end_record(record); };
    return sink;
  }

  std::string commit() {
    std::string text = summary_.text();
    if (kept_) {
      kept_->commit();
      text += ", " + std::to_string(emptied_) + " of them emptied";
    }
    rows_.commit();
    return text;
  }

 private:
  std::string name(const overlap::FileRecord& record) const {
    const std::string& file = settings_.files[record.file];
    if (separator_.empty()) return file;
    const std::string number = std::to_string(record.number_in_file + 1);
    return settings_.files.size() == 1 ? number : file + ':' + number;
  }

  void end_record(const overlap::FileRecord& record) {
    ++summary_.records;
    summary_.spans += record.spans;
    summary_.symbols += record.length - record.kept;
    summary_.total += record.length;
    if (record.spans > 0) ++summary_.with_spans;
    const bool emptied = record.spans > 0 && record.kept == 0;
    if (emptied) ++emptied_;
    if (kept_ && record.separated && !(emptied && settings_.drop_empty)) kept_->row(separator_);
  }

  const RepeatedSettings& settings_;
  std::string separator_;
  RowWriter rows_;
  std::optional<RowWriter> kept_;
  SpanSummary summary_;
  std::uint64_t emptied_ = 0;
};

}  // namespace

std::string SpanSummary::text() const {
  std::array<char, 32> share{};
  std::snprintf(share.data(), share.size(), "%.2f",
                total == 0 ? 0.0 : 100 * static_cast<double>(symbols) / static_cast<double>(total));
  return std::to_string(spans) + " spans of " + std::to_string(symbols) + " symbols (" + share.data() + "% of " +
         std::to_string(total) + ") in " + std::to_string(with_spans) + " of " + std::to_string(records) + " records";
}

std::optional<overlap::FileRepeatOptions> streaming_options(std::span<const genocl::Device> devices,
                                                            const RepeatedSettings& settings,
                                                            std::string_view separator) {
  overlap::FileRepeatOptions options;
  if (!settings.memory.empty()) options.memory_bytes = amount_of("--memory", settings.memory);
  const std::optional<std::uint64_t> size = size_of(settings.files);
  if (size && fits_memory(devices, *size, options.memory_bytes)) return std::nullopt;
  const std::uint64_t length = size ? std::min(*settings.min_length, *size + 1) : *settings.min_length;
  const std::uint64_t needed = overlap::file_repeats_min_memory(length);
  if (options.memory_bytes != 0 && options.memory_bytes < needed)
    throw InputError(
        "--memory", {}, genocl::in_quotes(settings.memory),
        "at least " + std::to_string(needed) + " for --min-length " + std::to_string(*settings.min_length));
  options.min_length = *settings.min_length;
  options.later_only = settings.later;
  options.separator = separator;
  options.temporary_folder = settings.temporary_folder;
  return options;
}

std::string write_streamed_spans(std::span<const genocl::Device> devices, const RepeatedSettings& settings,
                                 const overlap::FileRepeatOptions& options) {
  std::vector<genocl::files::InputFile> files;
  for (const std::string& file : settings.files) {
    files.emplace_back(file, settings.temporary_folder);
    warn_of_compression(file);
  }
  SpanOutput output(settings, options.separator);
  overlap::repeated_spans_of_files(devices, files, options, output.sink());
  return output.commit();
}

}  // namespace program
