// genocl-overlap lce and rmq: many queries on one text.
#include <algorithm>

#include "common/check_files.hpp"
#include "overlap/built_text.hpp"
#include "overlap/commands.hpp"
#include "overlap/inputs.hpp"
#include "overlap/record_output.hpp"

namespace program {
namespace {

std::string line_of(std::initializer_list<std::uint64_t> numbers) {
  std::string line;
  for (const std::uint64_t number : numbers) (line.empty() ? line : line += '\t') += std::to_string(number);
  return line + '\n';
}

std::string below(std::uint64_t size) { return "positions below " + std::to_string(size); }

}  // namespace

void answer_extensions(const QuerySettings& settings) {
  check_standard_input({settings.text, settings.queries});
  check_files({settings.text, settings.queries}, {settings.output});
  const overlap::RmqStructure structure = overlap::rmq_structure_named(settings.structure);
  BuiltText built(settings);
  const std::uint64_t size = built.suffixes->size();
  std::vector<overlap::PositionPair> pairs;
  built.begin("read queries");
  read_pairs(settings.queries, [&](std::uint64_t a, std::uint64_t b) -> std::string {
    if (std::max(a, b) >= size) return below(size);
    pairs.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
    return {};
  });
  built.begin("lcp, inverse and range minima");
  const overlap::Extensions extensions(*built.suffixes, structure);
  built.begin("queries");
  const std::vector<std::uint32_t> lengths = extensions.common(pairs);
  built.begin("write");
  RowWriter table(settings.output, "a\tb\tlength\n");
  for (std::size_t i = 0; i < pairs.size(); ++i) table.row(line_of({pairs[i].a, pairs[i].b, lengths[i]}));
  table.commit();
  tell(settings, "lce", built,
       {{"queries", std::to_string(pairs.size())}, {"rmq", '"' + std::string(to_string(structure)) + '"'}});
}

void answer_minima(const QuerySettings& settings) {
  check_standard_input({settings.text, settings.queries});
  check_files({settings.text, settings.queries}, {settings.output});
  const overlap::RmqStructure structure = overlap::rmq_structure_named(settings.structure);
  BuiltText built(settings);
  const std::uint64_t size = built.suffixes->size();
  std::vector<overlap::RangeQuery> queries;
  built.begin("read queries");
  read_pairs(settings.queries, [&](std::uint64_t first, std::uint64_t last) -> std::string {
    if (first > last) return "a first index up to the last";
    if (last >= size) return "indices below " + std::to_string(size);
    queries.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)});
    return {};
  });
  built.begin("lcp");
  const overlap::Lcp lcp(*built.suffixes);
  built.begin("range minima");
  const overlap::Rmq rmq(built.device, lcp.values(), structure);
  built.begin("queries");
  const std::vector<overlap::RangeMinimum> minima = rmq.minima(queries);
  built.begin("write");
  RowWriter table(settings.output, "first\tlast\tposition\tminimum\n");
  for (std::size_t i = 0; i < queries.size(); ++i)
    table.row(line_of({queries[i].first, queries[i].last, minima[i].position, minima[i].value}));
  table.commit();
  tell(settings, "rmq", built,
       {{"queries", std::to_string(queries.size())},
        {"rmq", '"' + std::string(to_string(structure)) + '"'},
        {"rmq_bytes", std::to_string(rmq.bytes())}});
}

}  // namespace program
