#include "marose/map_output.hpp"

#include <algorithm>

#include "genocl/error.hpp"
#include "marose/read_source.hpp"

namespace program {
namespace {

using genocl::CigarRun;
using genocl::io::AlignmentRecord;
using genocl::marose::AlignedRead;
using genocl::marose::Alignment;
using genocl::marose::Hit;
using genocl::marose::MismatchTags;
using genocl::marose::Operation;
using genocl::marose::ReadAlignment;
using genocl::marose::Report;
using genocl::marose::Strand;
using Batch = genocl::marose::Mapper::Batch;

/// SAM's TLEN: from the leftmost base to the rightmost of both, negative for the read that begins further right.
std::int64_t template_length(const ReadAlignment& own, const ReadAlignment& mate, bool is_first) {
  if (own.contig != mate.contig) return 0;
  const auto length =
      static_cast<std::int64_t>(std::max(own.end(), mate.end()) - std::min(own.position, mate.position));
  if (own.position != mate.position) return own.position < mate.position ? length : -length;
  if (own.strand != mate.strand) return own.strand == Strand::forward ? length : -length;
  return is_first ? length : -length;
}

genocl::Cigar cigar_of(const Alignment& alignment) {
  genocl::Cigar cigar;
  for (const auto& [operation, length] : alignment.runs)
    cigar.append(length, "MMIDS"[static_cast<std::size_t>(operation)]);
  return cigar;
}

std::int64_t mate_score_of(std::span<const std::uint8_t> quality) {
  constexpr std::uint8_t least = 15;  // as samtools fixmate -m counts
  std::int64_t sum = 0;
  for (const std::uint8_t score : quality)
    if (score >= least) sum += score;
  return sum;
}

}  // namespace

HitRecords::HitRecords(const genocl::marose::Index& index, const RecordOptions& options,
                       std::optional<genocl::io::AlignmentFormatter> formatter)
    : index_(index), options_(options), formatter_(std::move(formatter)), aligner_(index) {}

std::vector<std::string_view> HitRecords::tags(bool read_group) {
  std::vector<std::string_view> all = {"NM", "MD", "AS", "XS", "SA", "MC", "MQ",
                                       "ms", "NH", "HI", "XA", "X0", "X1", "YF"};
  if (read_group) all.emplace_back("RG");
  return all;
}

void HitRecords::format(const Batch& batch, BatchNotes& notes, Formatted& output) {
  counts_ = {};
  notes_ = &notes;
  lines_.clear();
  for (std::size_t read = 0; read < batch.reads.size(); ++read) format_single(batch, read);
  take(output);
}

void HitRecords::format(const genocl::marose::PairMapper::Batch& batch, BatchNotes& notes, Formatted& output) {
  counts_ = {};
  notes_ = &notes;
  lines_.clear();
  for (std::size_t pair = 0; pair < batch.reads.size() / 2; ++pair) format_pair(batch, pair);
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
  placed.codes = batch.reads[read];
  placed.quality = batch.reads.quality(read);
  const BatchNotes::LongRead* const whole = notes_->long_read(read);
  placed.too_long = whole != nullptr;
  if (whole != nullptr) placed.codes = whole->codes, placed.quality = whole->quality;
  placed.summary = batch.hits.reads[read];
  placed.proper = placed.rescued = placed.not_all = false;
  placed.aligned = options_.aligned ? &batch.alignments[read] : &placed.own;
}

ReadAlignment HitRecords::align(const genocl::SequenceSet& reads, const Placed& placed, const Hit& hit) {
  const Alignment& alignment =
      aligner_.align_record(reads[placed.read], hit, placed.summary.mapped,
                            options_.settle_ends ? std::optional(placed.summary.kept) : std::nullopt);
  ReadAlignment record;
  record.contig = hit.reference;
  record.strand = hit.strand;
  record.position = alignment.position;
  record.cigar = cigar_of(alignment);
  return record;
}

/// The mapper has chosen already which hits of a single read are given out; of mates it gives all that it knows.
void HitRecords::choose(std::span<const Hit> hits, std::uint64_t primary, std::uint64_t best_hits, Placed& placed) {
  written_.clear();
  if (hits.empty()) return;
  written_.push_back(primary);
  const Report& report = options_.report;
  if (options_.paired && report.kind == Report::Kind::best && !options_.secondary && !formatter_) return;
  if (report.kind == Report::Kind::best && !options_.secondary && formatter_) {
    // The others go to XA, or are too many for it.
    const std::uint64_t others = best_hits - (primary < best_hits ? 1 : 0);
    if (others > options_.most_in_xa) return;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(best_hits, hits.size()); ++i)
      if (i != primary) written_.push_back(i);
    return;
  }
  for (std::uint64_t i = 0; i < hits.size(); ++i) {
    if (options_.paired && report.kind == Report::Kind::best && i >= best_hits) break;
    if (options_.paired && report.kind == Report::Kind::most && written_.size() >= report.count) break;
    if (options_.paired && report.kind == Report::Kind::strata && hits[i].errors > hits.front().errors + report.strata)
      break;
    if (i == primary) continue;
    if (written_.size() >= options_.most_hits) {
      placed.not_all = true;
      break;
    }
    written_.push_back(i);
  }
  if (report.kind == Report::Kind::most && written_.size() < placed.summary.hits) placed.not_all = true;
}

/// Makes alignments of hits.
void HitRecords::place_hits(const genocl::SequenceSet& reads, std::span<const Hit> hits, std::uint64_t primary,
                            std::uint8_t quality, Placed& placed) {
  AlignedRead& own = placed.own;
  own = {};
  const std::uint64_t known = std::max<std::uint64_t>(placed.summary.hits, hits.size());
  own.best_count = placed.summary.best_hits;
  if (hits.size() != placed.summary.hits && placed.rescued)
    own.best_count = static_cast<std::uint64_t>(
        std::ranges::count_if(hits, [&](const Hit& hit) { return hit.errors == hits.front().errors; }));
  own.next_count = known - std::min(known, own.best_count);
  choose(hits, primary, own.best_count, placed);
  if (!formatter_) return;
  for (const std::uint64_t i : written_) {
    ReadAlignment alignment = align(reads, placed, hits[i]);
    if (own.alignments.empty()) {
      alignment.mapq = quality;
      own.alignments.push_back(std::move(alignment));
    } else {
      own.secondary.push_back(std::move(alignment));
    }
  }
}

void HitRecords::finish(const genocl::SequenceSet& reads, Placed& placed) {
  const genocl::marose::ReadSummary& summary = placed.summary;
  const auto where = [&] { return "read " + genocl::shown(placed.name); };
  if (summary.lower_bound && !summary.too_short && !options_.heuristic && options_.strict)
    throw genocl::InputError(
        {}, where(),
        "more errors in " + std::to_string(summary.mapped.length) + " bases than can be proved with this index",
        "at most " + std::to_string(summary.bound) + ", or --heuristic");
  if (summary.too_short && !placed.too_long) {
    const std::string wrong = std::to_string(placed.codes.size()) + " bases, too short for any plan of this index";
    if (options_.strict) throw genocl::InputError({}, where(), wrong);
    notes_->notes.add(ReadFault::too_short,
                      [&] { return notes_->notes.file + ":" + where() + ": " + wrong + "; it is written unmapped"; });
  }
  counts_.add(summary, *placed.aligned, reads.length(placed.read), placed.rescued, options_.aligned);
  if (placed.too_long) --counts_.too_short, ++counts_.too_long;
  if (options_.aligned && options_.secondary && placed.aligned->secondary.size() + 1 < placed.aligned->best_count)
    placed.not_all = true;
  if (placed.not_all) ++counts_.not_all_written;
  if (!formatter_) return;
  placed.tags.resize(placed.aligned->alignments.size());
  for (std::size_t i = 0; i < placed.tags.size(); ++i)
    make_tags(reads, placed, placed.aligned->alignments[i], placed.tags[i]);
  placed.mate_score = mate_score_of(placed.quality);
}

void HitRecords::make_tags(const genocl::SequenceSet& reads, const Placed& placed, const ReadAlignment& alignment,
                           MismatchTags& tags) const {
  const std::uint64_t length = reads.length(placed.read);
  // A perfect score needs no look at the reference.
  if (options_.aligned && alignment.score == static_cast<std::int64_t>(length) * options_.match_score) {
    tags.edit_distance = 0;
    tags.mismatches = std::to_string(length);
    return;
  }
  mismatch_tags(index_, reads[placed.read], alignment, tags);
}

void HitRecords::format_single(const Batch& batch, std::size_t read) {
  place(batch, read, first_);
  const std::span<const Hit> hits = batch.hits.of(read);
  if (!options_.aligned) place_hits(batch.reads, hits, 0, first_.summary.mapping_quality(), first_);
  finish(batch.reads, first_);
  if (formatter_)
    add_records(batch.reads, first_, 0, nullptr);
  else
    add_lines(first_, hits, false);
}

void HitRecords::place_mate(const genocl::marose::PairMapper::Batch& batch, std::size_t read, Placed& placed) {
  place(batch, read, placed);
  if (options_.aligned) {
    placed.proper = placed.aligned->proper_pair;
    placed.rescued = placed.aligned->rescued;
  } else {
    const genocl::marose::ReadPair& both = batch.pairs[read / 2];
    const genocl::marose::ReadPair::Read& own = both.reads[read % 2];
    placed.proper = both.proper();
    placed.rescued = own.rescued;
    place_hits(batch.reads, batch.hits_of(read), own.primary, own.quality, placed);
  }
  finish(batch.reads, placed);
}

void HitRecords::format_pair(const genocl::marose::PairMapper::Batch& batch, std::size_t pair) {
  const bool single = notes_->is_single(pair);
  place_mate(batch, 2 * pair, first_);
  if (!formatter_) add_lines(first_, batch.hits_of(2 * pair), !single);
  if (single) {
    if (formatter_) add_records(batch.reads, first_, 0, nullptr);
    return;
  }
  place_mate(batch, 2 * pair + 1, second_);
  if (!formatter_) add_lines(second_, batch.hits_of(2 * pair + 1), true);
  ++counts_.pairs;
  if (first_.proper) ++counts_.proper;
  if (!formatter_) return;
  add_records(batch.reads, first_, AlignmentRecord::paired | AlignmentRecord::first, &second_);
  add_records(batch.reads, second_, AlignmentRecord::paired | AlignmentRecord::last, &first_);
}

/// What a record says of the mate; an unmapped read stands where its mate does.
void HitRecords::set_mate(const Placed& placed, const Placed& mate, AlignmentRecord& record) const {
  const ReadAlignment* const own = placed.primary();
  const ReadAlignment* const other = mate.primary();
  const ReadAlignment* const where = other != nullptr ? other : own;
  if (other == nullptr) record.flag |= AlignmentRecord::mate_unmapped;
  if (other != nullptr && other->strand == Strand::reverse) record.flag |= AlignmentRecord::mate_reverse;
  if (where == nullptr) return;
  record.mate_reference = static_cast<std::int32_t>(where->contig);
  record.mate_position = static_cast<std::int64_t>(where->position);
  if (own == nullptr) {
    record.reference = record.mate_reference;
    record.position = record.mate_position;
  }
}

void HitRecords::make_cigar(const genocl::SequenceSet& reads, const Placed& placed, const ReadAlignment& alignment,
                            bool hard) {
  cigar_.clear();
  std::span<const genocl::Code> query = reads[placed.read];
  if (!options_.merge_matches) {
    if (alignment.strand == Strand::reverse) {
      turned_.resize(query.size());
      genocl::dna::reverse_complement(query, turned_);
      query = turned_;
    }
    text_.resize(alignment.cigar.reference_length());
    index_.reference(alignment.contig, alignment.position, text_);
  }
  std::size_t i = 0, j = 0;
  for (const CigarRun& run : alignment.cigar.runs()) {
    if (run.letter() == 'S' && hard) {
      cigar_.push_back(genocl::io::cigar_run(run.length(), 'H'));
    } else if (run.letter() == 'M' && !options_.merge_matches) {
      for (std::uint32_t k = 0; k < run.length();) {
        const auto same = [&](std::uint32_t at) {
          return query[i + at] == text_[j + at] && genocl::dna::is_base(query[i + at]);
        };
        std::uint32_t end = k + 1;
        while (end < run.length() && same(end) == same(k)) ++end;
        cigar_.push_back(genocl::io::cigar_run(end - k, same(k) ? '=' : 'X'));
        k = end;
      }
    } else {
      cigar_.push_back(run.encoded);
    }
    if (run.uses_query()) i += run.length();
    if (run.uses_reference()) j += run.length();
  }
}

/// XA as bwa writes it: (contig, sign of the strand and position, CIGAR, NM;)* of other places that have no record.
void HitRecords::name_others(const genocl::SequenceSet& reads, const Placed& placed) {
  others_.clear();
  const AlignedRead& aligned = *placed.aligned;
  // As bwa: all of them, or none where they are too many.
  if (aligned.secondary.size() > options_.most_in_xa) return;
  for (const ReadAlignment& other : aligned.secondary) {
    make_tags(reads, placed, other, mismatches_);
    make_cigar(reads, placed, other, false);
    others_.append(index_.name(other.contig)).append(other.strand == Strand::forward ? ",+" : ",-");
    others_.append(std::to_string(other.position + 1)).append(",");
    for (const std::uint32_t run : cigar_) {
      others_ += std::to_string(run >> 4);
      others_ += CigarRun::letters[run & 15];
    }
    others_.append(",").append(std::to_string(mismatches_.edit_distance)).append(";");
  }
}

/// SA: the other alignments of the read that are not secondary, the primary one first.
void HitRecords::name_parts(const Placed& placed, std::size_t except) {
  parts_.clear();
  const std::vector<ReadAlignment>& all = placed.aligned->alignments;
  if (all.size() < 2) return;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == except) continue;
    parts_.append(index_.name(all[i].contig)).append(",").append(std::to_string(all[i].position + 1));
    parts_.append(all[i].strand == Strand::forward ? ",+," : ",-,").append(all[i].cigar.str()).append(",");
    parts_.append(std::to_string(all[i].mapq)).append(",").append(std::to_string(placed.tags[i].edit_distance));
    parts_ += ';';
  }
}

void HitRecords::add_record(const genocl::SequenceSet& reads, const Placed& placed, AlignmentRecord record,
                            const ReadAlignment& alignment, const MismatchTags& mismatches, const Placed* mate,
                            std::size_t number, std::size_t records) {
  const bool supplementary = (record.flag & AlignmentRecord::supplementary) != 0;
  const bool is_secondary = (record.flag & AlignmentRecord::secondary) != 0;
  const bool hard = supplementary && !options_.soft_supplementary;
  make_cigar(reads, placed, alignment, hard);
  if (alignment.strand == Strand::reverse) record.flag |= AlignmentRecord::reverse;
  record.reference = static_cast<std::int32_t>(alignment.contig);
  record.position = static_cast<std::int64_t>(alignment.position);
  record.mapping_quality = alignment.mapq;
  record.cigar = cigar_;
  if (hard) {
    const bool forward = alignment.strand == Strand::forward;
    const std::size_t skip = forward ? alignment.left_clip() : alignment.right_clip();
    const std::size_t left = record.codes.size() - alignment.left_clip() - alignment.right_clip();
    record.codes = record.codes.subspan(skip, left);
    if (!record.quality.empty()) record.quality = record.quality.subspan(skip, left);
  }
  if (mate != nullptr && mate->primary() != nullptr) {
    if (placed.proper && !is_secondary) record.flag |= AlignmentRecord::proper;
    if (!is_secondary)
      record.template_length =
          template_length(alignment, *mate->primary(), (record.flag & AlignmentRecord::first) != 0);
  }
  if (supplementary) record.template_length = 0;
  tags_.clear();
  tags_.emplace_back("NM", std::int64_t{mismatches.edit_distance});
  tags_.emplace_back("MD", std::string_view(mismatches.mismatches));
  if (options_.aligned) {
    tags_.emplace_back("AS", std::int64_t{alignment.score});
    if (!is_secondary && !supplementary) tags_.emplace_back("XS", std::int64_t{placed.aligned->second_score});
  }
  if (mate != nullptr && mate->primary() != nullptr) {
    tags_.emplace_back("MC", std::string_view(mate_cigar_));
    tags_.emplace_back("MQ", std::int64_t{mate->primary()->mapq});
  }
  if (mate != nullptr) tags_.emplace_back("ms", mate->mate_score);
  if (!is_secondary && !parts_.empty()) tags_.emplace_back("SA", std::string_view(parts_));
  tags_.emplace_back("NH", static_cast<std::int64_t>(records));
  tags_.emplace_back("HI", static_cast<std::int64_t>(number + 1));
  if (!supplementary) {
    tags_.emplace_back("X0", static_cast<std::int64_t>(placed.aligned->best_count));
    tags_.emplace_back("X1", static_cast<std::int64_t>(placed.aligned->next_count));
  }
  if (!is_secondary && !supplementary && !others_.empty()) tags_.emplace_back("XA", std::string_view(others_));
  if (!options_.read_group.empty()) tags_.emplace_back("RG", std::string_view(options_.read_group));
  record.tags = tags_;
  formatter_->add(record);
  ++counts_.records;
}

void HitRecords::add_records(const genocl::SequenceSet& reads, const Placed& placed, std::uint16_t flag,
                             const Placed* mate) {
  AlignmentRecord record;
  record.name = template_name(placed.name);
  if (mate != nullptr) {
    const bool is_first = (flag & AlignmentRecord::first) != 0;
    record.name =
        template_name((is_first ? placed : *mate).name, (is_first ? *mate : placed).name).value_or(record.name);
  }
  record.flag = flag;
  record.codes = placed.codes;
  record.quality = placed.quality;
  record.tag_text = reads.description(placed.read);
  if (mate != nullptr) {
    set_mate(placed, *mate, record);
    mate_cigar_.clear();
    if (const ReadAlignment* const other = mate->primary()) {
      make_cigar(reads, *mate, *other, false);
      for (const std::uint32_t run : cigar_) {
        mate_cigar_ += std::to_string(run >> 4);
        mate_cigar_ += CigarRun::letters[run & 15];
      }
    }
  }

  const AlignedRead& aligned = *placed.aligned;
  if (!aligned.mapped()) {
    if (!options_.unmapped) return;
    record.flag |= AlignmentRecord::unmapped;
    tags_.clear();
    if (placed.summary.too_short || placed.too_long) tags_.emplace_back("YF", "LN");  // as bowtie 2 says it
    if (mate != nullptr && mate->primary() != nullptr) {
      tags_.emplace_back("MC", std::string_view(mate_cigar_));
      tags_.emplace_back("MQ", std::int64_t{mate->primary()->mapq});
    }
    if (mate != nullptr) tags_.emplace_back("ms", mate->mate_score);
    if (!options_.read_group.empty()) tags_.emplace_back("RG", std::string_view(options_.read_group));
    record.tags = tags_;
    formatter_->add(record);
    ++counts_.records;
    return;
  }

  others_.clear();
  if (!options_.secondary) name_others(reads, placed);
  const std::size_t records = options_.secondary ? 1 + aligned.secondary.size() : 1;
  for (std::size_t i = 0; i < aligned.alignments.size(); ++i) {
    AlignmentRecord one = record;
    if (i > 0) one.flag |= AlignmentRecord::supplementary;
    name_parts(placed, i);
    add_record(reads, placed, one, aligned.alignments[i], placed.tags[i], mate, 0, records);
  }
  if (!options_.secondary) return;
  for (std::size_t i = 0; i < aligned.secondary.size(); ++i) {
    AlignmentRecord one = record;
    one.flag |= AlignmentRecord::secondary;
    if (!options_.secondary_letters) one.codes = {}, one.quality = {};
    make_tags(reads, placed, aligned.secondary[i], mismatches_);
    add_record(reads, placed, one, aligned.secondary[i], mismatches_, mate, i + 1, records);
  }
}

void HitRecords::add_lines(const Placed& placed, std::span<const Hit> hits, bool is_mate) {
  for (const std::uint64_t i : written_) {
    const Hit& hit = hits[i];
    lines_.append(placed.name);
    if (is_mate && template_name(placed.name) == placed.name) lines_ += placed.read % 2 == 0 ? "/1" : "/2";
    lines_.append("\t").append(index_.name(hit.reference)).append(hit.strand == Strand::forward ? "\t+\t" : "\t-\t");
    lines_.append(std::to_string(hit.position + 1)).append("\t").append(std::to_string(hit.errors)).append("\n");
    ++counts_.records;
  }
}

}  // namespace program
