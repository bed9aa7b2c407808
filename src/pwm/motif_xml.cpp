// The XML output of MEME, DREME and STREME.
//
// MEME: <motif name alt sites> with <probabilities>, an <alphabet_array> of <value letter_id> for each position.
// DREME: <motif seq alt nsites>, STREME: <motif id alt total_sites>, both with <pos A C G T> for each position.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "genocl/sequence/alphabet.hpp"
#include "pwm/motif_file.hpp"

namespace genocl::pwm {
namespace {

constexpr std::string_view spaces = " \t\r\n";

/// "&lt;" and others; an unknown reference is kept.
std::string without_references(std::string_view text) {
  constexpr std::pair<std::string_view, char> known[] = {
      {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto found =
        std::ranges::find_if(known, [&](const auto& one) { return text.substr(at).starts_with(one.first); });
    result += found == std::end(known) ? text[at] : found->second;
    at += found == std::end(known) ? 1 : found->first.size();
  }
  return result;
}

/// Iterates over the tags of a text. Skips comments, declarations and the document type with its definitions.
class XmlTags {
 public:
  XmlTags(std::string_view text, const TextLines& lines) : text_(text), lines_(lines) {}

  /// Advances to the next tag; false at the end.
  bool next() {
    for (;;) {
      const std::size_t begin = text_.find('<', at_);
      if (begin == std::string_view::npos) return false;
      before_ = text_.substr(at_, begin - at_);
      line_ += static_cast<std::size_t>(std::ranges::count(text_.substr(at_, begin - at_), '\n'));
      const std::string_view rest = text_.substr(begin);
      const std::size_t length = length_of(rest);
      at_ = begin + length;
      tag_line_ = line_;
      line_ += static_cast<std::size_t>(std::ranges::count(rest.substr(0, length), '\n'));
      if (rest[1] == '?' || rest[1] == '!') continue;
      set_tag(rest.substr(1, length - 2));
      return true;
    }
  }
  std::string_view name() const noexcept { return name_; }
  bool begins(std::string_view name) const noexcept { return !closing_ && name_ == name; }
  bool ends(std::string_view name) const noexcept { return closing_ && name_ == name; }
  /// The text between the last tag and this one.
  std::string_view before() const noexcept { return before_; }
  std::size_t line() const noexcept { return tag_line_; }
  [[noreturn]] void fail(const std::string& wrong, const std::string& expected = {}) const {
    lines_.fail_at(tag_line_, wrong, expected);
  }

  std::optional<std::string> attribute(std::string_view key) const {
    for (std::size_t at = 0; at < attributes_.size();) {
      const std::size_t equals = attributes_.find('=', at);
      if (equals == std::string_view::npos) return std::nullopt;
      const std::size_t quote = attributes_.find_first_of("\"'", equals);
      const std::size_t end = quote == std::string_view::npos ? quote : attributes_.find(attributes_[quote], quote + 1);
      if (end == std::string_view::npos) fail("an attribute without quotes in <" + std::string(name_) + ">");
      std::string_view word = attributes_.substr(at, equals - at);
      word = trim(word);
      if (word == key) return without_references(attributes_.substr(quote + 1, end - quote - 1));
      at = end + 1;
    }
    return std::nullopt;
  }
  double number(std::string_view text) const {
    text = trim(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= 0) || std::isinf(value))
      fail(in_quotes(text) + " in <" + std::string(name_) + ">", "a number, 0 or more");
    return value;
  }

 private:
  static std::string_view trim(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(spaces);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(spaces) - begin + 1);
  }

  /// Letters of the tag at the beginning of the text, up to its '>'.
  std::size_t length_of(std::string_view rest) const {
    std::size_t end = std::string_view::npos;
    if (rest.starts_with("<!--")) {
      end = rest.find("-->", 4);
      if (end != std::string_view::npos) end += 2;
    } else if (rest.starts_with("<!DOCTYPE")) {
      const std::size_t bracket = rest.find('['), close = rest.find('>');
      end = bracket < close ? rest.find("]>", bracket) : close;
      if (bracket < close && end != std::string_view::npos) ++end;
    } else {
      char quote = 0;
      for (std::size_t i = 1; i < rest.size() && end == std::string_view::npos; ++i) {
        if (quote == 0 && rest[i] == '>') end = i;
        if (quote == 0 && (rest[i] == '"' || rest[i] == '\''))
          quote = rest[i];
        else if (rest[i] == quote)
          quote = 0;
      }
    }
    if (end == std::string_view::npos || end < 2) lines_.fail_at(line_, "a tag without an end, or an empty one", "XML");
    return end + 1;
  }

  void set_tag(std::string_view tag) {
    closing_ = tag.starts_with('/');
    if (closing_) tag.remove_prefix(1);
    if (tag.ends_with('/')) tag.remove_suffix(1);
    const std::size_t end = std::min(tag.find_first_of(spaces), tag.size());
    name_ = tag.substr(0, end);
    attributes_ = tag.substr(end);
  }

  std::string_view text_;
  const TextLines& lines_;
  std::size_t at_ = 0, line_ = 1, tag_line_ = 1;
  std::string_view name_, attributes_, before_;
  bool closing_ = false;
};

constexpr std::string_view base_letters = "ACGT";

/// Reads a file from its root on.
class MemeXml {
 public:
  MemeXml(std::string_view text, const TextLines& lines) : tags_(text, lines), lines_(lines) {
    if (!tags_.next() || !(tags_.begins("MEME") || tags_.begins("dreme") || tags_.begins("STREME")))
      tags_.fail("XML with the root <" + std::string(tags_.name()) + ">", "output of MEME, DREME or STREME");
    while (tags_.next()) read_tag();
    if (in_motif_) tags_.fail("the file ends within motif " + shown(motif_.id), "</motif>");
  }

  struct Found {
    std::size_t line;
    Motif motif;
  };
  std::vector<Found> motifs;
  std::optional<Background> background;

 private:
  void read_tag() {
    if (tags_.begins("letter")) {
      read_letter();
    } else if (tags_.ends("alphabet")) {
      check_alphabet();
    } else if (tags_.begins("background") && tags_.attribute("A")) {
      background = checked_background(lines_, tags_.line(), position());
    } else if (tags_.begins("background_frequencies") || tags_.begins("probabilities")) {
      in_values_ = true;
    } else if (tags_.begins("alphabet_array")) {
      column_.emplace();
    } else if (tags_.begins("value")) {
      letter_ = tags_.attribute("letter_id").value_or("");
    } else if (tags_.ends("value")) {
      read_value();
    } else if (tags_.ends("alphabet_array")) {
      if (in_values_ && in_motif_) motif_.counts.push_back(*column_);
      if (in_values_ && !in_motif_) background = checked_background(lines_, tags_.line(), *column_);
      column_.reset();
    } else if (tags_.ends("background_frequencies") || tags_.ends("probabilities")) {
      in_values_ = false;
    } else if (tags_.begins("pos") && in_motif_) {
      motif_.counts.push_back(position());
    } else if (tags_.begins("motif")) {
      begin_motif();
    } else if (tags_.ends("motif")) {
      end_motif();
    }
  }

  /// MEME 4 has ids like "letter_A".
  void read_letter() {
    if (tags_.attribute("equals")) return;
    const std::string symbol = tags_.attribute("symbol").value_or("");
    symbols_ += symbol;
    if (symbol.size() == 1) symbol_of_[tags_.attribute("id").value_or(symbol)] = symbol.front();
  }

  void check_alphabet() const {
    std::string sorted = symbols_;
    std::ranges::sort(sorted);
    if (sorted != "ACGT" && sorted != "ACGU") tags_.fail("an alphabet of " + in_quotes(symbols_), "ACGT");
  }

  void read_value() {
    if (!column_ || !in_values_) return;
    const auto found = symbol_of_.find(letter_);
    const Code code = found != symbol_of_.end() ? dna::encode(found->second) : invalid_code;
    if (!dna::is_base(code)) tags_.fail("a value of letter " + in_quotes(letter_), "A, C, G or T");
    (*column_)[code] = tags_.number(tags_.before());
  }

  std::array<double, 4> position() const {
    std::array<double, 4> column{};
    for (std::size_t letter = 0; letter < 4; ++letter) {
      std::optional<std::string> text = tags_.attribute(base_letters.substr(letter, 1));
      if (!text && letter == 3) text = tags_.attribute("U");
      if (!text) tags_.fail("<" + std::string(tags_.name()) + "> without a value of " + base_letters[letter]);
      column[letter] = tags_.number(*text);
    }
    return column;
  }

  void begin_motif() {
    const auto first = [this](std::initializer_list<std::string_view> keys) {
      for (const std::string_view key : keys)
        if (std::optional<std::string> text = tags_.attribute(key)) return text;
      return std::optional<std::string>();
    };
    motif_ = {};
    motif_.id = first({"name", "seq", "id"}).value_or("");
    motif_.alt_id = first({"alt"}).value_or("");
    if (motif_.id.empty()) tags_.fail("a motif without a name");
    motif_.sites = usual_sites;
    if (const auto text = first({"sites", "nsites", "total_sites"}))
      if (const double sites = tags_.number(*text); sites > 0) motif_.sites = sites;
    width_.reset();
    if (const auto text = first({"width", "length"})) width_ = tags_.number(*text);
    line_ = tags_.line();
    in_motif_ = true;
  }

  void end_motif() {
    if (width_ && static_cast<double>(motif_.length()) != *width_)
      tags_.fail("motif " + shown(motif_.id) + " has " + std::to_string(motif_.length()) + " positions",
                 std::to_string(static_cast<std::size_t>(std::min(*width_, 1e9))) + " as its width says");
    motifs.push_back({line_, std::move(motif_)});
    in_motif_ = false;
  }

  XmlTags tags_;
  const TextLines& lines_;
  std::string symbols_, letter_;
  std::map<std::string, char> symbol_of_;
  bool in_values_ = false, in_motif_ = false;
  std::optional<std::array<double, 4>> column_;
  Motif motif_;
  std::optional<double> width_;
  std::size_t line_ = 0;
};

}  // namespace

bool is_xml(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  text = text.substr(std::min(text.find_first_not_of(spaces), text.size()));
  return text.starts_with("<?xml") || text.starts_with("<MEME") || text.starts_with("<dreme") ||
         text.starts_with("<STREME");
}

void parse_meme_xml(std::string_view text, const TextLines& lines, MotifList& motifs) {
  MemeXml file(text, lines);
  for (MemeXml::Found& one : file.motifs) motifs.add(one.line, std::move(one.motif), MotifList::Values::scaled);
}

std::optional<Background> meme_xml_background(std::string_view text, const TextLines& lines) {
  return MemeXml(text, lines).background;
}

}  // namespace genocl::pwm
