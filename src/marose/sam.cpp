// SAM records of mapped reads.

#include "genocl/marose/sam.hpp"

#include <algorithm>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/marose/alignment.hpp"
#include "marose/edit_script.hpp"
#include "marose/index.hpp"
#include "marose/packed_bases.hpp"
#include "runtime/state_access.hpp"

namespace genocl::marose {

std::string_view template_name(std::string_view read_name) noexcept {
  const std::size_t size = read_name.size();
  if (size > 2 && read_name[size - 2] == '/' && read_name[size - 1] >= '0' && read_name[size - 1] <= '9')
    read_name.remove_suffix(2);
  return read_name;
}

std::optional<std::string_view> template_name(std::string_view first, std::string_view second) noexcept {
  const std::string_view name = template_name(first);
  if (name == template_name(second)) return name;
  const std::size_t size = first.size();
  if (size < 3 || second.size() != size || !first.ends_with('1') || !second.ends_with('2')) return std::nullopt;
  first.remove_suffix(1);
  second.remove_suffix(1);
  if (first != second || (!first.ends_with('.') && !first.ends_with('_'))) return std::nullopt;
  return first.substr(0, size - 2);
}

namespace {

std::uint32_t clip_of(const CigarRun& run) { return run.letter() == 'S' || run.letter() == 'H' ? run.length() : 0; }

}  // namespace

std::uint32_t ReadAlignment::left_clip() const noexcept { return cigar.empty() ? 0 : clip_of(cigar.runs().front()); }

std::uint32_t ReadAlignment::right_clip() const noexcept {
  return cigar.runs().size() < 2 ? 0 : clip_of(cigar.runs().back());
}

void mismatch_tags(const Index& index, std::span<const Code> read, const ReadAlignment& alignment, MismatchTags& tags) {
  const std::uint64_t size = alignment.cigar.reference_length();
  if (alignment.contig >= index.contigs() || alignment.position > index.length(alignment.contig) ||
      size > index.length(alignment.contig) - alignment.position || alignment.cigar.query_length() > read.size())
    throw InputError("an alignment past the end of a contig or a read");
  const ReferenceView& reference = runtime::state_of(index).reference;
  const std::uint64_t begin = reference.offsets[alignment.contig] + alignment.position;
  const bool packed = !reference.is_ambiguous(begin, size);
  if (!packed) {
    tags.text.resize(size);
    index.reference_letters(alignment.contig, alignment.position, tags.text);
  }
  const auto letter = [&](std::size_t j) {
    return dna::decode(packed ? static_cast<Code>(reference.window(begin + j) >> 62) : tags.text[j]);
  };
  const bool forward = alignment.strand == Strand::forward;
  const auto query = [&](std::size_t i) { return forward ? read[i] : dna::complement(read[read.size() - 1 - i]); };
  tags.edit_distance = 0;
  tags.mismatches.clear();
  std::size_t i = 0, j = 0, behind = 0;  // behind: the text position after the last mismatch or deletion
  const auto mismatch = [&](std::size_t at) {
    append_number(tags.mismatches, at - behind);
    tags.mismatches += letter(at);
    behind = at + 1;
    ++tags.edit_distance;
  };
  // Compares read bases [i, i + count), at most 32, with the text from j on.
  const auto compare = [&](std::size_t count) {
    std::uint64_t others = packed ? 0 : beyond_bases, word = 0;
    if (packed) word = pack_bases(read.data() + (forward ? i : read.size() - i - count), count, others);
    if ((others & beyond_bases) != 0) {
      for (std::size_t k = 0; k < count; ++k) {
        const Code base = query(i + k);
        if (!dna::is_base(base) || dna::decode(base) != letter(j + k)) mismatch(j + k);
      }
      return;
    }
    if (!forward) word = reverse_complement(word) << (64 - 2 * count);
    for (std::uint64_t x = differing(word, reference.window(begin + j), count); x != 0; x = without_first(x))
      mismatch(j + first_difference(x));
  };
  for (const CigarRun& run : alignment.cigar.runs()) {
    const std::size_t length = run.length();
    switch (run.letter()) {
      case 'M':
        for (std::size_t done = 0; done < length;) {
          const std::size_t count = std::min<std::size_t>(32, length - done);
          compare(count);
          i += count;
          j += count;
          done += count;
        }
        break;
      case 'D':
        append_number(tags.mismatches, j - behind);
        tags.mismatches += '^';
        for (std::size_t k = 0; k < length; ++k) tags.mismatches += letter(j++);
        tags.edit_distance += run.length();
        behind = j;
        break;
      case 'I':
        tags.edit_distance += run.length();
        i += length;
        break;
      default:
        i += length;
    }
  }
  append_number(tags.mismatches, j - behind);
}

sam::Header sam_header(const Index& index) {
  sam::Header header;
  header.references.reserve(index.contigs());
  for (std::size_t i = 0; i < index.contigs(); ++i)
    header.references.push_back({std::string(index.name(i)), index.length(i)});
  return header;
}

namespace {

/// SAM's TLEN: from the leftmost base to the rightmost of both, negative for the read that begins further right.
std::int64_t template_length(const ReadAlignment& own, const ReadAlignment& mate, bool is_first) {
  if (own.contig != mate.contig) return 0;
  const auto length =
      static_cast<std::int64_t>(std::max(own.end(), mate.end()) - std::min(own.position, mate.position));
  if (own.position != mate.position) return own.position < mate.position ? length : -length;
  if (own.strand != mate.strand) return own.strand == Strand::forward ? length : -length;
  return is_first ? length : -length;
}

Cigar cigar_of(const Alignment& alignment) {
  Cigar cigar;
  for (const auto& [operation, length] : alignment.runs)
    cigar.append(length, "MMIDS"[static_cast<std::size_t>(operation)]);
  return cigar;
}

/// The tag ms, as samtools fixmate -m computes it: the sum of the qualities of at least 15.
std::int64_t mate_score_of(std::span<const std::uint8_t> quality) {
  constexpr std::uint32_t min_quality = 15;
  std::uint32_t sum = 0;
  for (const std::uint32_t score : quality) sum += score >= min_quality ? score : 0;
  return sum;
}

void append_cigar(std::string& to, std::span<const std::uint32_t> cigar) {
  for (const std::uint32_t run : cigar) {
    append_number(to, run >> 4);
    to += CigarRun::letters[run & 15];
  }
}

const AlignedRead unmapped_read;

}  // namespace

struct SamFormatter::State {
  /// A read with what several of its records need.
  struct Placed {
    SamRead read;
    const AlignedRead* aligned = nullptr;
    std::vector<MismatchTags> mismatches;  ///< [alignment]: of the primary and the supplementary ones
    std::int64_t mate_score = 0;           ///< ms of the mate

    const ReadAlignment* primary() const { return aligned->mapped() ? &aligned->alignments.front() : nullptr; }
  };

  State(const Index& of_reads, const MapOptions& map, const SamOptions& sam_options)
      : index(of_reads),
        options(sam_options),
        report(map.report),
        affine(map.align.has_value()),
        match_score(map.align ? map.align->scoring.match : 0),
        extends_ends(map.clip.ends),
        aligner(of_reads),
        header(std::make_unique<sam::Header>(sam_header(of_reads))),
        lines(*header) {}

  void place(const SamRead& read, Placed& placed) const;
  void add_records(const Placed& placed, std::uint16_t flag, const Placed* mate, std::string_view name,
                   const Sink& sink);
  void add_unmapped(const Placed& placed, const Placed* mate, sam::Record record, const Sink& sink);
  void add_record(const Placed& placed, sam::Record record, const ReadAlignment& alignment,
                  const MismatchTags& mismatches_of, const Placed* mate, std::size_t number, std::size_t records,
                  const Sink& sink);
  void add_mate_tags(const Placed& mate);
  void make_mismatch_tags(const SamRead& read, const ReadAlignment& alignment, MismatchTags& tags_of) const;
  void make_cigar(const SamRead& read, const ReadAlignment& alignment, bool hard);
  void make_xa(const Placed& placed);
  void make_sa(const Placed& placed, std::size_t except);
  void select_hits(const ReadSummary& summary, std::span<const Hit> hits, std::uint64_t primary, bool of_pair,
                   bool for_table);

  Index index;
  SamOptions options;
  Report report;
  bool affine;
  int match_score;
  bool extends_ends;
  Aligner aligner;
  std::unique_ptr<const sam::Header> header;
  sam::LineFormatter lines;

  Placed first, second;
  AlignedRead from_hits[2];
  ReportedHits reported;
  // Reused memory of a record.
  std::vector<std::uint32_t> cigar;
  std::vector<sam::Tag> tags;
  std::string xa, sa, mate_cigar;
  MismatchTags mismatches;
  std::vector<Code> turned, text;
};

void SamFormatter::State::place(const SamRead& read, Placed& placed) const {
  placed.read = read;
  placed.aligned = read.aligned != nullptr ? read.aligned : &unmapped_read;
  const std::vector<ReadAlignment>& alignments = placed.aligned->alignments;
  if (placed.mismatches.size() < alignments.size()) placed.mismatches.resize(alignments.size());
  for (std::size_t i = 0; i < alignments.size(); ++i) make_mismatch_tags(read, alignments[i], placed.mismatches[i]);
  placed.mate_score = mate_score_of(read.quality);
}

/// Makes NM and MD. A perfect score needs no look at the reference.
void SamFormatter::State::make_mismatch_tags(const SamRead& read, const ReadAlignment& alignment,
                                             MismatchTags& tags_of) const {
  const std::uint64_t length = read.codes.size();
  if (affine && alignment.score == static_cast<std::int64_t>(length) * match_score) {
    tags_of.edit_distance = 0;
    tags_of.mismatches.clear();
    append_number(tags_of.mismatches, length);
    return;
  }
  mismatch_tags(index, read.codes, alignment, tags_of);
}

/// Makes the CIGAR of a record, with = and X or with hard clips by the options.
void SamFormatter::State::make_cigar(const SamRead& read, const ReadAlignment& alignment, bool hard) {
  cigar.clear();
  if (options.match_as_m) {
    for (const CigarRun& run : alignment.cigar.runs())
      cigar.push_back(hard && run.letter() == 'S' ? CigarRun(run.length(), 'H').encoded : run.encoded);
    return;
  }
  std::span<const Code> query = read.codes;
  if (alignment.strand == Strand::reverse) {
    turned.resize(query.size());
    dna::reverse_complement(query, turned);
    query = turned;
  }
  text.resize(alignment.cigar.reference_length());
  index.reference(alignment.contig, alignment.position, text);
  std::size_t i = 0, j = 0;
  for (const CigarRun& run : alignment.cigar.runs()) {
    if (run.letter() == 'S' && hard) {
      cigar.push_back(CigarRun(run.length(), 'H').encoded);
    } else if (run.letter() == 'M') {
      for (std::uint32_t k = 0; k < run.length();) {
        const auto same = [&](std::uint32_t at) {
          return query[i + at] == text[j + at] && dna::is_base(query[i + at]);
        };
        std::uint32_t end = k + 1;
        while (end < run.length() && same(end) == same(k)) ++end;
        cigar.push_back(CigarRun(end - k, same(k) ? '=' : 'X').encoded);
        k = end;
      }
    } else {
      cigar.push_back(run.encoded);
    }
    if (run.uses_query()) i += run.length();
    if (run.uses_reference()) j += run.length();
  }
}

/// XA as bwa writes it: (contig, sign of the strand and position, CIGAR, NM;)* of the secondary alignments. As in bwa,
/// all of them, or none if they are too many.
void SamFormatter::State::make_xa(const Placed& placed) {
  xa.clear();
  if (placed.aligned->secondary.size() > options.max_xa) return;
  for (const ReadAlignment& other : placed.aligned->secondary) {
    make_mismatch_tags(placed.read, other, mismatches);
    make_cigar(placed.read, other, false);
    xa.append(index.name(other.contig)).append(other.strand == Strand::forward ? ",+" : ",-");
    append_number(xa, other.position + 1);
    xa += ',';
    append_cigar(xa, cigar);
    xa += ',';
    append_number(xa, mismatches.edit_distance);
    xa += ';';
  }
}

/// SA: the other alignments of the read that are not secondary, the primary one first.
void SamFormatter::State::make_sa(const Placed& placed, std::size_t except) {
  sa.clear();
  const std::vector<ReadAlignment>& all = placed.aligned->alignments;
  if (all.size() < 2) return;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == except) continue;
    sa.append(index.name(all[i].contig)).append(",");
    append_number(sa, all[i].position + 1);
    sa.append(all[i].strand == Strand::forward ? ",+," : ",-,").append(all[i].cigar.str()).append(",");
    append_number(sa, all[i].mapq);
    sa += ',';
    append_number(sa, placed.mismatches[i].edit_distance);
    sa += ';';
  }
}

void SamFormatter::State::add_mate_tags(const Placed& mate) {
  if (mate.primary() != nullptr) {
    tags.emplace_back("MC", std::string_view(mate_cigar));
    tags.emplace_back("MQ", std::int64_t{mate.primary()->mapq});
  }
  tags.emplace_back("ms", mate.mate_score);
}

void SamFormatter::State::add_record(const Placed& placed, sam::Record record, const ReadAlignment& alignment,
                                     const MismatchTags& mismatches_of, const Placed* mate, std::size_t number,
                                     std::size_t records, const Sink& sink) {
  const bool supplementary = (record.flag & sam::Record::supplementary) != 0;
  const bool secondary = (record.flag & sam::Record::secondary) != 0;
  const bool hard = supplementary && !options.soft_supplementary;
  make_cigar(placed.read, alignment, hard);
  if (alignment.strand == Strand::reverse) record.flag |= sam::Record::reverse;
  record.reference = static_cast<std::int32_t>(alignment.contig);
  record.position = static_cast<std::int64_t>(alignment.position);
  record.mapping_quality = alignment.mapq;
  record.cigar = cigar;
  if (hard) {
    const bool forward = alignment.strand == Strand::forward;
    const std::size_t skip = forward ? alignment.left_clip() : alignment.right_clip();
    const std::size_t left = record.codes.size() - alignment.left_clip() - alignment.right_clip();
    record.codes = record.codes.subspan(skip, left);
    if (!record.quality.empty()) record.quality = record.quality.subspan(skip, left);
  }
  if (mate != nullptr && mate->primary() != nullptr && !secondary) {
    if (placed.aligned->proper_pair) record.flag |= sam::Record::proper;
    if (!supplementary)
      record.template_length = template_length(alignment, *mate->primary(), (record.flag & sam::Record::first) != 0);
  }
  tags.clear();
  tags.emplace_back("NM", std::int64_t{mismatches_of.edit_distance});
  tags.emplace_back("MD", std::string_view(mismatches_of.mismatches));
  if (affine) {
    tags.emplace_back("AS", std::int64_t{alignment.score});
    if (!secondary && !supplementary) tags.emplace_back("XS", std::int64_t{placed.aligned->second_score});
  }
  if (mate != nullptr) add_mate_tags(*mate);
  if (!secondary && !sa.empty()) tags.emplace_back("SA", std::string_view(sa));
  tags.emplace_back("NH", static_cast<std::int64_t>(records));
  tags.emplace_back("HI", static_cast<std::int64_t>(number + 1));
  if (!supplementary) {
    tags.emplace_back("X0", static_cast<std::int64_t>(placed.aligned->best_count));
    tags.emplace_back("X1", static_cast<std::int64_t>(placed.aligned->next_count));
  }
  if (!secondary && !supplementary && !xa.empty()) tags.emplace_back("XA", std::string_view(xa));
  if (!options.read_group.empty()) tags.emplace_back("RG", std::string_view(options.read_group));
  record.tags = tags;
  sink(record);
}

void SamFormatter::State::add_unmapped(const Placed& placed, const Placed* mate, sam::Record record, const Sink& sink) {
  if (!options.unmapped) return;
  record.flag |= sam::Record::unmapped;
  tags.clear();
  if (placed.read.not_searched) tags.emplace_back("YF", "LN");  // as bowtie2
  if (mate != nullptr) add_mate_tags(*mate);
  if (!options.read_group.empty()) tags.emplace_back("RG", std::string_view(options.read_group));
  record.tags = tags;
  sink(record);
}

void SamFormatter::State::add_records(const Placed& placed, std::uint16_t flag, const Placed* mate,
                                      std::string_view name, const Sink& sink) {
  sam::Record record;
  record.name = name;
  record.flag = flag;
  record.codes = placed.read.codes;
  record.quality = placed.read.quality;
  record.tag_text = placed.read.tags;
  if (mate != nullptr) {
    const ReadAlignment* const own = placed.primary();
    const ReadAlignment* const other = mate->primary();
    // An unmapped read has the position of its mate.
    const ReadAlignment* const where = other != nullptr ? other : own;
    if (other == nullptr) record.flag |= sam::Record::mate_unmapped;
    if (other != nullptr && other->strand == Strand::reverse) record.flag |= sam::Record::mate_reverse;
    if (where != nullptr) {
      record.mate_reference = static_cast<std::int32_t>(where->contig);
      record.mate_position = static_cast<std::int64_t>(where->position);
      if (own == nullptr) {
        record.reference = record.mate_reference;
        record.position = record.mate_position;
      }
    }
    mate_cigar.clear();
    if (other != nullptr) {
      make_cigar(mate->read, *other, false);
      append_cigar(mate_cigar, cigar);
    }
  }
  const AlignedRead& aligned = *placed.aligned;
  if (!aligned.mapped()) return add_unmapped(placed, mate, record, sink);
  xa.clear();
  if (!options.secondary) make_xa(placed);
  const std::size_t records = options.secondary ? 1 + aligned.secondary.size() : 1;
  for (std::size_t i = 0; i < aligned.alignments.size(); ++i) {
    sam::Record one = record;
    if (i > 0) one.flag |= sam::Record::supplementary;
    make_sa(placed, i);
    add_record(placed, one, aligned.alignments[i], placed.mismatches[i], mate, 0, records, sink);
  }
  if (!options.secondary) return;
  for (std::size_t i = 0; i < aligned.secondary.size(); ++i) {
    sam::Record one = record;
    one.flag |= sam::Record::secondary;
    if (!options.secondary_letters) one.codes = {}, one.quality = {};
    make_mismatch_tags(placed.read, aligned.secondary[i], mismatches);
    add_record(placed, one, aligned.secondary[i], mismatches, mate, i + 1, records, sink);
  }
}

/// The mapper has already selected the hits of a single read; of mates it returns all known ones.
void SamFormatter::State::select_hits(const ReadSummary& summary, std::span<const Hit> hits, std::uint64_t primary,
                                      bool of_pair, bool for_table) {
  std::vector<std::uint64_t>& numbers = reported.numbers;
  numbers.clear();
  reported.all = true;
  if (hits.empty()) return;
  numbers.push_back(primary);
  const bool best = report.kind == Report::Kind::best;
  if (best && !options.secondary) {
    if (for_table && of_pair) return;
    if (!for_table) {  // for XA, or too many for it
      const std::uint64_t others = reported.best_count - (primary < reported.best_count ? 1 : 0);
      if (others > options.max_xa) return;
      for (std::uint64_t i = 0; i < std::min<std::uint64_t>(reported.best_count, hits.size()); ++i)
        if (i != primary) numbers.push_back(i);
      return;
    }
  }
  for (std::uint64_t i = 0; i < hits.size(); ++i) {
    if (of_pair && best && i >= reported.best_count) break;
    if (of_pair && report.kind == Report::Kind::most && numbers.size() >= report.count) break;
    if (of_pair && report.kind == Report::Kind::strata && hits[i].errors > hits.front().errors + report.strata) break;
    if (i == primary) continue;
    if (numbers.size() >= options.max_hits) {
      reported.all = false;
      break;
    }
    numbers.push_back(i);
  }
  if (report.kind == Report::Kind::most && numbers.size() < summary.hits) reported.all = false;
}

SamFormatter::SamFormatter(const Index& index, const MapOptions& map, const SamOptions& options)
    : state_(std::make_unique<State>(index, map, options)) {}
SamFormatter::SamFormatter(SamFormatter&&) noexcept = default;
SamFormatter& SamFormatter::operator=(SamFormatter&&) noexcept = default;
SamFormatter::~SamFormatter() = default;

std::vector<std::string_view> SamFormatter::tags(bool read_group) {
  std::vector<std::string_view> all = {"NM", "MD", "AS", "XS", "SA", "MC", "MQ",
                                       "ms", "NH", "HI", "XA", "X0", "X1", "YF"};
  if (read_group) all.emplace_back("RG");
  return all;
}

const sam::Header& SamFormatter::header() const noexcept { return *state_->header; }

void SamFormatter::add(const SamRead& read, const Sink& sink) {
  State& state = *state_;
  state.place(read, state.first);
  state.add_records(state.first, 0, nullptr, template_name(read.name), sink);
}

void SamFormatter::add(const SamRead& first, const SamRead& second, const Sink& sink) {
  State& state = *state_;
  state.place(first, state.first);
  state.place(second, state.second);
  const std::optional<std::string_view> name = template_name(first.name, second.name);
  state.add_records(state.first, sam::Record::paired | sam::Record::first, &state.second,
                    name.value_or(template_name(first.name)), sink);
  state.add_records(state.second, sam::Record::paired | sam::Record::last, &state.first,
                    name.value_or(template_name(second.name)), sink);
}

namespace {

SamRead sam_read(const Mapper::Batch& batch, std::size_t i) {
  return {.name = batch.reads.name(i),
          .codes = batch.reads[i],
          .quality = batch.reads.quality(i),
          .tags = batch.reads.description(i),
          .aligned = nullptr,
          .not_searched = batch.hits.reads[i].too_short};
}

}  // namespace

void SamFormatter::add(const Mapper::Batch& batch, const Sink& sink) {
  AlignedRead& own = state_->from_hits[0];
  for (std::size_t i = 0; i < batch.reads.size(); ++i) {
    SamRead read = sam_read(batch, i);
    if (!state_->affine) {
      const ReadSummary& summary = batch.hits.reads[i];
      own = {};
      align_hits(read.codes, summary, batch.hits.of(i), 0, summary.mapping_quality(), false, own);
    }
    read.aligned = state_->affine ? &batch.alignments[i] : &own;
    add(read, sink);
  }
}

void SamFormatter::add(const PairMapper::Batch& batch, const Sink& sink) {
  for (std::size_t pair = 0; pair < batch.reads.size() / 2; ++pair) {
    SamRead mates[2];
    for (std::size_t m = 0; m < 2; ++m) {
      const std::size_t i = 2 * pair + m;
      mates[m] = sam_read(batch, i);
      AlignedRead& own = state_->from_hits[m];
      if (!state_->affine) {
        const ReadPair::Read& placed = batch.pairs[pair].reads[m];
        own = {};
        own.proper_pair = batch.pairs[pair].proper();
        own.rescued = placed.rescued;
        align_hits(mates[m].codes, batch.hits.reads[i], batch.hits_of(i), placed.primary, placed.quality, true, own);
      }
      mates[m].aligned = state_->affine ? &batch.alignments[i] : &own;
    }
    add(mates[0], mates[1], sink);
  }
}

void SamFormatter::append(const Mapper::Batch& batch, std::string& lines) {
  add(batch, [&](const sam::Record& record) { state_->lines.append(record, lines); });
}

void SamFormatter::append(const PairMapper::Batch& batch, std::string& lines) {
  add(batch, [&](const sam::Record& record) { state_->lines.append(record, lines); });
}

const ReportedHits& SamFormatter::report_hits(const ReadSummary& summary, std::span<const Hit> hits,
                                              std::uint64_t primary, bool of_pair, bool rescued, bool for_table) {
  ReportedHits& reported = state_->reported;
  const std::uint64_t known = std::max<std::uint64_t>(summary.hits, hits.size());
  reported.best_count = summary.best_hits;
  if (hits.size() != summary.hits && rescued)
    reported.best_count = static_cast<std::uint64_t>(
        std::ranges::count_if(hits, [&](const Hit& hit) { return hit.errors == hits.front().errors; }));
  reported.next_count = known - std::min(known, reported.best_count);
  state_->select_hits(summary, hits, primary, of_pair, for_table);
  return reported;
}

const ReportedHits& SamFormatter::align_hits(std::span<const Code> read, const ReadSummary& summary,
                                             std::span<const Hit> hits, std::uint64_t primary, std::uint8_t mapq,
                                             bool of_pair, AlignedRead& aligned) {
  const ReportedHits& reported = report_hits(summary, hits, primary, of_pair, aligned.rescued, false);
  aligned.alignments.clear();
  aligned.secondary.clear();
  aligned.best_count = reported.best_count;
  aligned.next_count = reported.next_count;
  for (const std::uint64_t i : reported.numbers) {
    const Hit& hit = hits[i];
    const Alignment& found = state_->aligner.align_record(
        read, hit, summary.mapped, state_->extends_ends ? std::optional(summary.kept) : std::nullopt);
    ReadAlignment& record = (aligned.alignments.empty() ? aligned.alignments : aligned.secondary).emplace_back();
    record.contig = hit.reference;
    record.strand = hit.strand;
    record.position = found.position;
    record.cigar = cigar_of(found);
    if (i == primary) record.mapq = mapq;
  }
  return reported;
}

}  // namespace genocl::marose
