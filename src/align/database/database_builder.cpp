// Builds databases in memory, or through a temporary file.

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "align/database/database_state.hpp"
#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "runtime/parallel.hpp"
#include "runtime/platform.hpp"

namespace genocl::align {

/// A mapped file without a name, deleted with the mapping.
class TemporaryMap {
 public:
  /// Maps `size` zero bytes (not 0) in `folder`. Throws InputError with the system's reason, for example a full disk.
  TemporaryMap(const std::string& folder, std::uint64_t size);
  /// Maps all bytes of a nonempty file.
  explicit TemporaryMap(files::SpillFile file);
  TemporaryMap(const TemporaryMap&) = delete;
  TemporaryMap& operator=(const TemporaryMap&) = delete;

  std::span<std::byte> bytes() const noexcept { return map_.bytes(); }

 private:
  platform::Mapping map_;
};

/// Stores up to `most` bytes in memory, and the remainder in a temporary file.
class Spill {
 public:
  /// @param folder Folder of the temporary file; see SpillFile.
  Spill(std::uint64_t most, std::string folder);

  /// Reserves memory for `bytes` bytes in all, but no more than `most`.
  void reserve(std::uint64_t bytes) {
    memory_.reserve(std::min(bytes, most_));
    platform::use_large_pages(memory_.data() + memory_.size(), memory_.capacity() - memory_.size());
  }
  /// Throws InputError with the system's reason, for example a full disk.
  void append(std::span<const std::byte> bytes);
  std::uint64_t size() const noexcept { return (file_ ? file_->size() : 0) + memory_.size(); }
  bool in_memory() const noexcept { return !file_ || file_->size() == 0; }
  const std::string& folder() const noexcept { return folder_; }

  /// The appended bytes, in order. Call it after the last append().
  struct Content {
    std::vector<std::byte> memory;
    std::unique_ptr<TemporaryMap> map;

    std::span<const std::byte> bytes() const noexcept {
      return map ? std::span<const std::byte>(map->bytes()) : std::span<const std::byte>(memory);
    }
  };
  Content finish();

 private:
  void write_out();

  std::uint64_t most_;
  std::string folder_;
  std::vector<std::byte> memory_;
  std::optional<files::SpillFile> file_;
};

namespace {

/// Allocates the blocks first: a write to the mapping on a full disk would terminate the process.
files::SpillFile file_of_zeros(const std::string& folder, std::uint64_t size) {
  files::SpillFile file(folder);
  file.append_zeros(size);
  return file;
}

}  // namespace

TemporaryMap::TemporaryMap(const std::string& folder, std::uint64_t size) : TemporaryMap(file_of_zeros(folder, size)) {}

TemporaryMap::TemporaryMap(files::SpillFile file) {
  map_ = platform::Mapping(file.descriptor(), 0, static_cast<std::size_t>(file.size()), platform::Access::read_write);
  if (!map_.is_mapped())
    throw InputError(file.folder(), {}, "a temporary file cannot be mapped: " + std::generic_category().message(errno));
}

Spill::Spill(std::uint64_t most, std::string folder)
    : most_(std::max<std::uint64_t>(most, 1)), folder_(std::move(folder)) {}

void Spill::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    if (memory_.size() >= most_) write_out();
    const std::uint64_t count = std::min<std::uint64_t>(bytes.size(), most_ - memory_.size());
    const std::uint64_t needed = memory_.size() + count;
    if (needed > memory_.capacity())
      memory_.reserve(std::min(most_, std::max<std::uint64_t>(needed, 2 * memory_.capacity())));
    memory_.insert(memory_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
    bytes = bytes.subspan(count);
  }
}

void Spill::write_out() {
  if (memory_.empty()) return;
  if (!file_) file_.emplace(folder_);
  file_->append(memory_);
  memory_.clear();
}

Spill::Content Spill::finish() {
  Content content;
  if (in_memory()) {
    content.memory = std::move(memory_);
    return content;
  }
  write_out();
  memory_ = {};
  content.map = std::make_unique<TemporaryMap>(*std::move(file_));
  file_.reset();
  return content;
}

namespace {

/// A quarter of the memory that this process may use.
std::uint64_t default_memory() {
  std::uint64_t bytes = platform::physical_memory();
  std::ifstream limit("/sys/fs/cgroup/memory.max");  // limit of the container
  if (std::uint64_t allowed = 0; limit >> allowed) bytes = std::min(bytes, allowed);
  return bytes / 4;
}

std::span<const Code> codes_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const Code*>(bytes.data()), bytes.size()};
}
std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// All data of the input, with the residues in input order.
struct Gathered {
  Spill::Content residues, names, descriptions;
  std::vector<std::uint32_t> lengths;
  std::vector<std::uint64_t> name_ends, description_ends, letter_counts;
  LengthOrder order;
  // Residues sorted by rank; one of these two members has them.
  std::vector<std::byte> sorted;
  std::unique_ptr<TemporaryMap> sorted_map;

  DatabaseContent content(Alphabet alphabet) const {
    return {.alphabet = alphabet,
            .codes = {},
            .offsets = order.offsets,
            .numbers = order.numbers,
            .ranks = order.ranks,
            .names = text_of(names.bytes()),
            .descriptions = text_of(descriptions.bytes()),
            .name_ends = name_ends,
            .description_ends = description_ends,
            .letter_counts = letter_counts};
  }

  /// Copies each sequence to the position of its rank. Reads are sequential, and so are the writes of each length.
  /// Therefore neither input nor result must fit in memory.
  void sort_into(std::span<std::byte> place, const Progress& progress) const {
    constexpr std::uint64_t told_every = std::uint64_t{64} << 20, share = std::uint64_t{2} << 20;
    const std::span<const std::byte> all = residues.bytes();
    struct Begin {
      std::size_t number = 0;
      std::uint64_t residue = 0;
    };
    std::vector<Begin> shares;  // first position of each thread from `begin` on, and the end
    for (Begin begin; begin.number < lengths.size();) {
      const std::uint64_t first = begin.residue;
      shares.assign(1, begin);
      while (begin.number < lengths.size() && begin.residue < first + told_every) {
        begin.residue += lengths[begin.number++];
        if (begin.residue >= shares.back().residue + share) shares.push_back(begin);
      }
      if (shares.back().number < begin.number) shares.push_back(begin);
      runtime::parallel_for(
          shares.size() - 1, runtime::threads_for(begin.residue - first, share, 16),
          [&](std::size_t i) { copy(shares[i].number, shares[i + 1].number, shares[i].residue, place); });
      if (!progress) continue;
      const double fraction = all.empty() ? 1 : static_cast<double>(begin.residue) / static_cast<double>(all.size());
      if (!progress({fraction, begin.residue, all.size()})) throw Cancelled();
    }
  }

  /// Copies sequences [number, end); sequence `number` begins at residue `residue`.
  void copy(std::size_t number, std::size_t end, std::uint64_t residue, std::span<std::byte> place) const {
    const std::span<const std::byte> all = residues.bytes();
    for (; number < end; ++number) {
      const std::uint32_t length = lengths[number];
      if (length > 0) std::memcpy(place.data() + order.offsets[order.ranks[number]], all.data() + residue, length);
      residue += length;
    }
  }
};

}  // namespace

struct DatabaseBuilder::State {
  explicit State(const DatabaseBuilderOptions& chosen)
      : options(chosen),
        memory(chosen.memory_bytes != 0 ? chosen.memory_bytes : default_memory()),
        residues(memory, chosen.temporary_folder),
        names(memory, chosen.temporary_folder),
        descriptions(memory, chosen.temporary_folder),
        letter_counts(alphabet_size(chosen.alphabet), 0) {}

  DatabaseBuilderOptions options;
  std::uint64_t memory;
  Spill residues, names, descriptions;
  std::vector<std::uint32_t> lengths;
  std::vector<std::uint64_t> name_ends, description_ends, letter_counts;
  std::vector<DatabaseSource> sources;

  std::shared_ptr<Gathered> gather() {
    if (lengths.empty()) throw InputError("a database without any sequence");
    auto all = std::make_shared<Gathered>();
    all->residues = residues.finish();
    all->names = names.finish();
    all->descriptions = descriptions.finish();
    all->lengths = std::move(lengths);
    all->name_ends = std::move(name_ends);
    all->description_ends = std::move(description_ends);
    all->letter_counts = std::move(letter_counts);
    all->order = order_by_length(all->lengths);
    *this = State(options);
    // An append failed and left incomplete data.
    if (all->order.offsets.back() != all->residues.bytes().size() ||
        all->description_ends.size() != all->lengths.size())
      throw InputError("a database of which a part could not be kept");
    return all;
  }
};

DatabaseBuilder::DatabaseBuilder(const DatabaseBuilderOptions& options) {
  if (options.alphabet == Alphabet::bytes) throw InputError("a database of bytes, neither protein nor DNA");
  state_ = std::make_unique<State>(options);
}
DatabaseBuilder::DatabaseBuilder(DatabaseBuilder&&) noexcept = default;
DatabaseBuilder& DatabaseBuilder::operator=(DatabaseBuilder&&) noexcept = default;
DatabaseBuilder::~DatabaseBuilder() = default;

std::size_t DatabaseBuilder::size() const noexcept { return state_->lengths.size(); }
std::uint64_t DatabaseBuilder::residues() const noexcept { return state_->residues.size(); }

void DatabaseBuilder::add_source(const DatabaseSource& source) {
  if (source.path.find('\n') == std::string::npos) state_->sources.push_back(source);
}

void DatabaseBuilder::reserve(std::uint64_t residues) { state_->residues.reserve(residues); }

void DatabaseBuilder::append(const SequenceSet& batch) {
  State& state = *state_;
  if (batch.alphabet() != state.options.alphabet)
    throw InputError("sequences of " + std::string(to_string(batch.alphabet())) + " for a database of " +
                     std::string(to_string(state.options.alphabet)));
  for (std::size_t i = 0; i < batch.size(); ++i) check_length(size() + i, batch.name(i), batch.length(i));
  state.residues.append(std::as_bytes(batch.codes()));
  const std::vector<std::uint64_t> counts = batch.letter_counts();
  for (std::size_t code = 0; code < counts.size(); ++code) state.letter_counts[code] += counts[code];
  for (std::size_t i = 0; i < batch.size(); ++i) {
    state.lengths.push_back(static_cast<std::uint32_t>(batch.length(i)));
    state.names.append(std::as_bytes(std::span(batch.name(i))));
    state.name_ends.push_back(state.names.size());
    state.descriptions.append(std::as_bytes(std::span(batch.description(i))));
    state.description_ends.push_back(state.descriptions.size());
  }
}

Database DatabaseBuilder::finish() {
  const bool in_memory = state_->residues.in_memory();
  const Alphabet alphabet = state_->options.alphabet;
  const std::string folder = state_->residues.folder();
  const std::uint64_t residues = this->residues();
  std::vector<DatabaseSource> sources = state_->sources;
  const std::shared_ptr<Gathered> all = state_->gather();
  std::span<std::byte> place;
  if (in_memory) {
    all->sorted.resize(residues);
    place = all->sorted;
  } else {
    all->sorted_map = std::make_unique<TemporaryMap>(folder, residues);
    place = all->sorted_map->bytes();
  }
  all->sort_into(place, {});
  all->residues = {};
  all->lengths = {};
  auto state = std::make_shared<Database::State>();
  state->content = all->content(alphabet);
  state->content.codes = codes_of(place);
  state->residues = residues;
  state->sources = std::move(sources);
  state->memory = all;
  return Database(std::move(state));
}

void DatabaseBuilder::save(const std::string& path, const Progress& progress) {
  const Alphabet alphabet = state_->options.alphabet;
  const std::uint64_t residues = this->residues();
  const std::vector<DatabaseSource> sources = state_->sources;
  const std::shared_ptr<Gathered> all = state_->gather();
  write_database(path, all->content(alphabet),
                 runtime::made_section(std::string(codes_section), residues,
                                       [&](std::span<std::byte> place) { all->sort_into(place, progress); }),
                 sources);
}

}  // namespace genocl::align
