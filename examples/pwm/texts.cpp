
#include "pwm/texts.hpp"

#include <algorithm>
#include <utility>

#include "common/numbers.hpp"
#include "common/reading_threads.hpp"
#include "genocl/error.hpp"

namespace program {

using genocl::SequenceSet;

constexpr std::uint64_t batch_residues = std::uint64_t{64} << 20;

TextSource::TextSource(const std::vector<std::string>& files, bool replace_letters)
    : files_(files), bad_letters_(genocl::bad_letters(replace_letters)), thread_([this] { read_ahead(); }) {}

TextSource::~TextSource() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool TextSource::read(SequenceSet& batch) {
  while (at_ < files_.size()) {
    if (!reader_)
      reader_.emplace(files_[at_], genocl::io::ReadOptions{.bad_letters = bad_letters_,
                                                           .keep_qualities = false,
                                                           .keep_descriptions = false,
                                                           .threads = reading_threads()});
    if (reader_->read(batch, {.residues = batch_residues})) {
      fraction_ = (static_cast<double>(at_) + reader_->fraction()) / static_cast<double>(files_.size());
      return true;
    }
    reader_.reset();
    ++at_;
  }
  return false;
}

void TextSource::read_ahead() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    SequenceSet batch;
    if (!used_.empty()) {
      batch = std::move(used_.back());
      used_.pop_back();
    }
    lock.unlock();
    bool more = false;
    std::exception_ptr failure;
    try {
      more = read(batch);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (!more) {
      failure_ = failure;
      ended_ = true;
      changed_.notify_all();
      return;
    }
    changed_.wait(lock, [this] { return stop_ || !ready_; });
    ready_.emplace(std::move(batch));
    changed_.notify_all();
  }
}

bool TextSource::next(SequenceSet& batch) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ready_ || ended_; });
  if (!ready_) {
    if (failure_) std::rethrow_exception(failure_);
    return false;
  }
  if (used_.size() < 2) used_.push_back(std::move(batch));
  batch = std::move(*ready_);
  ready_.reset();
  changed_.notify_all();
  return true;
}

using genocl::SequenceSet;

std::optional<GenomicName> genomic_name(std::string_view name, std::uint64_t length) {
  bool turned = false;
  for (const auto& [mark, turns] :
       {std::pair("(+)", false), std::pair("(-)", true), std::pair("(.)", false), std::pair("/rc", true)})
    if (name.ends_with(mark)) {
      name.remove_suffix(3);
      turned = turns;
      break;
    }
  const std::size_t colon = name.rfind(':'), dash = name.find('-', colon == std::string_view::npos ? 0 : colon);
  if (colon == std::string_view::npos || colon == 0 || dash == std::string_view::npos) return std::nullopt;
  const auto first = number_of<std::uint64_t>(name.substr(colon + 1, dash - colon - 1));
  const auto last = number_of<std::uint64_t>(name.substr(dash + 1));
  if (!first || !last) return std::nullopt;
  std::string_view sequence = name.substr(0, colon);
  if (const std::size_t named = sequence.rfind("::"); named != std::string_view::npos && named + 2 < sequence.size())
    sequence.remove_prefix(named + 2);
  GenomicName found{.sequence = std::string(sequence), .offset = 0, .turned = turned};
  if (*first > 0 && *last >= *first && *last - *first + 1 == length)
    found.offset = *first - 1;
  else if (*last >= *first && *last - *first == length)
    found.offset = *first;
  else
    throw genocl::InputError("--genomic-coordinates", {},
                             genocl::shown(name) + ", a record of " + std::to_string(length) + " letters",
                             "a name that says its place");
  return found;
}

TextPieces::TextPieces(TextSource& source, Blocks& blocks, PieceOptions options, Look look, Look look_twice)
    : source_(source), blocks_(blocks), options_(options), look_(std::move(look)), look_twice_(std::move(look_twice)) {}

void TextPieces::end_piece() { held_ = options_.residues; }

void TextPieces::add_stretch(Stretch stretch) {
  const std::uint64_t length = stretch.letters.length();
  if (held_ == options_.residues || pieces_.empty() || held_ + length > options_.residues) {
    pieces_.push_back({stretches_.size(), 0});
    held_ = 0;
  }
  stretches_.push_back(stretch);
  ++pieces_.back().count;
  held_ = std::min(options_.residues, held_ + length);
}

void TextPieces::add_record(std::size_t record) {
  const std::span<const genocl::Code> letters = batch_[record];
  Stretch whole{
      .record = record, .letters = {0, letters.size()}, .turned = false, .name = batch_.name(record), .place = {}};
  if (options_.genomic_coordinates)
    if (auto known = genomic_name(whole.name, letters.size())) {
      whole.place.begin = known->offset;
      whole.turned = known->turned;
      whole.name = names_.emplace_back(std::move(known->sequence));
    }
  const auto add = [&](Stretch stretch) {
    look_(letters.subspan(stretch.letters.begin, stretch.letters.length()));
    stretch.place.sequence = stretches_before_++;
    const std::uint64_t end = stretch.letters.end, offset = stretch.place.begin - stretch.letters.begin;
    for (bool last = false; !last;) {
      const std::uint64_t begin = stretch.letters.begin, left = end - begin;
      last = left <= options_.residues + options_.residues / 2;
      const std::uint64_t own = last ? left : options_.residues;
      stretch.letters.end = std::min(end, begin + own + (last ? 0 : options_.overlap));
      stretch.place.begin = offset + begin;
      stretch.place.own.end = offset + begin + own;
      add_stretch(stretch);
      stretch.letters.begin += own;
    }
  };
  if (options_.regions == nullptr) {
    add(whole);
    return;
  }
  std::uint64_t beyond = 0;
  for (const Region& region : options_.regions->of(whole.name, letters.size())) {
    Stretch stretch = whole;
    stretch.letters = region;
    stretch.place.begin += region.begin;
    stretch.place.own.begin = options_.once ? beyond : 0;
    add(stretch);
    const std::uint64_t twice = std::min(beyond, region.end);
    if (options_.once && twice > region.begin) look_twice_(letters.subspan(region.begin, twice - region.begin));
    beyond = std::max(beyond, region.end);
  }
}

bool TextPieces::read() {
  pieces_before_ += pieces_.size();
  pieces_.clear();
  stretches_.clear();
  names_.clear();
  held_ = 0;
  if (!source_.next(batch_)) return false;
  names_.reserve(batch_.size());  // views of the names stay valid
  for (std::size_t record = 0; record < batch_.size(); ++record) add_record(record);
  end_piece();
  return true;
}

bool TextPieces::next_batch(pwm::TextBatch& piece) {
  if (!source_.next(piece)) return false;
  piece.intervals.resize(piece.size());
  for (std::size_t record = 0; record < piece.size(); ++record) {
    look_(piece[record]);
    piece.intervals[record] = {.sequence = stretches_before_++};
  }
  return true;
}

std::optional<std::uint64_t> TextPieces::next(pwm::TextBatch& piece) {
  const std::uint64_t block = blocks_.take();
  if (team().size() == 1 && options_.regions == nullptr && !options_.genomic_coordinates)
    return next_batch(piece) ? std::optional(block) : std::nullopt;
  while (pieces_before_ + pieces_.size() <= block)
    if (!read()) return std::nullopt;
  const Piece& which = pieces_[static_cast<std::size_t>(block - pieces_before_)];
  piece.reset(batch_.alphabet(), false);
  piece.intervals.clear();
  for (std::size_t i = which.first; i < which.first + which.count; ++i) {
    const Stretch& stretch = stretches_[i];
    const std::span<const genocl::Code> letters = batch_[stretch.record];
    const std::uint64_t length = stretch.letters.length();
    const auto to = piece.extend(stretch.name, {}, length).codes;
    piece.intervals.push_back(stretch.place);
    if (stretch.turned)
      genocl::dna::reverse_complement(letters.subspan(letters.size() - stretch.letters.end, length), to);
    else
      std::ranges::copy(letters.subspan(stretch.letters.begin, length), to.begin());
    const std::uint64_t own = stretch.place.own.end - stretch.place.begin;
    if (options_.count_overlaps && own < length)
      overlaps_.append("", letters.subspan(stretch.letters.begin + own, length - own));
  }
  return block;
}

}  // namespace program
