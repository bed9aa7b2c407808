#include "overlap/kept_positions.hpp"

#include <algorithm>
#include <bit>
#include <fstream>
#include <utility>

#include "genocl/error.hpp"

namespace program {

struct NumberFile::State {
  std::ifstream in;
  std::string path, bytes, what_for;
  std::uint64_t begin;
  std::size_t width;
};

NumberFile::NumberFile(const std::string& path, std::uint64_t begin, std::size_t width, std::string what_for)
    : state_(std::make_unique<State>(
          State{std::ifstream(path, std::ios::binary), path, {}, std::move(what_for), begin, width})) {}
NumberFile::~NumberFile() = default;

void NumberFile::read(std::uint64_t first, std::span<std::uint64_t> numbers) {
  State& state = *state_;
  const std::size_t width = state.width;
  state.in.seekg(static_cast<std::streamoff>(state.begin + width * first));
  const bool as_they_are = std::endian::native == std::endian::little && width == sizeof(std::uint64_t);
  state.bytes.resize(as_they_are ? 0 : width * numbers.size());
  state.in.read(as_they_are ? reinterpret_cast<char*>(numbers.data()) : state.bytes.data(),
                static_cast<std::streamsize>(width * numbers.size()));
  if (!state.in) throw genocl::InputError(state.path, {}, "cannot be read again, for " + state.what_for);
  if (as_they_are) return;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = 0;
    for (std::size_t k = 0; k < width; ++k)
      numbers[i] |= std::uint64_t{static_cast<unsigned char>(state.bytes[width * i + k])} << (8 * k);
  }
}

KeptPositions::KeptPositions(genocl::io::OutputFile& out, std::uint64_t count, std::size_t width)
    : out_(out), width_(width) {
  if (const std::optional<genocl::io::SharedOutput> shared = out.share()) {
    path_ = shared->path;
    out.take_back(0);
    return;
  }
  try {
    if (count > overlap::Text::longest)
      wide_.reserve(count);
    else
      narrow_.reserve(count);
  } catch (const std::bad_alloc&) {
    throw genocl::InputError(
        out.file(), {},
        "gets common prefixes, whose " + std::to_string(count) + " positions the memory has no room for",
        "a regular file to write");
  }
}

template <class Position>
void KeptPositions::take(std::vector<Position>& kept, std::span<const Position> positions) {
  if (path_)
    write_numbers(out_, positions, width_);
  else
    kept.insert(kept.end(), positions.begin(), positions.end());
}
void KeptPositions::add(std::span<const std::uint32_t> positions) { take(narrow_, positions); }
void KeptPositions::add(std::span<const std::uint64_t> positions) { take(wide_, positions); }

overlap::PositionSource KeptPositions::source() {
  if (path_ && !file_) {
    // Write the buffer to the file.
    out_.share();
    out_.take_back(0);
    file_.emplace(*path_, 0, width_, "common prefixes");
  }
  return [this](std::uint64_t first, std::span<std::uint64_t> some) {
    const auto copy = [&](const auto& kept) {
      std::copy_n(kept.begin() + static_cast<std::ptrdiff_t>(first), some.size(), some.begin());
    };
    if (file_)
      file_->read(first, some);
    else if (!wide_.empty())
      copy(wide_);
    else
      copy(narrow_);
  };
}

}  // namespace program
