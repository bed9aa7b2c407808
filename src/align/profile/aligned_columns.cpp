#include "align/profile/aligned_columns.hpp"

#include <algorithm>

#include "genocl/error.hpp"

namespace genocl::align {
namespace {

bool is_gap(char letter) { return letter == '-' || letter == '.'; }

Code simple_code(Code code) { return code < 20 ? code : AlignedLetter::x; }

/// Takes a stretch of `other` out where enough of its letters are those of `first`, from one place where neither is
/// aligned to the next. `by_other`: `first` is the query, which is aligned everywhere.
void purge_similar(const std::vector<AlignedLetter>& first, std::vector<AlignedLetter>& other, bool by_other,
                   double identity) {
  std::size_t begin = 0, letters = 0, unknown = 0, same = 0;
  bool counting = true;
  const auto end_stretch = [&] {
    if (counting && letters > 0 && static_cast<double>(same) / static_cast<double>(letters) >= identity)
      std::fill_n(other.begin() + static_cast<std::ptrdiff_t>(begin), letters + unknown, AlignedLetter{});
    counting = false;
  };
  for (std::size_t column = 0; column < other.size(); ++column) {
    const AlignedLetter a = first[column], b = other[column];
    if (!b.aligned && (by_other || !a.aligned)) {
      end_stretch();
    } else if (a.letter == AlignedLetter::x || b.letter == AlignedLetter::x) {
      if (counting) ++unknown;
    } else {
      if (!counting) {
        begin = column;
        letters = unknown = same = 0;
        counting = true;
      }
      ++letters;
      if (a.aligned && b.aligned && a.letter == b.letter) ++same;
    }
  }
  end_stretch();
}

bool has_aligned(const std::vector<AlignedLetter>& cells) {
  return std::ranges::any_of(cells, &AlignedLetter::aligned);
}

}  // namespace

AlignedColumns aligned_columns(std::span<const AlignedSequence> alignment) {
  if (alignment.size() < 2)
    throw InputError("an alignment of " + std::to_string(alignment.size()) + " sequences; expected 2 or more");
  AlignedColumns made;
  const std::string& query = alignment.front().letters;
  for (const AlignedSequence& sequence : alignment) {
    const std::string where = "sequence " + in_quotes(sequence.name);
    if (sequence.letters.size() != query.size())
      throw InputError(where + " of an alignment has " + std::to_string(sequence.letters.size()) +
                       " letters and gaps; expected " + std::to_string(query.size()) + ", as the first one has");
    std::vector<AlignedLetter> cells;
    for (std::size_t i = 0; i < query.size(); ++i) {
      const char letter = sequence.letters[i];
      const Code code = is_gap(letter) ? AlignedLetter::gap : protein::encode(letter);
      if (code == invalid_code)
        throw InputError(where + " of an alignment, place " + std::to_string(i + 1) + ": " +
                         in_quotes(std::string(1, letter)) + "; expected an amino acid, or - or .");
      if (is_gap(query[i])) continue;
      if (is_gap(letter))
        cells.push_back({});
      else
        cells.push_back({simple_code(code), true});
      if (&sequence == &alignment.front()) made.query.push_back(code);
    }
    // Gaps between letters belong to the alignment, those in front of it and behind it do not.
    const auto is_aligned = [](const AlignedLetter& cell) { return cell.aligned; };
    const auto first = std::ranges::find_if(cells, is_aligned);
    auto end = cells.end();
    while (end != first && !std::prev(end)->aligned) --end;
    for (auto cell = first; cell != end; ++cell)
      if (cell->letter == AlignedLetter::gap) cell->aligned = true;
    made.cells.push_back(std::move(cells));
  }
  if (made.query.empty()) throw InputError("the first sequence of an alignment has no letters");
  return made;
}

void purge(AlignedColumns& alignment) {
  constexpr double nearly_identical = 0.94;
  auto& cells = alignment.cells;
  std::vector<char> used(cells.size(), 1);
  const auto compare = [&](std::size_t first, std::size_t other, double identity) {
    if (used[first] == 0 || used[other] == 0) return;
    purge_similar(cells[first], cells[other], first == 0, identity);
    if (!has_aligned(cells[other])) used[other] = 0;
  };
  for (std::size_t other = 1; other < cells.size(); ++other) compare(0, other, 1);
  for (std::size_t apart = 1; apart < cells.size(); ++apart)
    for (std::size_t first = 1; first + apart < cells.size(); ++first) compare(first, first + apart, nearly_identical);
  std::size_t kept = 1;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (used[i] == 0) continue;
    if (kept != i) cells[kept] = std::move(cells[i]);
    ++kept;
  }
  cells.resize(kept);
}

}  // namespace genocl::align
