#include "marose/hit_records.hpp"

#include <algorithm>

#include "genocl/error.hpp"
#include "marose/reads/read_source.hpp"

namespace program {
namespace {

using genocl::io::AlignmentRecord;
using genocl::marose::Alignment;
using genocl::marose::Hit;
using genocl::marose::Operation;
using genocl::marose::Report;
using genocl::marose::Strand;
using Batch = genocl::marose::Mapper::Batch;

std::uint64_t end_of(const Alignment& alignment) { return alignment.position + alignment.length; }

/// The template length as SAM counts it: from the leftmost base to the rightmost of both, negative for the read that
/// begins further right.
std::int64_t template_length(const Hit& hit, const Alignment& own, const Hit& mate_hit, const Alignment& mate,
                             bool is_first) {
  if (hit.reference != mate_hit.reference) return 0;
  const auto length =
      static_cast<std::int64_t>(std::max(end_of(own), end_of(mate)) - std::min(own.position, mate.position));
  if (own.position != mate.position) return own.position < mate.position ? length : -length;
  if (hit.strand != mate_hit.strand) return hit.strand == Strand::forward ? length : -length;
  return is_first ? length : -length;
}

void make_cigar(const genocl::marose::Alignment& alignment, bool merge_matches, std::vector<std::uint32_t>& cigar) {
  cigar.clear();
  for (const auto& [operation, length] : alignment.runs) {
    char letter = "=XIDS"[static_cast<std::size_t>(operation)];
    if (merge_matches && (operation == Operation::match || operation == Operation::mismatch)) {
      letter = 'M';
      if (!cigar.empty() && (cigar.back() & 15) == 0) {
        cigar.back() += length << 4;
        continue;
      }
    }
    cigar.push_back(genocl::io::cigar_run(length, letter));
  }
}

}  // namespace

HitRecords::HitRecords(const genocl::marose::Index& index, const RecordOptions& options,
                       std::optional<genocl::io::AlignmentFormatter> formatter)
    : index_(index), options_(options), formatter_(std::move(formatter)), aligner_(index) {}

std::vector<std::string_view> HitRecords::tags(bool read_group) {
  std::vector<std::string_view> all = {"NM", "MD", "NH", "HI", "XA", "X0", "X1", "YF"};
  if (read_group) all.emplace_back("RG");
  return all;
}

void HitRecords::format(const Batch& batch, Formatted& output) {
  counts_ = {};
  lines_.clear();
  for (std::size_t read = 0; read < batch.reads.size(); ++read) format_single(batch, read);
  take(output);
}

void HitRecords::format(const genocl::marose::PairMapper::Batch& batch, Formatted& output) {
  counts_ = {};
  lines_.clear();
  for (std::size_t pair = 0; pair < batch.pairs.size(); ++pair) format_pair(batch, pair);
  take(output);
}

void HitRecords::take(Formatted& output) {
  if (formatter_)
    output.bytes = formatter_->take(std::move(output.bytes));
  else
    output.bytes.swap(lines_);
  output.counts = counts_;
}

void HitRecords::place(const Batch& batch, std::size_t read, Placed& placed) const {
  placed.read = read;
  placed.name = batch.reads.name(read);
  placed.hits = batch.hits.of(read);
  placed.summary = batch.hits.reads[read];
  placed.best_hits = placed.summary.best_hits;
  placed.quality = placed.summary.mapping_quality();
  placed.written.clear();
  placed.rescued = false;
  placed.not_all = false;
}

const Alignment& HitRecords::align(const genocl::SequenceSet& reads, const Placed& placed, const Hit& hit) {
  return aligner_.align_record(reads[placed.read], hit, placed.summary.mapped,
                               options_.settle_ends ? std::optional(placed.summary.kept) : std::nullopt);
}

void HitRecords::align_primary(const genocl::SequenceSet& reads, Placed& placed) {
  placed.mismatches.clear();
  if (placed.written.empty()) return;
  placed.alignment = align(reads, placed, *placed.primary());
  aligner_.append_mismatch_tag(placed.mismatches);
}

/// The mapper has chosen already which hits of a single read are given out; of mates it gives all that it knows.
void HitRecords::choose(Placed& placed, std::uint64_t primary) const {
  placed.written.clear();
  if (placed.hits.empty()) return;
  placed.written.push_back(primary);
  const Report& report = options_.report;
  if (options_.paired && report.kind == Report::Kind::best && !options_.secondary) return;
  for (std::uint64_t i = 0; i < placed.hits.size(); ++i) {
    if (options_.paired && report.kind == Report::Kind::best && i >= placed.best_hits) break;
    if (options_.paired && report.kind == Report::Kind::most && placed.written.size() >= report.count) break;
    if (options_.paired && report.kind == Report::Kind::strata &&
        placed.hits[i].errors > placed.hits.front().errors + report.strata)
      break;
    if (i == primary) continue;
    if (placed.written.size() >= options_.most_hits) {
      placed.not_all = true;
      break;
    }
    placed.written.push_back(i);
  }
  if (report.kind == Report::Kind::most && placed.written.size() < placed.summary.hits) placed.not_all = true;
}

void HitRecords::count(const Placed& placed, std::uint64_t length) {
  const genocl::marose::ReadSummary& summary = placed.summary;
  if (summary.lower_bound && !summary.too_short && !options_.heuristic)
    throw genocl::InputError(
        {}, "read " + genocl::shown(placed.name),
        "more errors in " + std::to_string(summary.mapped.length) + " bases than can be proved with this index",
        "at most " + std::to_string(summary.bound) + ", or --heuristic");
  counts_.add(placed.summary, length, placed.rescued);
  if (placed.not_all) ++counts_.not_all_written;
}

void HitRecords::format_single(const Batch& batch, std::size_t read) {
  place(batch, read, first_);
  choose(first_, 0);
  count(first_, batch.reads.length(read));
  if (formatter_) align_primary(batch.reads, first_);
  if (formatter_)
    add_records(batch.reads, first_, 0, nullptr);
  else
    add_lines(first_);
}

void HitRecords::format_pair(const genocl::marose::PairMapper::Batch& batch, std::size_t pair) {
  const genocl::marose::ReadPair& both = batch.pairs[pair];
  proper_ = both.proper();
  Placed* const placed[2] = {&first_, &second_};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t read = 2 * pair + i;
    Placed& one = *placed[i];
    place(batch, read, one);
    one.hits = batch.hits_of(read);
    one.rescued = both.reads[i].rescued;
    one.quality = both.reads[i].quality;
    if (one.hits.size() != batch.hits.of(read).size())
      one.best_hits = static_cast<std::uint64_t>(
          std::ranges::count_if(one.hits, [&](const Hit& hit) { return hit.errors == one.hits.front().errors; }));
    choose(one, both.reads[i].primary);
    count(one, batch.reads.length(read));
    if (formatter_) align_primary(batch.reads, one);
  }
  ++counts_.pairs;
  if (proper_) ++counts_.proper;
  if (formatter_) {
    add_records(batch.reads, first_, AlignmentRecord::paired | AlignmentRecord::first, &second_);
    add_records(batch.reads, second_, AlignmentRecord::paired | AlignmentRecord::last, &first_);
  } else {
    add_lines(first_);
    add_lines(second_);
  }
}

/// What a record says of the mate; an unmapped read stands where its mate does.
void HitRecords::set_mate(const Placed& placed, const Placed& mate, AlignmentRecord& record) const {
  const Hit* const own = placed.primary();
  const Hit* const other = mate.primary();
  const Hit* const where = other != nullptr ? other : own;
  if (other == nullptr) record.flag |= AlignmentRecord::mate_unmapped;
  if (other != nullptr && other->strand == Strand::reverse) record.flag |= AlignmentRecord::mate_reverse;
  if (where == nullptr) return;
  record.mate_reference = static_cast<std::int32_t>(where->reference);
  record.mate_position = static_cast<std::int64_t>((other != nullptr ? mate : placed).alignment.position);
  if (own == nullptr) {
    record.reference = record.mate_reference;
    record.position = record.mate_position;
  }
}

/// XA as bwa writes it: (contig, sign of the strand and position, CIGAR, errors;)* of the best hits that have no
/// record.
void HitRecords::name_others(const genocl::SequenceSet& reads, const Placed& placed) {
  others_.clear();
  const std::uint64_t primary = placed.written.front();
  const std::uint64_t others = placed.best_hits - (primary < placed.best_hits ? 1 : 0);
  if (others == 0 || others > options_.most_in_xa) return;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(placed.best_hits, placed.hits.size()); ++i) {
    if (i == primary) continue;
    const Hit& hit = placed.hits[i];
    others_.append(index_.name(hit.reference)).append(hit.strand == Strand::forward ? ",+" : ",-");
    const Alignment& alignment = align(reads, placed, hit);
    others_.append(std::to_string(alignment.position + 1)).append(",");
    others_.append(alignment.cigar(options_.merge_matches)).append(",");
    others_.append(std::to_string(alignment.errors)).append(";");
  }
}

void HitRecords::add_records(const genocl::SequenceSet& reads, const Placed& placed, std::uint16_t flag,
                             const Placed* mate) {
  AlignmentRecord record;
  record.name = mate != nullptr ? template_name(placed.name) : placed.name;
  record.flag = flag;
  record.codes = reads[placed.read];
  record.quality = reads.quality(placed.read);
  record.tag_text = reads.description(placed.read);
  if (mate != nullptr) set_mate(placed, *mate, record);
  const std::uint64_t known = std::max<std::uint64_t>(placed.summary.hits, placed.hits.size());

  if (placed.written.empty()) {
    if (!options_.unmapped) return;
    record.flag |= AlignmentRecord::unmapped;
    tags_.clear();
    if (placed.summary.too_short) tags_.emplace_back("YF", "LN");  // as bowtie 2 says it
    if (!options_.read_group.empty()) tags_.emplace_back("RG", std::string_view(options_.read_group));
    record.tags = tags_;
    formatter_->add(record);
    ++counts_.records;
    return;
  }

  const std::uint16_t common_flag = record.flag;
  const std::size_t records = options_.secondary ? placed.written.size() : 1;
  if (!options_.secondary) name_others(reads, placed);
  for (std::size_t i = 0; i < records; ++i) {
    const Hit& hit = placed.hits[placed.written[i]];
    const Alignment& alignment = i == 0 ? placed.alignment : align(reads, placed, hit);
    make_cigar(alignment, options_.merge_matches, cigar_);
    mismatches_.clear();
    if (i > 0) aligner_.append_mismatch_tag(mismatches_);
    record.flag = common_flag;
    if (hit.strand == Strand::reverse) record.flag |= AlignmentRecord::reverse;
    record.reference = static_cast<std::int32_t>(hit.reference);
    record.position = static_cast<std::int64_t>(alignment.position);
    record.cigar = cigar_;
    if (i == 0) {
      record.mapping_quality = placed.quality;
      if (mate != nullptr && mate->primary() != nullptr) {
        if (proper_) record.flag |= AlignmentRecord::proper;
        record.template_length =
            template_length(hit, alignment, *mate->primary(), mate->alignment, (flag & AlignmentRecord::first) != 0);
      }
    } else {
      record.flag |= AlignmentRecord::secondary;
      record.mapping_quality = 0;
      record.template_length = 0;
      if (!options_.secondary_letters) record.codes = {}, record.quality = {};
    }
    tags_.clear();
    tags_.emplace_back("NM", std::int64_t{alignment.errors});
    tags_.emplace_back("MD", std::string_view(i == 0 ? placed.mismatches : mismatches_));
    tags_.emplace_back("NH", static_cast<std::int64_t>(records));
    tags_.emplace_back("HI", static_cast<std::int64_t>(i + 1));
    if (!options_.secondary && !others_.empty()) tags_.emplace_back("XA", std::string_view(others_));
    if (records < known) {  // as bwa says that there are more
      tags_.emplace_back("X0", static_cast<std::int64_t>(placed.best_hits));
      tags_.emplace_back("X1", static_cast<std::int64_t>(known - placed.best_hits));
    }
    if (!options_.read_group.empty()) tags_.emplace_back("RG", std::string_view(options_.read_group));
    record.tags = tags_;
    formatter_->add(record);
    ++counts_.records;
  }
}

void HitRecords::add_lines(const Placed& placed) {
  for (const std::uint64_t i : placed.written) {
    const Hit& hit = placed.hits[i];
    lines_.append(placed.name);
    if (options_.paired && template_name(placed.name) == placed.name) lines_ += placed.read % 2 == 0 ? "/1" : "/2";
    lines_.append("\t").append(index_.name(hit.reference)).append(hit.strand == Strand::forward ? "\t+\t" : "\t-\t");
    lines_.append(std::to_string(hit.position + 1)).append("\t").append(std::to_string(hit.errors)).append("\n");
    ++counts_.records;
  }
}

}  // namespace program
