#include "io/bam/bam_index.hpp"

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>

#include "genocl/error.hpp"

namespace genocl::io {
namespace {

constexpr std::uint64_t longest_of_bai = std::uint64_t{1} << 29;
constexpr int smallest_interval_bits = 14, levels_of_bai = 5;
/// Which of MIDNSHP=X take bases of the reference: M, D, N, =, X.
constexpr std::uint32_t takes_reference = 0b110001101;

template <class Integer>
Integer little_endian_at(std::string_view bytes, std::size_t at) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(Integer); ++i)
    value |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << 8 * i;
  return static_cast<Integer>(value);
}

}  // namespace

BamIndex::BamIndex(const AlignmentHeader& header, std::uint64_t begin) {
  std::uint64_t longest = 0;
  for (const AlignmentHeader::Reference& reference : header.references) longest = std::max(longest, reference.length);
  int levels = levels_of_bai;
  if (longest > longest_of_bai) {
    format_ = HTS_FMT_CSI;
    while (longest > std::uint64_t{1} << (smallest_interval_bits + 3 * levels)) ++levels;
  }
  index_.reset(
      hts_idx_init(static_cast<int>(header.references.size()), format_, begin, smallest_interval_bits, levels));
  if (!index_) throw std::bad_alloc();
}

BamIndex::Entry BamIndex::entry_of(std::string_view record) {
  constexpr std::size_t reference_at = 4, position_at = 8, name_size_at = 12, cigar_size_at = 16, flag_at = 18,
                        name_at = 36;
  Entry entry;
  entry.reference = little_endian_at<std::int32_t>(record, reference_at);
  entry.begin = little_endian_at<std::int32_t>(record, position_at);
  entry.mapped = (little_endian_at<std::uint16_t>(record, flag_at) & AlignmentRecord::unmapped) == 0;
  std::int64_t bases = 0;
  if (entry.mapped) {
    const std::size_t cigar = name_at + static_cast<unsigned char>(record[name_size_at]);
    for (std::size_t i = 0; i < little_endian_at<std::uint16_t>(record, cigar_size_at); ++i) {
      const auto run = little_endian_at<std::uint32_t>(record, cigar + 4 * i);
      if ((takes_reference >> (run & 15) & 1) != 0) bases += run >> 4;
    }
  }
  entry.end = entry.begin + std::max<std::int64_t>(bases, 1);
  return entry;
}

void BamIndex::add(const Entry& entry, std::uint64_t end) {
  if (hts_idx_push(index_.get(), entry.reference, entry.begin, entry.end, end, entry.mapped ? 1 : 0) < 0)
    throw Error("a record has no place in the index");
}

void BamIndex::write(std::uint64_t end, int descriptor) {
  errno = 0;
  // htslib takes a name only.
  const std::string name = "/dev/fd/" + std::to_string(descriptor);
  if (hts_idx_finish(index_.get(), end) < 0 || hts_idx_save_as(index_.get(), nullptr, name.c_str(), format_) < 0)
    throw std::system_error(errno == 0 ? EIO : errno, std::generic_category());
}

}  // namespace genocl::io
