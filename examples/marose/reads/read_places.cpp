#include "marose/reads/read_places.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "common/team.hpp"
#include "genocl/packing.hpp"

namespace program {
namespace {

/// A regular file in memory; empty where it is none, or has nothing in it.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int file = path == "-" ? -1 : open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat status {};
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
      void* const bytes = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      if (bytes != MAP_FAILED) text_ = {static_cast<const char*>(bytes), static_cast<std::size_t>(status.st_size)};
    }
    close(file);
  }
  ~MappedFile() {
    if (!text_.empty()) munmap(const_cast<char*>(text_.data()), text_.size());
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

std::uint64_t line_ends(std::string_view text) { return static_cast<std::uint64_t>(std::ranges::count(text, '\n')); }

/// What each member gives, on every member.
std::vector<std::vector<std::uint64_t>> from_all(const std::vector<std::uint64_t>& own) {
  genocl::Packer packed;
  packed.add_list(own);
  genocl::Packer joined;
  for (const std::string& one : team().gather(packed.take())) joined.add_text(one);
  std::string bytes = joined.take();
  team().broadcast(bytes);
  std::vector<std::vector<std::uint64_t>> all;
  for (genocl::Unpacker left(bytes); !left.empty();)
    all.push_back(genocl::Unpacker(left.next_text()).next_list<std::uint64_t>());
  return all;
}

bool anybody(bool is) {
  std::uint64_t count = is ? 1 : 0;
  team().sum(std::span(&count, 1));
  return count != 0;
}

/// Goes through the records that begin in [begin, end) of the text; `line` is the number of the line that `begin` is
/// in, or begins. False where one is not of four lines. `use(record, its first byte)`.
template <class Use>
bool each_record(std::string_view text, std::uint64_t begin, std::uint64_t end, std::uint64_t line, Use&& use) {
  const auto next_line = [&](std::uint64_t at) {
    const std::size_t found = text.find('\n', at);
    return found == std::string_view::npos ? text.size() : found + 1;
  };
  std::uint64_t at = begin;
  if (begin > 0 && text[begin - 1] != '\n') {
    at = next_line(begin);
    ++line;
  }
  for (; at < end && line % 4 != 0; ++line) at = next_line(at);
  while (at < end) {
    std::uint64_t lines[5] = {at};
    for (int i = 0; i < 4; ++i) {
      if (lines[i] >= text.size()) return false;
      lines[i + 1] = next_line(lines[i]);
    }
    // The last line may lack its end.
    const std::uint64_t letters = lines[2] - lines[1], qualities = lines[4] - lines[3];
    const bool ended = text[lines[4] - 1] == '\n';
    if (text[at] != '@' || text[lines[2]] != '+' || letters < 2 || letters != qualities + (ended ? 0 : 1)) return false;
    use(line / 4, at);
    at = lines[4];
    line += 4;
  }
  return true;
}

}  // namespace

std::optional<RecordPlaces> find_places(const std::string& path, std::uint64_t records_of_block) {
  const MappedFile file(path);
  const std::string_view text = file.text();
  const auto sizes = from_all({text.size()});
  // Compressed files do not begin so; other members may see another file.
  if (anybody(text.empty() || text[0] != '@' || sizes[0][0] != text.size())) return std::nullopt;
  const std::uint64_t begin = text.size() * team().rank() / team().size(),
                      end = text.size() * (team().rank() + 1) / team().size();
  const auto ends = from_all({line_ends(text.substr(begin, end - begin))});
  std::uint64_t line = 0, lines = 0;
  for (std::size_t member = 0; member < ends.size(); ++member) {
    if (member < team().rank()) line += ends[member][0];
    lines += ends[member][0];
  }
  if (text.back() != '\n') ++lines;
  std::vector<std::uint64_t> own;
  const bool plain = each_record(text, begin, end, line, [&](std::uint64_t record, std::uint64_t at) {
    if (record % records_of_block == 0) own.push_back(at);
  });
  if (anybody(!plain || lines % 4 != 0)) return std::nullopt;
  RecordPlaces places{.records = lines / 4, .begins = {}};
  for (const std::vector<std::uint64_t>& part : from_all(own))
    places.begins.insert(places.begins.end(), part.begin(), part.end());
  places.begins.push_back(text.size());
  return places;
}

std::optional<PlacedReads> PlacedReads::find(const std::vector<ReadFiles>& files, const ReadSourceOptions& options) {
  PlacedReads placed;
  std::uint64_t blocks = 0;
  for (const ReadFiles& names : files) {
    File one{.file = nullptr, .names = names, .reads = {}, .mates = {}, .first_block = blocks};
    const genocl::BatchLimits limits = ReadFile::limits_of(names, options);
    const std::uint64_t records = limits.records;
    std::optional<RecordPlaces> reads = find_places(names.reads, records);
    if (!reads) return std::nullopt;
    // The batches are to be those of who reads one after the other: BAM is compressed batch by batch.
    for (std::size_t i = 0; i + 1 < reads->begins.size(); ++i)
      if (reads->begins[i + 1] - reads->begins[i] > limits.residues) return std::nullopt;
    one.reads = std::move(*reads);
    if (!names.mates.empty()) {
      one.mates = find_places(names.mates, records);
      if (!one.mates || one.mates->records != one.reads.records) return std::nullopt;
    }
    if (options.interleaved && one.reads.records % 2 != 0) return std::nullopt;  // whose error is said elsewhere
    one.file = std::make_shared<ReadFile>(names, options);
    one.blocks = one.reads.begins.size() - 1;
    blocks += one.blocks;
    one.records_of_block = records;
    placed.files_.push_back(std::move(one));
  }
  return placed;
}

const PlacedReads::File& PlacedReads::at(std::uint64_t number) const {
  const auto behind = std::ranges::upper_bound(files_, number, {}, &File::first_block);
  return *std::prev(behind);
}

PlacedReads::ReadsToMake PlacedReads::block(std::uint64_t number) const {
  const File& file = at(number);
  const std::uint64_t block = number - file.first_block, first = block * file.records_of_block;
  const std::uint64_t count = std::min(file.records_of_block, file.reads.records - first);
  const std::uint64_t reads = file.mates ? 2 * count : count;
  return {reads, [&file, block, first, count](genocl::SequenceSet& batch) {
            const auto text = [&](const std::string& name, const RecordPlaces& places) {
              return genocl::io::RecordText(name, places.begins[block], places.begins[block + 1], count, first);
            };
            RawReads raw;
            raw.reads = text(file.names.reads, file.reads);
            if (file.mates) raw.mates = text(file.names.mates, *file.mates);
            raw.before = file.mates ? 2 * first : first;
            file.file->make(raw, batch);
          }};
}

}  // namespace program
