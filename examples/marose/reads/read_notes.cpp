#include "marose/reads/read_notes.hpp"

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <sstream>

namespace program {
namespace {

constexpr const char* warning = "genocl-marose: warning: ";

/// The text behind a count.
constexpr std::array<const char*, read_faults> counted = {
    "with letters other than A, C, G, T, U and N, read as N",
    "with a '+' line that names another read",
    "with name characters that SAM does not allow, written as '_'",
    "with a name above 254 bytes, cut",
    "with comment fields that were left out",
    "without a mate, mapped as single",
    "longer than 1,000 bases, written unmapped",
    "too short for any plan of this index, written unmapped",
};

/// Repairs: many of them suggest a wrong file.
constexpr std::array<ReadFault, 6> repairs = {ReadFault::letters,     ReadFault::plus_line, ReadFault::name_letters,
                                              ReadFault::name_length, ReadFault::comment,   ReadFault::too_long};

}  // namespace

void QualityRange::add(std::span<const std::uint8_t> quality) {
  for (const std::uint8_t score : quality) {
    min = std::min(min, score);
    max = std::max(max, score);
  }
}

void ReadNotes::pack(genocl::Packer& packed) const {
  packed.add_text(file);
  packed.add(qualities);
  for (const Kind& kind : kinds_) {
    packed.add(kind.count);
    packed.add_text(kind.first);
  }
}

ReadNotes ReadNotes::unpack(genocl::Unpacker& packed) {
  ReadNotes notes;
  notes.file = packed.next_text();
  notes.qualities = packed.next<QualityRange>();
  for (Kind& kind : notes.kinds_) {
    kind.count = packed.next<std::uint64_t>();
    kind.first = packed.next_text();
  }
  return notes;
}

const BatchNotes::LongRead* BatchNotes::long_read(std::uint64_t read) const noexcept {
  const auto found = std::ranges::lower_bound(long_reads, read, {}, &LongRead::read);
  return found != long_reads.end() && found->read == read ? &*found : nullptr;
}

bool BatchNotes::is_single(std::uint64_t pair) const noexcept { return std::ranges::binary_search(single, pair); }

void ReadWarnings::add(const ReadNotes& notes, std::ostream& out, const std::function<void()>& before_line) {
  if (notes.file != file_) {
    if (qualities_.looks_like_phred64()) before_line();
    end_file(out);
    file_ = notes.file;
  }
  qualities_.min = std::min(qualities_.min, notes.qualities.min);
  qualities_.max = std::max(qualities_.max, notes.qualities.max);
  for (std::size_t i = 0; i < read_faults; ++i) {
    const ReadNotes::Kind& kind = notes[static_cast<ReadFault>(i)];
    if (counts_[i] == 0 && kind.count > 0) {
      before_line();
      out << warning << kind.first << '\n';
    }
    counts_[i] += kind.count;
  }
}

void ReadWarnings::end_file(std::ostream& out) {
  if (qualities_.looks_like_phred64())
    out << warning << file_ << ": no quality character below '@' and some above 'J' in the first "
        << QualityRange::most_reads << " reads: these may be Phred+64; if so, map with --phred64\n";
  qualities_ = {};
}

void ReadWarnings::finish(std::uint64_t reads, std::ostream& out) {
  end_file(out);
  std::uint64_t repaired = 0;
  for (const ReadFault fault : repairs) repaired += counts_[static_cast<std::size_t>(fault)];
  for (std::size_t i = 0; i < read_faults; ++i)
    if (counts_[i] > 0) out << warning << counts_[i] << (counts_[i] == 1 ? " read " : " reads ") << counted[i] << '\n';
  constexpr std::uint64_t least = 100;
  if (repaired < least || repaired * 100 <= reads) return;
  std::ostringstream share;
  share << std::fixed << std::setprecision(1)
        << 100 * static_cast<double>(std::min(repaired, reads)) / static_cast<double>(reads);
  out << warning << share.str() << "% of the reads were repaired or are too long: check that this is the right input"
      << " (--strict makes the first fault an error)\n";
}

}  // namespace program
