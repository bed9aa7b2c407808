#include "genocl/align/subject_ids.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <unordered_map>
#include <utility>

#include "genocl/error.hpp"

namespace genocl::align {
namespace {

/// Looks up keys by views.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>()(text); }
};

/// Calls use(word) for the first word of each header.
template <class Use>
void for_each_name(std::string_view name, std::string_view description, Use&& use) {
  use(name.substr(0, name.find('\1')));
  for (const std::string_view text : {name, description})
    for (std::size_t at = text.find('\1'); at < text.size(); at = text.find('\1', at + 1)) {
      const std::string_view rest = text.substr(at + 1);
      use(rest.substr(0, rest.find_first_of(" \1")));
    }
}

/// The second field of a name with bars, otherwise the name: P69905.2 of "sp|P69905.2|HBA_HUMAN".
std::string_view accession_of(std::string_view name) {
  const std::size_t bar = name.find('|');
  if (bar == std::string_view::npos) return name;
  const std::string_view rest = name.substr(bar + 1);
  return rest.substr(0, rest.find('|'));
}

/// Without ".2", if the name ends so.
std::string_view without_version(std::string_view accession) {
  const std::size_t dot = accession.rfind('.');
  if (dot == std::string_view::npos || dot + 1 == accession.size()) return accession;
  const bool version = accession.find_first_not_of("0123456789", dot + 1) == std::string_view::npos;
  return version ? accession.substr(0, dot) : accession;
}

}  // namespace

struct SubjectIds::State {
  using Numbers = std::unordered_map<std::string_view, std::vector<std::uint64_t>>;

  explicit State(const Database& subjects) : database(subjects) {
    for (std::size_t number = 0; number < database.whole().sequences; ++number)
      for_each_name(database.name(number), database.description(number),
                    [&](std::string_view name) { add(name, number); });
  }

  void add(std::string_view name, std::uint64_t number) {
    if (name.empty()) return;
    add_to(names[name], number);
    const std::string_view accession = accession_of(name), unversioned = without_version(accession);
    if (!accession.empty() && accession != name) add_to(accessions[accession], number);
    if (!unversioned.empty() && unversioned != accession) add_to(accessions[unversioned], number);
  }
  static void add_to(std::vector<std::uint64_t>& numbers, std::uint64_t number) {
    if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
  }

  Database database;  // owns the bytes of the keys
  Numbers names, accessions;
};

SubjectIds::SubjectIds(const Database& database) {
  if (database.is_shard()) throw InputError("ids of a shard; expected the whole database");
  state_ = std::make_unique<const State>(database);
}
SubjectIds::SubjectIds(SubjectIds&&) noexcept = default;
SubjectIds& SubjectIds::operator=(SubjectIds&&) noexcept = default;
SubjectIds::~SubjectIds() = default;

std::span<const std::uint64_t> SubjectIds::find(std::string_view id) const {
  for (const State::Numbers* const map : {&state_->names, &state_->accessions})
    if (const auto found = map->find(id); found != map->end()) return found->second;
  return {};
}

struct TaxonomyMap::State {
  std::unordered_map<std::string, std::uint64_t, TextHash, std::equal_to<>> ids;
  std::unordered_map<std::uint64_t, std::string> names;

  Taxon find(std::string_view name) const {
    const std::string_view accession = accession_of(name);
    for (const std::string_view key : {name, accession, without_version(accession)})
      if (const auto found = ids.find(key); found != ids.end()) {
        const auto known = names.find(found->second);
        return {found->second, known != names.end() ? known->second : std::string()};
      }
    return {};
  }
};

TaxonomyMap::TaxonomyMap(std::unique_ptr<const State> state) : state_(std::move(state)) {}
TaxonomyMap::TaxonomyMap(TaxonomyMap&&) noexcept = default;
TaxonomyMap& TaxonomyMap::operator=(TaxonomyMap&&) noexcept = default;
TaxonomyMap::~TaxonomyMap() = default;

TaxonomyMap TaxonomyMap::parse(std::string_view text, const std::string& file) {
  auto state = std::make_unique<State>();
  std::uint64_t number = 0;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    const std::string_view id = line.substr(0, line.find_first_of("\t "));
    std::string_view rest = line.substr(id.size());
    rest.remove_prefix(std::min(rest.find_first_not_of("\t "), rest.size()));
    std::uint64_t taxon = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), taxon);
    const bool ends = end == rest.data() + rest.size() || *end == '\t' || *end == ' ';
    if (id.empty() || error != std::errc() || taxon == 0 || !ends)
      throw InputError(file, "line " + std::to_string(number), in_quotes(line), "id, tab, taxonomy id");
    state->ids.try_emplace(std::string(id), taxon);
    if (const std::size_t tab = rest.find('\t'); tab + 1 < rest.size() && tab != std::string_view::npos)
      state->names.try_emplace(taxon, rest.substr(tab + 1));
  }
  if (state->ids.empty()) throw InputError(file, {}, "no entry", "lines with id, tab, taxonomy id");
  return TaxonomyMap(std::move(state));
}

std::vector<Taxon> TaxonomyMap::taxa(std::string_view name, std::string_view description) const {
  std::vector<Taxon> found;
  for_each_name(name, description, [&](std::string_view one) {
    if (Taxon taxon = state_->find(one); taxon.id != 0) found.push_back(std::move(taxon));
  });
  std::ranges::sort(found, {}, &Taxon::id);
  const auto same_id = [](const Taxon& a, const Taxon& b) { return a.id == b.id; };
  found.erase(std::unique(found.begin(), found.end(), same_id), found.end());
  return found;
}

Taxon TaxonomyMap::first_taxon(std::string_view name) const { return state_->find(name.substr(0, name.find('\1'))); }

}  // namespace genocl::align
