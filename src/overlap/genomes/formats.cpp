#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

#include "genocl/overlap/genome_formats.hpp"

namespace genocl::overlap {
namespace detail::genome_formats {

void append_number(std::string& text, std::int64_t number) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void append_field(std::string& text, std::int64_t number) {
  text += '\t';
  append_number(text, number);
}
void append_field(std::string& text, std::uint64_t number) { append_field(text, static_cast<std::int64_t>(number)); }
void append_field(std::string& text, std::string_view field) {
  text += '\t';
  text += field;
}

std::string name_of(const SequenceSet& set, std::uint64_t record, std::uint64_t first) {
  return set.name(record).empty() ? std::to_string(first + record + 1) : std::string(set.name(record));
}

/// The first and the last base of an alignment, from 1, along the reference.
std::pair<std::uint64_t, std::uint64_t> query_ends(const GenomeAlignment& alignment) {
  const std::uint64_t first = alignment.query.begin + 1, last = alignment.query.end;
  return alignment.strand == Strand::forward ? std::pair(first, last) : std::pair(last, first);
}

/// A mismatch or a letter in a gap, with its positions, from 1, along the reference. In a gap, the position is that of
/// the letter before it.
struct Difference {
  std::uint64_t reference, query;
  char reference_letter, query_letter;
};

}  // namespace detail::genome_formats

/// A query, with letters of both strands.
struct GenomeFormatter::Query {
  std::string name;
  std::uint64_t length = 0;
  std::span<const Code> letters = {};

  /// The letter at an offset from the begin of an alignment, in the direction of the reference.
  Code letter(const GenomeAlignment& alignment, std::uint64_t offset) const {
    return alignment.strand == Strand::forward ? letters[alignment.query.begin + offset]
                                               : dna::complement(letters[alignment.query.end - 1 - offset]);
  }
};

GenomeFormatter::GenomeFormatter(GenomeFormat format, const SequenceSet& reference, GenomeFormatOptions options)
    : format_(format), reference_(&reference), options_(std::move(options)) {
  for (std::uint64_t i = 0; i < reference.size(); ++i)
    names_.push_back(detail::genome_formats::name_of(reference, i, 0));
}

std::string GenomeFormatter::header() const {
  if (format_ == GenomeFormat::paf) return {};
  std::string text = options_.reference_file + ' ' + options_.query_file + "\nNUCMER\n";
  if (format_ == GenomeFormat::coords)
    text += "\n[S1]\t[E1]\t[S2]\t[E2]\t[LEN 1]\t[LEN 2]\t[% IDY]\t[LEN R]\t[LEN Q]\t[TAGS]\n";
  if (format_ == GenomeFormat::snps) text += "\n[P1]\t[SUB]\t[SUB]\t[P2]\t[BUFF]\t[DIST]\t[FRM]\t[TAGS]\n";
  return text;
}

void GenomeFormatter::append(const SequenceSet& queries, std::uint64_t query,
                             std::span<const GenomeAlignment> alignments, std::string& text,
                             std::uint64_t first_query) const {
  const Query written{detail::genome_formats::name_of(queries, query, first_query), queries.length(query),
                      queries[query]};
  for (std::size_t i = 0; i < alignments.size(); ++i) {
    const std::uint64_t record = alignments[i].reference.sequence;
    switch (format_) {
      case GenomeFormat::delta:
        if (i == 0 || alignments[i - 1].reference.sequence != record) {
          text += '>';
          text += name(record);
          text += ' ' + written.name + ' ' + std::to_string(reference_->length(record)) + ' ' +
                  std::to_string(written.length) + '\n';
        }
        append_delta(written, alignments[i], text);
        break;
      case GenomeFormat::coords:
        append_coords(written, alignments[i], text);
        break;
      case GenomeFormat::paf:
        append_paf(written, alignments[i], text);
        break;
      case GenomeFormat::snps:
        if (alignments[i].primary) append_snps(written, alignments[i], text);
        break;
    }
  }
}

void GenomeFormatter::append_delta(const Query&, const GenomeAlignment& alignment, std::string& text) const {
  using namespace detail::genome_formats;
  const auto [first, last] = query_ends(alignment);
  const std::uint64_t errors = alignment.mismatches + alignment.gaps;
  text += std::to_string(alignment.reference.begin + 1);
  for (const std::uint64_t number : {alignment.reference.end, first, last, errors, errors, std::uint64_t{0}}) {
    text += ' ';
    append_number(text, static_cast<std::int64_t>(number));
  }
  text += '\n';
  // A letter of a gap is written as the number of columns since the last one, its own included. It is positive for a
  // letter of the reference, negative for one of the query.
  std::int64_t since = 0;
  for (const CigarRun& run : alignment.cigar.runs()) {
    const bool inserted = run.letter() == 'I';
    if (!inserted && run.letter() != 'D') {
      since += run.length();
      continue;
    }
    for (std::uint32_t k = 0; k < run.length(); ++k) {
      append_number(text, inserted ? -(since + 1) : since + 1);
      text += '\n';
      since = 0;
    }
  }
  text += "0\n";
}

void GenomeFormatter::append_coords(const Query& query, const GenomeAlignment& alignment, std::string& text) const {
  using namespace detail::genome_formats;
  const auto [first, last] = query_ends(alignment);
  append_number(text, static_cast<std::int64_t>(alignment.reference.begin + 1));
  append_field(text, alignment.reference.end);
  append_field(text, first);
  append_field(text, last);
  append_field(text, alignment.reference.length());
  append_field(text, alignment.query.length());
  char identity[24];
  std::snprintf(identity, sizeof identity, "\t%.2f",
                100.0 * static_cast<double>(alignment.matches) / static_cast<double>(alignment.columns()));
  text += identity;
  append_field(text, reference_->length(alignment.reference.sequence));
  append_field(text, query.length);
  append_field(text, name(alignment.reference.sequence));
  append_field(text, query.name);
  text += '\n';
}

void GenomeFormatter::append_paf(const Query& query, const GenomeAlignment& alignment, std::string& text) const {
  using namespace detail::genome_formats;
  text += query.name;
  append_field(text, query.length);
  append_field(text, alignment.query.begin);
  append_field(text, alignment.query.end);
  append_field(text, alignment.strand == Strand::forward ? "+" : "-");
  append_field(text, name(alignment.reference.sequence));
  append_field(text, reference_->length(alignment.reference.sequence));
  append_field(text, alignment.reference.begin);
  append_field(text, alignment.reference.end);
  append_field(text, alignment.matches);
  append_field(text, alignment.columns());
  append_field(text, std::uint64_t{alignment.mapq});
  append_field(text, "NM:i:");
  append_number(text, static_cast<std::int64_t>(alignment.mismatches + alignment.gaps));
  append_field(text, "AS:i:");
  append_number(text, alignment.score);
  append_field(text, alignment.primary ? "tp:A:P" : "tp:A:S");
  // Divergence as minimap2 counts it: a gap is one difference.
  const auto runs = alignment.cigar.runs();
  const auto gaps = static_cast<std::uint64_t>(
      std::ranges::count_if(runs, [](const CigarRun& run) { return run.letter() == 'I' || run.letter() == 'D'; }));
  char divergence[32];
  std::snprintf(divergence, sizeof divergence, "\tde:f:%.4f",
                static_cast<double>(alignment.mismatches + gaps) /
                    static_cast<double>(alignment.matches + alignment.mismatches + gaps));
  text += divergence;
  append_field(text, "cg:Z:");
  if (options_.match_as_m) {
    Cigar cigar;
    for (const CigarRun& run : runs)
      cigar.append(run.length(), run.letter() == '=' || run.letter() == 'X' ? 'M' : run.letter());
    text += cigar.str();
  } else {
    text += alignment.cigar.str();
  }
  if (options_.cs) {
    append_field(text, "cs:Z:");
    const std::span<const Code> reference = (*reference_)[alignment.reference.sequence];
    std::uint64_t i = alignment.reference.begin, j = 0;
    const auto letter = [](Code code) { return genocl::detail::lower(dna::decode(code)); };
    for (const CigarRun& run : runs) {
      if (run.letter() == '=') {
        text += ':' + std::to_string(run.length());
        i += run.length(), j += run.length();
        continue;
      }
      if (run.letter() != 'X') text += run.letter() == 'I' ? '+' : '-';
      for (std::uint32_t k = 0; k < run.length(); ++k) {
        if (run.letter() == 'X') text += '*';
        if (run.letter() != 'I') text += letter(reference[i++]);
        if (run.letter() != 'D') text += letter(query.letter(alignment, j++));
      }
    }
  }
  text += '\n';
}

void GenomeFormatter::append_snps(const Query& query, const GenomeAlignment& alignment, std::string& text) const {
  using namespace detail::genome_formats;
  const std::span<const Code> reference = (*reference_)[alignment.reference.sequence];
  const bool forward = alignment.strand == Strand::forward;
  // Positions of the query along the reference: offset k of the alignment is base first + k or first - k.
  const std::uint64_t first = query_ends(alignment).first;
  const auto position = [&](std::uint64_t offset) { return forward ? first + offset : first - offset; };
  std::vector<Difference> differences;
  std::uint64_t i = alignment.reference.begin, j = 0;
  for (const CigarRun& run : alignment.cigar.runs()) {
    for (std::uint32_t k = 0; k < run.length() && run.letter() != '='; ++k) {
      const bool inserted = run.letter() == 'I', deleted = run.letter() == 'D';
      const char a = inserted ? '.' : dna::decode(reference[i + (inserted ? 0 : k)]);
      const char b = deleted ? '.' : dna::decode(query.letter(alignment, j + k));
      if (inserted || deleted || (dna::encode(a) < 4 && dna::encode(b) < 4))
        differences.push_back(
            {inserted ? i : i + k + 1, deleted ? position(j) - (forward ? 1 : 0) : position(j + k), a, b});
    }
    if (run.letter() != 'I') i += run.length();
    if (run.letter() != 'D') j += run.length();
  }
  const std::uint64_t reference_length = reference.size();
  for (std::size_t k = 0; k < differences.size(); ++k) {
    const Difference& here = differences[k];
    // The distances to the neighbouring differences, or to the columns outside of the alignment; and to the ends of the
    // records.
    const std::uint64_t before = here.reference - (k > 0 ? differences[k - 1].reference : alignment.reference.begin);
    const std::uint64_t after =
        (k + 1 < differences.size() ? differences[k + 1].reference : alignment.reference.end + 1) - here.reference;
    const std::uint64_t end_distance =
        std::min({here.reference, reference_length - here.reference + 1, here.query, query.length - here.query + 1});
    append_number(text, static_cast<std::int64_t>(here.reference));
    append_field(text, std::string_view(&here.reference_letter, 1));
    append_field(text, std::string_view(&here.query_letter, 1));
    append_field(text, here.query);
    append_field(text, std::min(before, after));
    append_field(text, end_distance);
    text += forward ? "\t1\t1" : "\t1\t-1";
    append_field(text, name(alignment.reference.sequence));
    append_field(text, query.name);
    text += '\n';
  }
}

}  // namespace genocl::overlap
