// genocl-overlap lcs, multi, repeat: longest regions of two files, of many records, of one text.
#include <charconv>
#include <optional>

#include "common/check_files.hpp"
#include "genocl/error.hpp"
#include "overlap/commands.hpp"
#include "overlap/inputs.hpp"
#include "overlap/record_output.hpp"
#include "overlap/streamed_repeats.hpp"

namespace program {
namespace {

using genocl::InputError;

overlap::RegionOptions options_of(const RecordSettings& settings, const genocl::Progress& progress) {
  return {.letters = settings.letters(), .progress = progress};
}

void refuse_both(const RecordSettings& settings, bool bytes) {
  if (bytes && settings.n_match) throw InputError("--n-match with --bytes, of which every one matches itself");
}

/// Writes `head`, then record, start and text of each occurrence.
void write_region(RowWriter& out, const Records& records, const overlap::SharedRegion& region,
                  const std::string& head) {
  const overlap::Occurrence& first = region.occurrences.front();
  const std::string sequence = records.part(first.record, first.position, region.length);
  for (const overlap::Occurrence& place : region.occurrences)
    out.row(head + records.name(place.record) + '\t' + std::to_string(place.position + 1) + '\t' + sequence + '\n');
}

/// Returns record and start of each occurrence, separated by commas; with `strands` also the strand.
std::string places(const Records& records, const std::vector<overlap::Occurrence>& all, bool strands) {
  std::string text;
  for (const overlap::Occurrence& place : all) {
    text += (text.empty() ? "" : ",") + records.name(place.record) + ':' + std::to_string(place.position + 1);
    if (strands) text += place.reverse ? ":-" : ":+";
  }
  return text;
}

std::string summary_of(std::uint64_t regions, std::uint64_t length) {
  if (regions == 0) return "no region";
  return std::to_string(regions) + (regions == 1 ? " region of " : " regions of ") + std::to_string(length);
}

}  // namespace

void write_common(const CommonSettings& settings) {
  refuse_both(settings, settings.bytes);
  if (settings.bytes && settings.reverse_complement)
    throw InputError("--strand both with --bytes, which have no complement");
  if (settings.a == "-" && settings.b == "-") throw InputError("standard input can be read once only");
  check_files({settings.a, settings.b}, {settings.output});
  with_devices(settings, [&](std::span<const genocl::Device> devices, const genocl::Progress& progress) {
    const Records a({settings.a}, settings.bytes), b({settings.b}, settings.bytes);
    overlap::RegionOptions options = options_of(settings, progress);
    options.reverse_complement = settings.reverse_complement;
    options.algorithm = overlap::algorithm_named(settings.algorithm);
    const std::vector<overlap::CommonRegion> regions =
        settings.bytes ? overlap::longest_common(devices, a.views(), b.views(), options)
                       : overlap::longest_common(devices, a.set(), b.set(), options);
    RowWriter out(settings.output, "length\ta_places\tb_places\tsequence\n");
    for (const overlap::CommonRegion& region : regions) {
      const overlap::Occurrence& first = region.in_first.front();
      out.row(std::to_string(region.length) + '\t' + places(a, region.in_first, false) + '\t' +
              places(b, region.in_second, true) + '\t' + a.part(first.record, first.position, region.length) + '\n');
    }
    out.commit();
    return summary_of(regions.size(), regions.empty() ? 0 : regions.front().length);
  });
}

void write_shared(const SharedSettings& settings) {
  refuse_both(settings, settings.bytes);
  check_standard_input(settings.files);
  check_files(settings.files, {settings.output});
  with_devices(settings, [&](std::span<const genocl::Device> devices, const genocl::Progress& progress) {
    const Records records(settings.files, settings.bytes);
    const std::uint64_t quorum = settings.quorum.value_or(records.size());
    const std::vector<overlap::SharedRegion> regions =
        settings.bytes ? overlap::longest_shared(devices, records.views(), quorum, options_of(settings, progress))
                       : overlap::longest_shared(devices, records.set(), quorum, options_of(settings, progress));
    RowWriter out(settings.output, "length\trecords\trecord\tstart\tsequence\n");
    for (const overlap::SharedRegion& region : regions)
      write_region(out, records, region, std::to_string(region.length) + '\t' + std::to_string(region.records) + '\t');
    out.commit();
    return summary_of(regions.size(), regions.empty() ? 0 : regions.front().length);
  });
}

namespace {

/// Returns the bytes of a separator from the command line. The escapes \\n, \\t, \\r, \\0, \\\\ and \\xHH stand for one
/// byte each.
std::string separator_of(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      bytes += text[i];
      continue;
    }
    const char next = i + 1 < text.size() ? text[++i] : '\0';
    constexpr std::string_view names = "ntr0\\", values("\n\t\r\0\\", 5);
    unsigned value = 0;
    if (const std::size_t known = i < text.size() ? names.find(next) : names.npos;
        next != '\0' && known != names.npos) {
      bytes += values[known];
    } else if (next == 'x' && i + 2 < text.size() &&
               std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16).ptr == text.data() + i + 3) {
      bytes += static_cast<char>(value);
      i += 2;
    } else {
      throw InputError("--separator", {}, genocl::in_quotes(text),
                       "\\n, \\t, \\r, \\0, \\\\ or \\xHH behind a backslash");
    }
  }
  return bytes;
}

/// Writes the records without the spans: FASTA, or bytes with the original separators. Returns the number of records
/// without a symbol.
std::uint64_t write_kept(const RepeatedSettings& settings, const Records& records, std::string_view separator,
                         std::span<const genocl::SequenceInterval> spans) {
  RowWriter out(settings.kept, "");
  std::size_t next = 0;
  std::uint64_t empty = 0;
  for (std::uint64_t record = 0; record < records.size(); ++record) {
    std::string text;
    std::uint64_t at = 0;
    const std::uint64_t length = settings.bytes ? records.views()[record].size() : records.set().length(record);
    const auto keep = [&](std::uint64_t end) {
      if (settings.bytes)
        text.append(reinterpret_cast<const char*>(records.views()[record].data()) + at, end - at);
      else
        text += records.part(record, at, end - at);
    };
    const std::size_t first = next;
    for (; next < spans.size() && spans[next].sequence == record; ++next) {
      keep(spans[next].begin);
      at = spans[next].end;
    }
    keep(length);
    const bool emptied = next > first && text.empty();
    if (emptied) ++empty;
    if (emptied && settings.drop_empty) continue;
    if (settings.bytes)
      out.row(records.is_separated(record) ? text.append(separator) : text);
    else
      out.row('>' + records.name(record) + '\n' + text + '\n');
  }
  out.commit();
  return empty;
}

std::string summary_of(const RepeatedSettings& settings, const Records& records,
                       std::span<const genocl::SequenceInterval> spans) {
  SpanSummary summary;
  summary.spans = spans.size();
  summary.records = records.size();
  for (std::size_t i = 0; i < spans.size(); ++i) {
    summary.symbols += spans[i].length();
    if (i == 0 || spans[i].sequence != spans[i - 1].sequence) ++summary.with_spans;
  }
  for (std::uint64_t record = 0; record < records.size(); ++record)
    summary.total += settings.bytes ? records.views()[record].size() : records.set().length(record);
  return summary.text();
}

void write_spans(const RepeatedSettings& settings) {
  with_devices(settings, [&](std::span<const genocl::Device> devices, const genocl::Progress& progress) {
    const std::string separator = separator_of(settings.separator);
    if (settings.bytes)
      if (std::optional<overlap::FileRepeatOptions> streaming = streaming_options(devices, settings, separator)) {
        streaming->progress = progress;
        return write_streamed_spans(devices, settings, *streaming);
      }
    const Records records = settings.bytes ? Records(settings.files, separator) : Records(settings.files, false);
    overlap::RepeatOptions options;
    options.min_length = *settings.min_length;
    options.later_only = settings.later;
    options.letters = settings.letters();
    options.progress = progress;
    const std::vector<genocl::SequenceInterval> spans = settings.bytes
                                                            ? overlap::repeated_spans(devices, records.views(), options)
                                                            : overlap::repeated_spans(devices, records.set(), options);
    RowWriter out(settings.output, "record\tstart\tend\n");
    for (const genocl::SequenceInterval& span : spans)
      out.row(records.name(span.sequence) + '\t' + std::to_string(span.begin + 1) + '\t' + std::to_string(span.end) +
              '\n');
    std::string summary = summary_of(settings, records, spans);
    if (!settings.kept.empty())
      summary += ", " + std::to_string(write_kept(settings, records, separator, spans)) + " of them emptied";
    out.commit();
    return summary;
  });
}

}  // namespace

void write_repeated(const RepeatedSettings& settings) {
  refuse_both(settings, settings.bytes);
  check_standard_input(settings.files);
  check_files(settings.files, settings.kept.empty() ? std::vector<std::string>{settings.output}
                                                    : std::vector<std::string>{settings.output, settings.kept});
  if (settings.later && !settings.min_length) throw InputError("--later without --min-length");
  if (!settings.separator.empty() && !settings.bytes) throw InputError("--separator without --bytes");
  if (!settings.kept.empty() && !settings.later)
    throw InputError("--write-kept without --later, which keeps the first copy of each repeat");
  if ((!settings.memory.empty() || !settings.temporary_folder.empty()) && !(settings.bytes && settings.min_length))
    throw InputError("--memory and --temporary-folder are for --bytes with --min-length");
  if (settings.drop_empty && settings.kept.empty()) throw InputError("--drop-empty without --write-kept");
  if (!settings.kept.empty() && settings.bytes && settings.files.size() > 1)
    throw InputError("--write-kept with several files of bytes");
  if (settings.min_length) return write_spans(settings);
  with_devices(settings, [&](std::span<const genocl::Device> devices, const genocl::Progress& progress) {
    const Records records =
        settings.bytes ? Records(settings.files, separator_of(settings.separator)) : Records(settings.files, false);
    const std::vector<overlap::SharedRegion> regions =
        settings.bytes ? overlap::longest_repeated(devices, records.views(), options_of(settings, progress))
                       : overlap::longest_repeated(devices, records.set(), options_of(settings, progress));
    RowWriter out(settings.output, "length\trecord\tstart\tsequence\n");
    for (const overlap::SharedRegion& region : regions)
      write_region(out, records, region, std::to_string(region.length) + '\t');
    out.commit();
    return summary_of(regions.size(), regions.empty() ? 0 : regions.front().length);
  });
}

}  // namespace program
