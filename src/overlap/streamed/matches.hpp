// Pairs of places whose windows may be equal, and the comparison that decides.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "genocl/files.hpp"
#include "genocl/progress.hpp"
#include "overlap/streamed/anchors.hpp"
#include "overlap/streamed/file_text.hpp"
#include "overlap/streamed/partitioned_spill.hpp"

namespace genocl::overlap {

/// The `count` windows from `place` on may equal those from `other` on. Claimed: by their fingerprints they all do.
class WindowMatch {
 public:
  static constexpr std::uint64_t max_count = (std::uint64_t{1} << 24) - 1;
  static constexpr std::uint64_t max_text = std::uint64_t{1} << 40;

  WindowMatch() = default;
  WindowMatch(std::uint64_t place, std::uint64_t other, std::uint64_t count, bool claimed)
      : place_(place << 24 | count), other_(other << 1 | (claimed ? 1 : 0)) {}

  std::uint64_t place() const { return place_ >> 24; }
  std::uint64_t other() const { return other_ >> 1; }
  std::uint64_t count() const { return place_ & max_count; }
  bool is_claimed() const { return (other_ & 1) != 0; }
  /// Distance of the places, modulo 2^64.
  std::uint64_t diagonal() const { return place() - other(); }

  /// Joins windows of the same diagonal that overlap or follow. Returns false, without a change, for others.
  bool append(const WindowMatch& next) {
    if (next.is_claimed() != is_claimed() || next.diagonal() != diagonal() || next.place() < place() ||
        next.place() > place() + count())
      return false;
    const std::uint64_t joined = std::max(place() + count(), next.place() + next.count()) - place();
    if (joined > max_count) return false;
    *this = {place(), other(), joined, is_claimed()};
    return true;
  }

 private:
  std::uint64_t place_ = 0, other_ = 0;
};

/// A fingerprint was that of two different strings: the search must be repeated with another seed.
struct FingerprintCollision {};

/// Matches in temporary files, by ranges of places, and the marks that they make.
class MatchStore {
 public:
  MatchStore(const FileText& text, const RepeatSearch& search);

  /// Thread-safe.
  void add(std::span<const WindowMatch> matches);

  /// Compares the windows of all matches and returns a file with a bit for each position of the text: whether its
  /// window equals another one. Throws FingerprintCollision if a claimed match is none. Once, after the last add().
  files::SpillFile marks(const Progress& progress);

 private:
  std::uint64_t buckets() const;
  void mark_bucket(std::uint64_t bucket, std::vector<std::uint64_t>& marks) const;

  const FileText& text_;
  const RepeatSearch& search_;
  std::uint64_t bucket_bytes_;
  std::mutex mutex_;
  PartitionedSpill<WindowMatch> matches_;
};

}  // namespace genocl::overlap
