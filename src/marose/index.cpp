// The index: segments, tables in host and device memory.

#include "marose/index.hpp"

#include <algorithm>
#include <array>

#include "genocl/error.hpp"
#include "genocl/marose/index.hpp"
#include "genocl/marose/mapper.hpp"
#include "genocl/opencl.hpp"
#include "marose/canonical.hpp"
#include "marose/plan.hpp"
#include "runtime/host_memory.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {
namespace {

// Device memory for each base while the published tables are built, including scratch of the sort.
constexpr std::uint64_t published_bytes_per_base = 30;

constexpr std::uint64_t shortest_segment = 1024;

// Device memory for an index: a sixteenth is left for the driver.
std::uint64_t memory_for(const Device& device, const IndexOptions& options) {
  const std::uint64_t memory = device.info().global_memory;
  return options.memory != 0 ? std::min(options.memory, memory) : memory - memory / 16;
}

bool is_canonical(Method method) { return method == Method::canonical || method == Method::kmers; }

std::uint64_t segment_limit(const Device& device, const Index::State& state, const IndexOptions& options) {
  const std::uint64_t memory = memory_for(device, options);
  std::uint64_t limit = longest_segment;
  limit = std::min(limit, device.info().max_allocation / sizeof(std::uint32_t));
  const std::uint64_t fits = is_canonical(state.method)
                                 ? longest_canonical(device, state.mask, state.method == Method::canonical, memory)
                                 : memory / published_bytes_per_base;
  // The tables of keys do not depend on the text.
  if (fits < shortest_segment && is_canonical(state.method))
    throw CapacityError("an index with mask " + state.mask.pattern(), 4 * (canonical_keys(state.mask.weight()) + 1),
                        memory);
  limit = std::min(limit, fits);
  if (options.segment_bases != 0) limit = std::min(limit, options.segment_bases);
  return std::max(limit, shortest_segment);
}

std::vector<Segment> cut(std::uint64_t bases, std::uint64_t limit) {
  // The margins of a segment count, unless they would leave it nothing.
  const std::uint64_t own = bases <= limit               ? bases
                            : limit > 4 * segment_margin ? limit - 2 * segment_margin
                                                         : std::max<std::uint64_t>(limit / 2, 1);
  const std::uint64_t count = runtime::ceil_div(bases, own), even = runtime::ceil_div(bases, count);
  std::vector<Segment> segments;
  for (std::uint64_t begin = 0; begin < bases; begin += even) {
    Segment segment;
    segment.own = {begin, std::min(bases, begin + even)};
    segment.begin = begin > segment_margin ? begin - segment_margin : 0;
    segment.length = std::min(bases, segment.own.end + segment_margin) - segment.begin;
    segments.push_back(segment);
  }
  return segments;
}

// The length from `shortest` on that leaves a seed the fewest bases for each error.
unsigned hardest_length(unsigned shortest, const ErrorBound& errors) {
  if (errors.share <= 0) return shortest;
  unsigned hardest = shortest;
  for (unsigned length = shortest; length <= longest_read; ++length)
    if (std::uint64_t{length} * (errors.at(hardest) + 1) < std::uint64_t{hardest} * (errors.at(length) + 1))
      hardest = length;
  return hardest;
}

bool any_base(const PackedDna& packed) {
  std::uint64_t unknown = 0;
  for (const AmbiguousRun& run : packed.runs()) unknown += run.length;
  return unknown < packed.size();
}

// Whether any contig has `bases` consecutive bases A, C, G or T.
bool has_stretch(const PackedDna& packed, std::uint64_t bases) {
  std::uint64_t begin = 0;
  auto run = packed.runs().begin();
  for (std::size_t contig = 0; contig + 1 < packed.offsets().size(); ++contig) {
    const std::uint64_t end = packed.offsets()[contig + 1];
    begin = packed.offsets()[contig];
    for (; run != packed.runs().end() && run->position < end; ++run) {
      if (run->position >= begin + bases) return true;
      begin = run->position + run->length;
    }
    if (end >= begin + bases) return true;
  }
  return false;
}

void choose_tables(Index::State& state, const IndexOptions& options) {
  state.method = options.method;
  // A mask alone selects the index for that mask.
  if (options.method == Method::automatic) state.method = options.seed_mask.empty() ? Method::kmers : Method::canonical;
  PlanRequest request;
  request.length = std::clamp(hardest_length(options.read_length, options.errors), shortest_read, longest_read);
  request.errors = options.errors.at(request.length);
  request.model = options.model;
  request.reference_bases = state.packed.size();
  request.method = state.method;
  constexpr const char* otherwise = "expected longer reads, fewer errors or a seed mask";
  if (state.method == Method::kmers) {
    state.mask =
        options.seed_mask.empty() ? SeedMask::solid(kmer_bases(state.packed.size())) : SeedMask(options.seed_mask);
    check_tables(state.mask, 0, state.method);
    state.neighbourhood = 0;
    request.mask = state.mask;
    make_plan(request, otherwise);
    return;
  }
  if (!options.seed_mask.empty()) {
    state.mask = SeedMask(options.seed_mask);
    // If only the mask is given and is no palindrome, the published index is built.
    if (options.method == Method::automatic && !state.mask.is_palindrome()) state.method = Method::list;
  } else if (state.method == Method::canonical) {
    state.mask = make_plan(request, otherwise).mask;
  } else {
    state.mask = SeedMask::solid(8);
  }
  if (state.method == Method::canonical) check_tables(state.mask, 0, state.method);
  state.neighbourhood = state.method == Method::canonical || state.method == Method::offset ? 0 : options.neighbourhood;
}

std::uint64_t bytes_of(const Tables& tables) {
  std::uint64_t bytes = 0;
  for (const auto& [name, table] : tables) bytes += table.bytes();
  return bytes;
}

}  // namespace

Index Index::build(const Device& device, const SequenceSet& reference, const IndexOptions& options) {
  return build(device, State::of(reference), options);
}

Index Index::build(const Device& device, SequenceSet&& reference, const IndexOptions& options) {
  std::shared_ptr<State> state = State::of(reference);
  reference = SequenceSet();
  return build(device, std::move(state), options);
}

std::shared_ptr<Index::State> Index::State::of(const SequenceSet& set) {
  if (set.alphabet() != Alphabet::dna) throw InputError("the reference is not DNA");
  auto state = std::make_shared<State>();
  state->packed = PackedDna(set);
  state->reference = ReferenceView(state->packed);
  const std::span<const Code> codes = set.codes();
  constexpr std::size_t step = 1 << 16;
  for (std::size_t begin = 0; begin < codes.size(); begin += step) {
    // Most references have none: one pass of vector code.
    const std::span<const Code> some = codes.subspan(begin, std::min(step, codes.size() - begin));
    Code most = 0;
    for (const Code code : some) most = std::max(most, code);
    if (most <= dna::unknown) continue;
    for (std::size_t i = 0; i < some.size(); ++i)
      if (some[i] > dna::unknown) state->ambiguities.push_back(std::uint64_t{begin + i} << 8 | some[i]);
  }
  for (std::size_t contig = 0; contig < set.size(); ++contig) {
    state->names += set.name(contig);
    state->name_ends.push_back(state->names.size());
  }
  return state;
}

Index Index::build(const Device& device, std::shared_ptr<State> state, const IndexOptions& options) {
  if (!any_base(state->packed)) throw InputError("the reference has not one A, C, G or T");
  choose_tables(*state, options);
  state->segments = cut(state->packed.size(), segment_limit(device, *state, options));
  state->built.resize(state->segments.size());
  const unsigned pattern = state->mask.span() + state->neighbourhood;
  if (!has_stretch(state->packed, pattern))
    throw InputError("the reference has no place for a seed: every stretch of a contig without N is shorter than " +
                     std::to_string(pattern) + " bases");
  // A device that computes in host memory may keep the tables there.
  const bool all_stay = runtime::computes_in_host_memory(device) && is_canonical(state->method) &&
                        state->segments.size() * canonical_bytes(state->mask, state->method == Method::canonical,
                                                                 state->segments[0].length) <=
                            memory_for(device, options);
  for (std::size_t i = 0; i < state->segments.size(); ++i) {
    const Segment& segment = state->segments[i];
    const auto show = [&](double done) {
      const std::uint64_t own = segment.own.length(), bases = state->packed.size();
      const std::uint64_t position = segment.own.begin + static_cast<std::uint64_t>(done * static_cast<double>(own));
      if (options.progress &&
          !options.progress({static_cast<double>(position) / static_cast<double>(bases), position, bases}))
        throw Cancelled();
    };
    show(0);
    auto built = std::make_shared<DeviceSegment>();
    built->reference = upload_reference(device, state->reference, segment);
    built->method = state->method;
    built->mask = state->mask;
    built->neighbourhood = state->neighbourhood;
    if (is_canonical(state->method)) {
      // A k-mer of a read that may have one error is looked up by all words that differ by one: an N is found as one
      // of them.
      const bool with_contexts = state->method == Method::canonical;
      CanonicalBuild how{.with_contexts = with_contexts, .max_unknown = with_contexts ? 0u : 1u, .progress = show};
      const std::uint64_t text = built->reference.words.bytes();
      if (options.memory != 0) how.memory = options.memory - std::min(options.memory - 1, text);
      built->tables = build_canonical(device, built->reference, state->mask, how);
    } else {
      built->tables = build_published(device, built->reference, state->mask, state->neighbourhood, state->method);
    }
    if (state->segments.size() == 1) add_buckets(device, *built, device.info().global_memory / 4);
    device.finish();
    state->table_bytes += bytes_of(built->tables);
    State::Built& one = state->built[i];
    one.device = device;
    one.resident = std::move(built);
    if (state->segments.size() > 1 && !all_stay) {
      one.on_host();
      one.resident.reset();
    }
  }
  device.release_scratch();
  if (options.progress) options.progress({1, state->packed.size(), state->packed.size()});
  return Index(std::move(state));
}

std::size_t Index::contigs() const noexcept { return state_->name_ends.size(); }
std::string_view Index::name(std::size_t contig) const {
  const std::uint64_t begin = contig == 0 ? 0 : state_->name_ends[contig - 1];
  return std::string_view(state_->names).substr(begin, state_->name_ends[contig] - begin);
}
std::uint64_t Index::length(std::size_t contig) const {
  return state_->reference.offsets[contig + 1] - state_->reference.offsets[contig];
}
std::uint64_t Index::bases() const noexcept { return state_->reference.size(); }
const SeedMask& Index::mask() const noexcept { return state_->mask; }
Method Index::method() const noexcept { return state_->method; }
unsigned Index::neighbourhood() const noexcept { return state_->neighbourhood; }
std::size_t Index::segments() const noexcept { return state_->segments.size(); }
std::uint64_t Index::bytes() const noexcept { return state_->table_bytes + state_->reference.words.size_bytes(); }

namespace {

/// [byte]: its four bases, the first in the highest bits.
constexpr std::array<std::array<Code, 4>, 256> four_bases = [] {
  std::array<std::array<Code, 4>, 256> table{};
  for (std::size_t byte = 0; byte < table.size(); ++byte)
    for (std::size_t k = 0; k < 4; ++k) table[byte][k] = static_cast<Code>(byte >> (6 - 2 * k) & 3);
  return table;
}();

}  // namespace

void copy_bases(const ReferenceView& text, std::uint64_t begin, std::span<Code> codes) {
  const std::uint64_t end = begin + codes.size();
  for (std::uint64_t i = 0; i < codes.size(); i += 32) {
    std::uint64_t word = text.window(begin + i);
    if (i + 32 <= codes.size()) {
      for (unsigned k = 0; k < 8; ++k)
        std::copy_n(four_bases[word >> (56 - 8 * k) & 0xff].begin(), 4, codes.data() + i + 4 * k);
      continue;
    }
    for (std::uint64_t base = i; base < codes.size(); ++base) {
      codes[base] = static_cast<Code>(word >> 62);
      word <<= 2;
    }
  }
  for (auto run = text.run_after(begin); run != text.runs.end() && run->position < end; ++run) {
    const std::uint64_t from = std::max(run->position, begin), to = std::min(run->position + run->length, end);
    std::fill(codes.begin() + static_cast<std::ptrdiff_t>(from - begin),
              codes.begin() + static_cast<std::ptrdiff_t>(to - begin), dna::unknown);
  }
}

void Index::reference(std::size_t contig, std::uint64_t first, std::span<Code> codes) const {
  if (contig >= contigs() || first > length(contig) || codes.size() > length(contig) - first)
    throw InputError("bases past the end of a contig");
  copy_bases(state_->reference, state_->reference.offsets[contig] + first, codes);
}

void Index::reference_letters(std::size_t contig, std::uint64_t first, std::span<Code> codes) const {
  reference(contig, first, codes);
  const std::vector<std::uint64_t>& all = state_->ambiguities;
  if (all.empty()) return;
  const std::uint64_t begin = state_->reference.offsets[contig] + first;
  for (auto one = std::ranges::lower_bound(all, begin << 8); one != all.end() && *one >> 8 < begin + codes.size();
       ++one)
    codes[static_cast<std::size_t>((*one >> 8) - begin)] = static_cast<Code>(*one & 0xff);
}

namespace {

/// Elements of a table that are downloaded at once.
constexpr std::size_t downloaded_at_once = std::size_t{8} << 20;

bool same_memory(const Device& a, const Device& b) {
  return a.context()() == b.context()() && a.opencl_device()() == b.opencl_device()();
}

}  // namespace

HostTables Index::State::host_tables(std::size_t segment) const {
  HostTables tables;
  if (file) {
    const std::string prefix = "segment" + std::to_string(segment) + ".";
    for (const std::string& name : file->names())
      if (name.rfind(prefix, 0) == 0) tables.emplace(name.substr(prefix.size()), file->array<std::uint32_t>(name));
    return tables;
  }
  const std::lock_guard lock(mutex);
  for (const auto& [name, table] : built[segment].on_host()) tables.emplace(name, table);
  return tables;
}

const Index::State::HostCopy& Index::State::Built::on_host() {
  if (!host) {
    auto copy = std::make_shared<HostCopy>();
    for (const auto& [name, table] : resident->tables) copy->emplace(name, table.download());
    host = std::move(copy);
  }
  return *host;
}

std::vector<Index::State::TableBytes> Index::State::table_bytes_of(std::size_t segment) const {
  std::vector<TableBytes> tables;
  const auto add_views = [&](const HostTables& views) {
    for (const auto& [name, view] : views)
      tables.push_back({name, view.size_bytes(), [bytes = std::as_bytes(view)](const auto& sink) { sink(bytes); }});
  };
  if (file) {
    add_views(host_tables(segment));
    return tables;
  }
  const std::lock_guard lock(mutex);
  const Built& one = built[segment];
  if (!one.resident) {
    HostTables views;
    for (const auto& [name, table] : *one.host) views.emplace(name, table);
    add_views(views);
    return tables;
  }
  for (const auto& [name, table] : one.resident->tables)
    tables.push_back({name, table.bytes(), [resident = one.resident, &table = table](const auto& sink) {
                        std::vector<std::uint32_t> piece(std::min(table.size(), downloaded_at_once));
                        for (std::size_t done = 0; done < table.size(); done += piece.size()) {
                          piece.resize(std::min(piece.size(), table.size() - done));
                          table.download(std::span(piece), done);
                          sink(std::as_bytes(std::span(piece)));
                        }
                      }});
  return tables;
}

std::shared_ptr<const DeviceSegment> Index::State::on_device(const Device& device, std::size_t segment) const {
  {
    const std::lock_guard lock(mutex);
    if (!file && built[segment].resident && same_memory(*built[segment].device, device)) return built[segment].resident;
    std::erase_if(uploaded, [](const Uploaded& one) { return one.tables.expired(); });
    for (const Uploaded& one : uploaded)
      if (one.segment == segment && same_memory(one.device, device))
        if (auto tables = one.tables.lock()) return tables;
  }
  auto result = std::make_shared<DeviceSegment>();
  result->reference = upload_reference(device, reference, segments[segment]);
  result->method = method;
  result->mask = mask;
  result->neighbourhood = neighbourhood;
  const HostTables tables = host_tables(segment);
  if (file)
    result->host = file;
  else
    result->host = built[segment].host;
  for (const auto& [name, table] : tables) {
    // Tables in host memory need no memory of a device that computes in it.
    std::optional<Array<std::uint32_t>> view = runtime::view_of_host(device, table);
    result->tables.emplace(name, view ? std::move(*view) : Array<std::uint32_t>(device, table));
  }
  add_buckets(device, *result, device.info().global_memory / 4 / segments.size());
  device.finish();
  const std::lock_guard lock(mutex);
  uploaded.push_back({device, segment, result});
  return result;
}

DeviceIndex::DeviceIndex(const Device& device, const Index::State& index) : device_(device), index_(index) {
  try {
    for (std::size_t i = 0; i < index.segments.size(); ++i) resident_.push_back(index.on_device(device, i));
  } catch (const CapacityError&) {
    if (index.segments.size() == 1) throw;
    resident_.clear();
    index.on_device(device, 0);  // at least one must fit
  }
}

}  // namespace genocl::marose
