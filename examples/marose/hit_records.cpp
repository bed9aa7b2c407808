#include <utility>

#include "genocl/error.hpp"
#include "marose/map_output.hpp"
#include "marose/read_source.hpp"

namespace program {

using genocl::marose::AlignedRead;
using genocl::marose::Hit;
using genocl::marose::ReadSummary;
using genocl::marose::ReportedHits;
using genocl::marose::Strand;
using Batch = genocl::marose::Mapper::Batch;
using PairBatch = genocl::marose::PairMapper::Batch;

namespace {

genocl::marose::MapOptions with_report(genocl::marose::MapOptions map, const genocl::marose::Report& report) {
  map.report = report;
  return map;
}

}  // namespace

HitRecords::HitRecords(const genocl::marose::Index& index, const genocl::marose::MapOptions& map,
                       const RecordOptions& options, std::optional<genocl::io::AlignmentFormatter> formatter)
    : index_(index),
      options_(options),
      aligned_(map.align.has_value()),
      formatter_(std::move(formatter)),
      sam_(index, with_report(map, options.report), options.sam),
      sink_([this](const genocl::sam::Record& record) {
        formatter_->add(record);
        ++counts_.records;
      }) {}

Counts HitRecords::format(Batch& batch, BatchNotes& notes) {
  begin(notes);
  for (std::size_t read = 0; read < batch.reads.size(); ++read) {
    place(batch, read, first_);
    if (!aligned_)
      add_hits(batch, read, batch.hits.of(read), 0, batch.hits.reads[read].mapping_quality(), false, first_);
    count(batch, read, first_);
    if (formatter_) sam_.add(first_.read, sink_);
  }
  take(batch.text);
  return counts_;
}

Counts HitRecords::format(PairBatch& batch, BatchNotes& notes) {
  begin(notes);
  for (std::size_t pair = 0; pair < batch.reads.size() / 2; ++pair) {
    const bool single = notes.is_single(pair);
    place_mate(batch, 2 * pair, !single, first_);
    if (single) {
      if (formatter_) sam_.add(first_.read, sink_);
      continue;
    }
    place_mate(batch, 2 * pair + 1, true, second_);
    ++counts_.pairs;
    if (first_.read.aligned->proper_pair) ++counts_.proper;
    if (formatter_) sam_.add(first_.read, second_.read, sink_);
  }
  take(batch.text);
  return counts_;
}

void HitRecords::begin(BatchNotes& notes) {
  counts_ = {};
  notes_ = &notes;
  lines_.clear();
}

void HitRecords::take(std::string& text) {
  if (formatter_)
    text = formatter_->take(std::move(text));
  else
    text.swap(lines_);
}

void HitRecords::place(const Batch& batch, std::size_t read, MappedRead& mapped) {
  // The mapper has no bases of a read that is too long.
  const BatchNotes::LongRead* const whole = notes_->long_read(read);
  mapped.read = {
      .name = batch.reads.name(read),
      .codes = whole != nullptr ? std::span<const genocl::Code>(whole->codes) : batch.reads[read],
      .quality = whole != nullptr ? std::span<const std::uint8_t>(whole->quality) : batch.reads.quality(read),
      .tags = batch.reads.description(read),
      .aligned = aligned_ ? &batch.alignments[read] : &mapped.own,
      .not_searched = batch.hits.reads[read].too_short || whole != nullptr};
  if (!aligned_) mapped.own = {};
}

void HitRecords::place_mate(const PairBatch& batch, std::size_t read, bool is_mate, MappedRead& mapped) {
  place(batch, read, mapped);
  if (!aligned_) {
    const genocl::marose::ReadPair& both = batch.pairs[read / 2];
    const genocl::marose::ReadPair::Read& own = both.reads[read % 2];
    mapped.own.proper_pair = both.proper();
    mapped.own.rescued = own.rescued;
    add_hits(batch, read, batch.hits_of(read), own.primary, own.quality, is_mate, mapped);
  }
  count(batch, read, mapped);
}

/// Makes the alignments of hits, or their lines.
void HitRecords::add_hits(const Batch& batch, std::size_t read, std::span<const Hit> hits, std::uint64_t primary,
                          std::uint8_t mapq, bool is_mate, MappedRead& mapped) {
  const ReadSummary& summary = batch.hits.reads[read];
  AlignedRead& own = mapped.own;
  const ReportedHits& reported =
      formatter_ ? sam_.align_hits(batch.reads[read], summary, hits, primary, mapq, options_.paired, own)
                 : sam_.report_hits(summary, hits, primary, options_.paired, own.rescued, true);
  own.best_count = reported.best_count;
  own.next_count = reported.next_count;
  if (!reported.all) ++counts_.not_all_written;
  if (!formatter_) add_lines(read, mapped.read.name, hits, reported.numbers, is_mate);
}

void HitRecords::add_lines(std::size_t read, std::string_view name, std::span<const Hit> hits,
                           std::span<const std::uint64_t> numbers, bool is_mate) {
  for (const std::uint64_t i : numbers) {
    const Hit& hit = hits[i];
    lines_.append(name);
    if (is_mate && genocl::marose::template_name(name) == name) lines_ += read % 2 == 0 ? "/1" : "/2";
    lines_.append("\t").append(index_.name(hit.reference)).append(hit.strand == Strand::forward ? "\t+\t" : "\t-\t");
    lines_.append(std::to_string(hit.position + 1)).append("\t").append(std::to_string(hit.errors)).append("\n");
    ++counts_.records;
  }
}

void HitRecords::count(const Batch& batch, std::size_t read, const MappedRead& mapped) {
  const ReadSummary& summary = batch.hits.reads[read];
  const AlignedRead& aligned = *mapped.read.aligned;
  check_bound(summary, mapped.read);
  const bool too_long = notes_->long_read(read) != nullptr;
  if (summary.too_short && !too_long) {
    const std::string where = "read " + genocl::shown(mapped.read.name);
    const std::string wrong = std::to_string(mapped.read.codes.size()) + " bases, too short for any plan of this index";
    if (options_.strict) throw genocl::InputError({}, where, wrong);
    notes_->notes.add(ReadFault::too_short,
                      [&] { return notes_->notes.file + ":" + where + ": " + wrong + "; it is written unmapped"; });
  }
  counts_.add(summary, aligned, batch.reads.length(read), aligned.rescued, aligned_);
  if (too_long) --counts_.too_short, ++counts_.too_long;
  if (aligned_ && options_.sam.secondary && aligned.secondary.size() + 1 < aligned.best_count)
    ++counts_.not_all_written;
}

void HitRecords::check_bound(const ReadSummary& summary, const genocl::marose::SamRead& read) {
  if (!options_.strict || options_.heuristic || !summary.lower_bound || summary.too_short) return;
  throw genocl::InputError(
      {}, "read " + genocl::shown(read.name),
      "more errors in " + std::to_string(summary.mapped.length) + " bases than can be proved with this index",
      "at most " + std::to_string(summary.bound) + ", or --heuristic");
}

}  // namespace program
