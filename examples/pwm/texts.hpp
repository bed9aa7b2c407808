// Reads the sequences of a scan and divides them into pieces.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/team.hpp"
#include "genocl/io/sequence_reader.hpp"
#include "genocl/sequence.hpp"
#include "pwm/hits.hpp"
#include "pwm/regions.hpp"

namespace program {

/// The records of all files in batches. No hit contains a letter that is not a base.
class TextSource {
 public:
  TextSource(const std::vector<std::string>& files, bool replace_letters);
  ~TextSource();
  TextSource(const TextSource&) = delete;
  TextSource& operator=(const TextSource&) = delete;

  /// One thread at a time. Rethrows errors of the reading thread.
  bool next(genocl::SequenceSet& batch);
  /// Fraction of all files that has been read.
  double fraction() const { return fraction_; }

 private:
  void read_ahead();
  bool read(genocl::SequenceSet& batch);

  std::vector<std::string> files_;
  genocl::BadLetters bad_letters_;
  std::size_t at_ = 0;
  std::optional<genocl::io::SequenceReader> reader_;
  std::atomic<double> fraction_ = 0;

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::optional<genocl::SequenceSet> ready_;
  std::vector<genocl::SequenceSet> used_;  ///< sets whose memory is reused
  bool ended_ = false, stop_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

struct PieceOptions {
  std::uint64_t residues = std::uint64_t{8} << 20;  ///< letters of a piece
  std::uint64_t overlap = 0;                        ///< letters that the next part of a long stretch begins with
  bool count_overlaps = false;                      ///< collect the letters of overlaps()
  bool genomic_coordinates = false;                 ///< names like chr1:101-200 give the position of a record
  bool once = true;            ///< a hit in overlapping regions is reported once, for the first one
  Regions* regions = nullptr;  ///< scan these regions only; null: all
};

/// The position in a name such as "chr1:101-200" (samtools faidx: from 1, closed) or "chr1:100-200" (bedtools getfasta:
/// from 0, half-open). The length of the record decides between them.
struct GenomicName {
  std::string sequence;
  std::uint64_t offset = 0;
  bool turned = false;  ///< the record is the reverse complement
};
/// Parses the name of a record of `length` letters. A strand may follow ("chr1:100-200(-)" by bedtools getfasta -s,
/// "/rc" by samtools faidx -i), a name may precede ("peak1::chr1:100-200(-)" by bedtools getfasta -name). No value for
/// other names. Throws InputError if `length` agrees with neither interpretation.
std::optional<GenomicName> genomic_name(std::string_view name, std::uint64_t length);

/// Divides the records of a text into pieces for the members of a team. Each member reads the whole text and scans its
/// own pieces.
class TextPieces {
 public:
  using Look = std::function<void(std::span<const genocl::Code>)>;
  /// `look` receives every record or region. `look_twice` receives the letters of a region that an earlier region
  /// contains, if hits are reported once.
  TextPieces(TextSource& source, Blocks& blocks, PieceOptions options, Look look, Look look_twice);

  /// Returns the number of the next block of this member and sets its piece. No value at the end. Without regions and
  /// genomic coordinates, a team of one gets batches of the source, which the library divides.
  std::optional<std::uint64_t> next(pwm::TextBatch& piece);
  /// The letters that a piece of this member shares with the next piece. Both pieces report the hits in them.
  const genocl::SequenceSet& overlaps() const { return overlaps_; }

 private:
  struct Stretch {
    std::size_t record = 0;    ///< of the batch
    genocl::Interval letters;  ///< interval of the record, or if turned of its reverse complement, with the overlap
    bool turned = false;       ///< the reverse complement of the record is scanned
    std::string_view name;
    pwm::SourceInterval place;
  };
  struct Piece {
    std::size_t first = 0, count = 0;  ///< stretches
  };
  bool next_batch(pwm::TextBatch& piece);
  bool read();
  void add_record(std::size_t record);
  void add_stretch(Stretch stretch);
  void end_piece();

  TextSource& source_;
  Blocks& blocks_;
  PieceOptions options_;
  Look look_, look_twice_;
  genocl::SequenceSet batch_, overlaps_;
  std::vector<std::string> names_;  ///< names that differ from those of the records
  std::vector<Stretch> stretches_;  ///< of the batch
  std::vector<Piece> pieces_;
  std::uint64_t held_ = 0;  ///< letters of the last piece
  std::uint64_t pieces_before_ = 0, stretches_before_ = 0;
};

}  // namespace program
