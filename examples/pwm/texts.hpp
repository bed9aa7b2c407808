// Sequences of a scan: read, and cut into pieces.
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

/// The records of all files, one after the other, in batches. Letters of the alphabet that are no bases are in no hit.
class TextSource {
 public:
  TextSource(const std::vector<std::string>& files, bool replace_letters);
  ~TextSource();
  TextSource(const TextSource&) = delete;
  TextSource& operator=(const TextSource&) = delete;

  /// For one thread at a time. Rethrows what reading threw.
  bool next(genocl::SequenceSet& batch);
  /// The share of all files that is read.
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
  std::vector<genocl::SequenceSet> used_;  ///< whose memory is used again
  bool ended_ = false, stop_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

struct PieceOptions {
  std::uint64_t residues = std::uint64_t{8} << 20;  ///< of a piece
  std::uint64_t overlap = 0;                        ///< letters that the next part of a long stretch begins with
  bool count_overlaps = false;                      ///< keeps what overlaps() gives
  bool genomic_coordinates = false;                 ///< names like chr1:101-200 say where the record stands
  bool once = true;                                 ///< hits in regions that overlap are those of the first one
  Regions* regions = nullptr;                       ///< only these
};

/// A name that says where its record of so many letters stands: "chr1:101-200", counted from 1, the last one included
/// (samtools faidx), or "chr1:100-200", counted from 0, the last one not (bedtools getfasta): the length tells.
struct GenomicName {
  std::string sequence;
  std::uint64_t offset = 0;
  bool turned = false;  ///< the record is the reverse complement
};
/// Also with a strand behind ("chr1:100-200(-)", bedtools getfasta -s; "/rc", samtools faidx -i) and a name in front
/// ("peak1::chr1:100-200(-)", bedtools getfasta -name). No value for other names. Throws InputError where the length is
/// neither.
std::optional<GenomicName> genomic_name(std::string_view name, std::uint64_t length);

/// Everybody reads the whole text, and scans the pieces that come to it. Pieces are parts of records.
class TextPieces {
 public:
  using Look = std::function<void(std::span<const genocl::Code>)>;
  /// `look` is shown every record, or region of it, that is read; `look_twice` what of a region was in one before,
  /// where hits count once.
  TextPieces(TextSource& source, Blocks& blocks, PieceOptions options, Look look, Look look_twice);

  /// The next piece of this member and its block's number; no value at the end. Without regions and genomic
  /// coordinates, a member without others gets batches of the source, which the library cuts.
  std::optional<std::uint64_t> next(pwm::TextBatch& piece);
  /// Where own pieces reach into the next: hits in there are in the next piece, too.
  const genocl::SequenceSet& overlaps() const { return overlaps_; }

 private:
  struct Stretch {
    std::size_t record = 0;    ///< of the batch
    genocl::Interval letters;  ///< of the record, with the overlap; if turned, of its reverse complement
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
  std::vector<std::string> names_;  ///< that are not the records' own
  std::vector<Stretch> stretches_;  ///< of the batch
  std::vector<Piece> pieces_;
  std::uint64_t held_ = 0;  ///< letters of the last piece
  std::uint64_t pieces_before_ = 0, stretches_before_ = 0;
};

}  // namespace program
