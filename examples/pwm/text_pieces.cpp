#include "pwm/text_pieces.hpp"

#include <algorithm>

namespace program {

using genocl::SequenceSet;

constexpr std::uint64_t batch_residues = std::uint64_t{128} << 20;
/// A team shares the text in pieces of so many letters: each is enough for a device, and there are enough of them.
constexpr std::uint64_t piece_residues = std::uint64_t{8} << 20;

bool TextSource::next(SequenceSet& batch) {
  while (at_ < files_.size()) {
    if (!reader_)
      reader_.emplace(
          files_[at_],
          genocl::io::ReadOptions{.bad_letters = bad_letters_, .keep_qualities = false, .keep_descriptions = false});
    if (reader_->read(batch, {.residues = batch_residues})) {
      fraction_ = (static_cast<double>(at_) + reader_->fraction()) / static_cast<double>(files_.size());
      return true;
    }
    reader_.reset();
    ++at_;
  }
  return false;
}

std::vector<TextPiece> cut_into_pieces(const SequenceSet& batch, std::uint64_t residues, std::uint64_t overlap) {
  std::vector<TextPiece> pieces;
  std::uint64_t held = 0;  // letters of the last piece, where that may take more records
  for (std::size_t record = 0; record < batch.size(); ++record) {
    const std::uint64_t length = batch.length(record);
    if (length > residues + residues / 2) {
      for (std::uint64_t begin = 0; begin < length; begin += residues) {
        TextPiece& piece = pieces.emplace_back(TextPiece{.first = record, .count = 1, .begin = begin});
        const bool last = length - begin <= residues;
        piece.own_end = last ? length : begin + residues;
        piece.end = std::min(length, piece.own_end + overlap);
      }
      held = residues;
      continue;
    }
    if (pieces.empty() || held + length > residues) {
      pieces.push_back({.first = record});
      held = 0;
    }
    ++pieces.back().count;
    held += length;
  }
  return pieces;
}

bool TeamText::read(SequenceSet& piece) {
  const bool alone = team().size() == 1;
  SequenceSet& batch = alone ? piece : text_;
  pieces_before_ += pieces_.size();
  records_before_ += records_;
  pieces_.clear();
  piece_ = records_ = 0;
  if (!source_.next(batch)) return false;
  records_ = batch.size();
  look_(batch);
  pieces_ = alone ? std::vector<TextPiece>{{.count = records_}} : cut_into_pieces(batch, piece_residues, overlap_);
  return true;
}

std::optional<OwnPiece> TeamText::next(SequenceSet& piece) {
  const std::uint64_t block = blocks_.take();
  while (pieces_before_ + pieces_.size() <= block)
    if (!read(piece)) return std::nullopt;
  piece_ = static_cast<std::size_t>(block - pieces_before_);
  const TextPiece& which = pieces_[piece_];
  if (team().size() > 1) {
    piece.reset(text_.alphabet(), false);
    for (std::size_t i = which.first; i < which.first + which.count; ++i) {
      const std::span<const genocl::Code> record = text_[i];
      piece.append(text_.name(i),
                   record.subspan(which.begin, std::min<std::uint64_t>(which.end, record.size()) - which.begin));
    }
    if (which.end != which.own_end && !which.whole())
      overlaps_.append("", text_[which.first].subspan(which.own_end, which.end - which.own_end));
  }
  return OwnPiece{block, records_before_ + which.first, which.begin, which.own_end};
}

}  // namespace program
