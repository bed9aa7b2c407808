#include "genocl/sequence/sam.hpp"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "genocl/error.hpp"
#include "sequence/letters.hpp"

namespace genocl::sam {
namespace {

constexpr std::uint64_t longest_reference = 0x7fffffff;

/// Returns whether SAM allows the i-th character of a reference name.
bool is_reference_letter(std::string_view name, std::size_t i) {
  constexpr std::string_view nowhere = "\\,\"'`()[]{}<>", not_in_front = "*=";
  return sequence::is_letter(name[i]) && nowhere.find(name[i]) == std::string_view::npos &&
         (i > 0 || not_in_front.find(name[i]) == std::string_view::npos);
}

bool is_reference_name(std::string_view name) {
  for (std::size_t i = 0; i < name.size(); ++i)
    if (!is_reference_letter(name, i)) return false;
  return !name.empty();
}

bool is_tag_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  return is_letter(name[0]) && (is_letter(name[1]) || (name[1] >= '0' && name[1] <= '9'));
}

/// Replaces control bytes, so that the text is one line.
std::string on_one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return text;
}

}  // namespace

std::string reference_name(std::string_view name) {
  std::string legal(name);
  for (std::size_t i = 0; i < name.size(); ++i)
    if (!is_reference_letter(name, i)) legal[i] = '_';
  return legal;
}

void check_references(std::span<const Header::Reference> references) {
  std::unordered_set<std::string_view> names;
  for (std::size_t i = 0; i < references.size(); ++i) {
    const auto& [name, length] = references[i];
    const auto unfit = [&, at = i, &contig = name](const std::string& wrong, const std::string& expected = {}) {
      throw InputError({}, "contig " + std::to_string(at + 1) + " (" + on_one_line(contig) + ")", wrong, expected);
    };
    if (!is_reference_name(name)) unfit("a name that SAM does not allow");
    if (length > longest_reference)
      unfit(std::to_string(length) + " bases", "at most " + std::to_string(longest_reference) + " in SAM");
    if (!names.insert(name).second) unfit("a name that comes twice");
  }
}

std::string read_group_fault(std::string_view fields) {
  std::vector<std::string_view> tags;
  for (std::size_t begin = 0; begin <= fields.size();) {
    const std::size_t end = std::min(fields.find('\t', begin), fields.size());
    const std::string_view field = fields.substr(begin, end - begin);
    if (field.size() < 4 || !is_tag_name(field.substr(0, 2)) || field[2] != ':' ||
        !std::ranges::all_of(field.substr(3), [](char c) { return c >= ' ' && c <= '~'; }))
      return "has a field that is none: " + in_quotes(on_one_line(std::string(field)));
    if (std::ranges::find(tags, field.substr(0, 2)) != tags.end())
      return "has " + std::string(field.substr(0, 2)) + " twice";
    tags.push_back(field.substr(0, 2));
    begin = end + 1;
  }
  return std::ranges::find(tags, "ID") == tags.end() ? "has no ID" : "";
}

void check_header(const Header& header) {
  check_references(header.references);
  std::unordered_set<std::string_view> ids;
  for (const std::string& group : header.read_groups) {
    if (const std::string wrong = read_group_fault(group); !wrong.empty())
      throw InputError({}, "read group", in_quotes(on_one_line(group)) + " " + wrong, "fields like ID:x and SM:y");
    const std::string_view fields = group;
    const std::size_t at = fields.starts_with("ID:") ? 0 : fields.find("\tID:") + 1;
    if (!ids.insert(fields.substr(at, fields.find('\t', at) - at)).second)
      throw InputError({}, "read group", in_quotes(on_one_line(group)) + " has an ID that comes twice");
  }
}

std::string header_text(const Header& header, bool by_coordinate) {
  std::string text = by_coordinate ? "@HD\tVN:1.6\tSO:coordinate\n" : "@HD\tVN:1.6\tSO:unsorted\tGO:query\n";
  for (const auto& [name, length] : header.references)
    text.append("@SQ\tSN:").append(name).append("\tLN:").append(std::to_string(length)).append("\n");
  for (const std::string& group : header.read_groups) text.append("@RG\t").append(group).append("\n");
  if (!header.program.empty()) {
    const std::string program = on_one_line(header.program);
    text.append("@PG\tID:").append(program).append("\tPN:").append(program);
    if (!header.program_version.empty()) text.append("\tVN:").append(on_one_line(header.program_version));
    if (!header.command_line.empty()) text.append("\tCL:").append(on_one_line(header.command_line));
    text += '\n';
  }
  for (const std::string& comment : header.comments) text.append("@CO\t").append(on_one_line(comment)).append("\n");
  return text;
}

}  // namespace genocl::sam
