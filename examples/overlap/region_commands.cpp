// genocl-overlap lcs, multi, repeat: longest regions of two files, of many records, of one text.
#include "common/check_files.hpp"
#include "genocl/error.hpp"
#include "overlap/commands.hpp"
#include "overlap/inputs.hpp"
#include "overlap/record_output.hpp"

namespace program {
namespace {

using genocl::InputError;

overlap::RegionOptions options_of(const RecordSettings& settings, const genocl::Progress& progress) {
  return {.letters = settings.letters(), .progress = progress};
}

void refuse_both(const RecordSettings& settings, bool bytes) {
  if (bytes && settings.n_match) throw InputError("--n-match with --bytes, of which every one matches itself");
}

/// `head`, then record, start and text of each occurrence.
void write_region(RowWriter& out, const Records& records, const overlap::SharedRegion& region,
                  const std::string& head) {
  const overlap::Occurrence& first = region.occurrences.front();
  const std::string sequence = records.part(first.record, first.position, region.length);
  for (const overlap::Occurrence& place : region.occurrences)
    out.row(head + records.name(place.record) + '\t' + std::to_string(place.position + 1) + '\t' + sequence + '\n');
}

/// Record and start of each, with commas between them; `strands`: and the strand.
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
    throw InputError("--reverse-complement with --bytes, which have none");
  if (settings.a == "-" && settings.b == "-") throw InputError("standard input can be read once only");
  check_files({settings.a, settings.b}, {settings.output});
  with_devices(settings, [&](std::span<const genocl::Device> devices, const genocl::Progress& progress) {
    const Records a({settings.a}, settings.bytes), b({settings.b}, settings.bytes);
    const std::vector<overlap::CommonRegion> regions =
        settings.bytes ? overlap::longest_common(devices, a.views(), b.views(), options_of(settings, progress))
                       : overlap::longest_common(devices, a.set(), b.set(), settings.reverse_complement,
                                                 options_of(settings, progress));
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

void write_spans(const RepeatedSettings& settings) {
  with_devices(settings, [&](std::span<const genocl::Device> devices, const genocl::Progress& progress) {
    const Records records(settings.files, settings.bytes);
    overlap::RepeatOptions options;
    options.min_length = *settings.least;
    options.later_only = settings.later;
    options.letters = settings.letters();
    options.progress = progress;
    const std::vector<overlap::RepeatedSpan> spans = settings.bytes
                                                         ? overlap::repeated_spans(devices, records.views(), options)
                                                         : overlap::repeated_spans(devices, records.set(), options);
    RowWriter out(settings.output, "record\tstart\tend\n");
    std::uint64_t symbols = 0;
    for (const overlap::RepeatedSpan& span : spans) {
      symbols += span.length;
      out.row(records.name(span.record) + '\t' + std::to_string(span.position + 1) + '\t' +
              std::to_string(span.position + span.length) + '\n');
    }
    out.commit();
    return std::to_string(spans.size()) + " spans of " + std::to_string(symbols) + " symbols";
  });
}

}  // namespace

void write_repeated(const RepeatedSettings& settings) {
  refuse_both(settings, settings.bytes);
  check_standard_input(settings.files);
  check_files(settings.files, {settings.output});
  if (settings.later && !settings.least) throw InputError("--later without --min-length");
  if (settings.least) return write_spans(settings);
  with_devices(settings, [&](std::span<const genocl::Device> devices, const genocl::Progress& progress) {
    const Records records(settings.files, settings.bytes);
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
