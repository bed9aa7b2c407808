#include "overlap/match_rows.hpp"

#include <algorithm>
#include <charconv>
#include <deque>
#include <future>
#include <thread>

namespace program {
namespace {

/// Number of matches that a thread formats at a time.
constexpr std::size_t together = std::size_t{1} << 16;

void append_number(std::string& text, std::uint64_t number, std::size_t width = 0) {
  char digits[24];
  const char* const end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  const auto length = static_cast<std::size_t>(end - digits);
  if (length < width) text.append(width - length, ' ');
  text.append(digits, length);
}

}  // namespace

ReferenceRecords::ReferenceRecords(const overlap::MatchIndex& index) {
  const std::span<const std::uint64_t> begins = index.begins();
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    const bool named = i < index.names().size() && !index.names()[i].empty();
    names.push_back(named ? index.names()[i] : std::to_string(i + 1));
    lengths.push_back(begins[i + 1] - begins[i] - 1);
  }
}

MatchRows::MatchRows(const MatchSettings& settings, const ReferenceRecords& reference,
                     const genocl::SequenceSet& queries, std::uint64_t first_query, std::uint64_t query_count,
                     std::uint64_t queries_before)
    : settings_(settings),
      reference_(reference),
      queries_(queries),
      first_query_(first_query),
      query_count_(query_count),
      queries_before_(queries_before),
      names_(settings.four_columns || reference.names.size() > 1),
      paf_(settings.format == "paf") {
  for (const std::string& name : reference.names) name_width_ = std::max(name_width_, name.size());
}

std::uint64_t MatchRows::heading(const overlap::MaximalMatch& match) const {
  return settings_.both_strands ? 2 * match.query_record + (match.reverse ? 1 : 0) : match.query_record;
}

std::string_view MatchRows::query_name(std::uint64_t query) const { return queries_.name(first_query_ + query); }

void MatchRows::write_headings(std::string& text, std::uint64_t first, std::uint64_t end) const {
  if (paf_) return;
  for (std::uint64_t i = first; i < end; ++i) {
    const std::uint64_t query = settings_.both_strands ? i / 2 : i;
    text += "> ";
    if (const std::string_view name = query_name(query); !name.empty())
      text += name;
    else
      append_number(text, queries_before_ + first_query_ + query + 1);
    if (settings_.both_strands && i % 2 == 1) text += " Reverse";
    if (settings_.lengths) {
      text += "\tLen = ";
      append_number(text, queries_.length(first_query_ + query));
    }
    text += '\n';
  }
}

void MatchRows::write_match(std::string& text, const overlap::MaximalMatch& match) const {
  if (names_) {
    const std::string& name = reference_.names[match.reference_record];
    text += "  ";
    text += name;
    text.append(name_width_ + 2 - name.size(), ' ');
  }
  append_number(text, match.reference_position + 1, 8);
  text += "  ";
  append_number(text, match.query_position + 1, 8);
  text += "  ";
  append_number(text, match.length, 8);
  text += '\n';
}

void MatchRows::write_paf(std::string& text, const overlap::MaximalMatch& match) const {
  const std::uint64_t query = match.query_record, length = queries_.length(first_query_ + query);
  const std::uint64_t begin = match.reverse ? length - match.query_position - match.length : match.query_position;
  if (const std::string_view name = query_name(query); !name.empty())
    text += name;
  else
    append_number(text, queries_before_ + first_query_ + query + 1);
  const auto field = [&](std::uint64_t number) {
    text += '\t';
    append_number(text, number);
  };
  field(length);
  field(begin);
  field(begin + match.length);
  text += match.reverse ? "\t-\t" : "\t+\t";
  text += reference_.names[match.reference_record];
  field(reference_.lengths[match.reference_record]);
  field(match.reference_position);
  field(match.reference_position + match.length);
  field(match.length);
  field(match.length);
  // Exact matches have no mapping quality.
  text += "\t255\tcg:Z:";
  append_number(text, match.length);
  text += "=\n";
}

std::string MatchRows::lines(std::span<const overlap::MaximalMatch> matches, std::uint64_t headings) const {
  std::string text;
  text.reserve(matches.size() * (paf_ ? 80 : names_ ? 34 + name_width_ : 29));
  for (const overlap::MaximalMatch& match : matches) {
    write_headings(text, headings, heading(match) + 1);
    headings = std::max(headings, heading(match) + 1);
    if (paf_)
      write_paf(text, match);
    else
      write_match(text, match);
  }
  return text;
}

void MatchRows::add(std::span<const overlap::MaximalMatch> matches, const Sink& sink) {
  if (matches.empty()) return;
  const std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 16);
  std::deque<std::future<std::string>> parts;
  for (std::size_t begin = 0; begin < matches.size() || !parts.empty();) {
    if (begin < matches.size() && parts.size() < threads) {
      const auto part = matches.subspan(begin, std::min(together, matches.size() - begin));
      const std::uint64_t headings = begin == 0 ? headings_ : heading(matches[begin - 1]) + 1;
      begin += part.size();
      parts.push_back(std::async(begin < matches.size() ? std::launch::async : std::launch::deferred,
                                 [this, part, headings] { return lines(part, headings); }));
      continue;
    }
    sink(parts.front().get());
    parts.pop_front();
  }
  headings_ = heading(matches.back()) + 1;
}

void MatchRows::finish(const Sink& sink) {
  std::string text;
  write_headings(text, headings_, settings_.both_strands ? 2 * query_count_ : query_count_);
  if (!text.empty()) sink(text);
}

}  // namespace program
