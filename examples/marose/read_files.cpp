// Files of reads, repairs of their records, and their parts for several ranks.

#include <algorithm>
#include <cstring>
#include <future>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <thread>

#include "common/program.hpp"
#include "common/team.hpp"
#include "genocl/error.hpp"
#include "genocl/io/record_places.hpp"
#include "genocl/packing.hpp"
#include "marose/read_source.hpp"

namespace program {
namespace {

using genocl::InputError;

std::string files_text(std::size_t count) { return std::to_string(count) + (count == 1 ? " file" : " files"); }

/// Returns the names of all lists of an option.
std::vector<std::string> split(std::string_view option, const std::vector<std::string>& lists) {
  std::vector<std::string> files;
  for (const std::string& list : lists)
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      if (end == begin)
        throw InputError(std::string(option), {}, genocl::in_quotes(list) + " has a file without a name",
                         "names with commas between");
      files.push_back(list.substr(begin, end - begin));
      begin = end + 1;
    }
  return files;
}

}  // namespace

std::vector<std::string> ReadFileLists::names() const {
  std::vector<std::string> all;
  for (const std::vector<ReadFiles>* const list : {&pairs, &singles})
    for (const ReadFiles& files : *list) {
      all.push_back(files.reads);
      if (!files.mates.empty()) all.push_back(files.mates);
    }
  return all;
}

ReadFileLists read_files_of(const MapSettings& settings) {
  const std::vector<std::string> first = split("-1", settings.first_mates), second = split("-2", settings.second_mates),
                                 unpaired = split("-U", settings.unpaired);
  const bool lists = !first.empty() || !second.empty() || !unpaired.empty();
  if (settings.reads.empty() && !lists)
    throw InputError("no reads", {}, {}, "files of them behind the reference, or by -1 and -2, or by -U");
  if (!settings.reads.empty() && lists)
    throw InputError("-1, -2 and -U", {}, "with " + settings.reads + " after the reference", "one way to name reads");
  if (settings.interleaved && lists)
    throw InputError("--interleaved", {}, "with -1, -2 or -U", "one file after the reference, mate after mate");
  if (settings.interleaved && !settings.mates.empty())
    throw InputError("--interleaved", {}, "a second file of reads, " + settings.mates, "one file, mate after mate");
  if (first.size() != second.size())
    throw InputError("-1 and -2", {}, files_text(first.size()) + " and " + files_text(second.size()),
                     "as many of both, in the same order");
  ReadFileLists files;
  if (!settings.reads.empty())
    (settings.interleaved || !settings.mates.empty() ? files.pairs : files.singles)
        .push_back({settings.reads, settings.mates});
  for (std::size_t i = 0; i < first.size(); ++i) files.pairs.push_back({first[i], second[i]});
  for (const std::string& one : unpaired) files.singles.push_back({one, {}});

  const std::vector<std::string> names = files.names();
  const auto uses = std::ranges::count(names, "-");
  if (settings.reference == "-" && uses > 0)
    throw InputError("reference and reads cannot both come from standard input");
  if (uses > 1) throw InputError("standard input is named for two files of reads; expected it once");
  return files;
}

namespace {

std::string warning() { return called_name() + ": warning: "; }

/// The description of a fault, which follows its count.
constexpr std::array<const char*, read_faults> counted = {
    "with letters other than A, C, G, T, U and N, read as N",
    "with a '+' line that names another read",
    "with name characters that SAM does not allow, written as '_'",
    "with a name above 254 bytes, cut",
    "with comment fields that were left out",
    "without a mate, mapped as single",
    "longer than 1,000 bases, written unmapped",
    "too short for any plan of this index, written unmapped",
};

/// Whether the fault is a repair. Many repairs suggest a wrong file.
constexpr std::array<ReadFault, 6> repairs = {ReadFault::letters,     ReadFault::plus_line, ReadFault::name_letters,
                                              ReadFault::name_length, ReadFault::comment,   ReadFault::too_long};

}  // namespace

void QualityRange::add(std::span<const std::uint8_t> quality) {
  for (const std::uint8_t score : quality) {
    min = std::min(min, score);
    max = std::max(max, score);
  }
}

void ReadNotes::pack(genocl::Packer& packed) const {
  packed.add_text(file);
  packed.add(qualities);
  for (const Kind& kind : kinds_) {
    packed.add(kind.count);
    packed.add_text(kind.first);
  }
}

ReadNotes ReadNotes::unpack(genocl::Unpacker& packed) {
  ReadNotes notes;
  notes.file = packed.next_text();
  notes.qualities = packed.next<QualityRange>();
  for (Kind& kind : notes.kinds_) {
    kind.count = packed.next<std::uint64_t>();
    kind.first = packed.next_text();
  }
  return notes;
}

const BatchNotes::LongRead* BatchNotes::long_read(std::uint64_t read) const noexcept {
  const auto found = std::ranges::lower_bound(long_reads, read, {}, &LongRead::read);
  return found != long_reads.end() && found->read == read ? &*found : nullptr;
}

bool BatchNotes::is_single(std::uint64_t pair) const noexcept { return std::ranges::binary_search(single, pair); }

void ReadWarnings::add(const ReadNotes& notes, std::ostream& out, const std::function<void()>& before_line) {
  if (notes.file != file_) {
    if (qualities_.looks_like_phred64()) before_line();
    end_file(out);
    file_ = notes.file;
  }
  qualities_.min = std::min(qualities_.min, notes.qualities.min);
  qualities_.max = std::max(qualities_.max, notes.qualities.max);
  for (std::size_t i = 0; i < read_faults; ++i) {
    const ReadNotes::Kind& kind = notes[static_cast<ReadFault>(i)];
    if (counts_[i] == 0 && kind.count > 0) {
      before_line();
      out << warning() << kind.first << '\n';
    }
    counts_[i] += kind.count;
  }
}

void ReadWarnings::end_file(std::ostream& out) {
  if (qualities_.looks_like_phred64())
    out << warning() << file_ << ": no quality character below '@' and some above 'J' in the first "
        << QualityRange::max_reads << " reads: these may be Phred+64; if so, map with --phred64\n";
  qualities_ = {};
}

void ReadWarnings::finish(std::uint64_t reads, std::ostream& out) {
  end_file(out);
  std::uint64_t repaired = 0;
  for (const ReadFault fault : repairs) repaired += counts_[static_cast<std::size_t>(fault)];
  for (std::size_t i = 0; i < read_faults; ++i)
    if (counts_[i] > 0)
      out << warning() << counts_[i] << (counts_[i] == 1 ? " read " : " reads ") << counted[i] << '\n';
  constexpr std::uint64_t least = 100;
  if (repaired < least || repaired * 100 <= reads) return;
  std::ostringstream share;
  share << std::fixed << std::setprecision(1)
        << 100 * static_cast<double>(std::min(repaired, reads)) / static_cast<double>(reads);
  out << warning() << share.str() << "% of the reads were repaired or are too long: check that this is the right input"
      << " (--strict makes the first fault an error)\n";
}

using genocl::io::RecordPlaces;

namespace {

/// Returns the bytes of all members, on every member.
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

/// Returns this process's parts of a file. One thread scans each part.
std::vector<RecordPlaces> own_parts(const std::string& path, std::uint64_t parts) {
  std::vector<std::future<RecordPlaces>> found;
  for (std::uint64_t i = 0; i < parts; ++i)
    found.push_back(
        std::async(std::launch::async, [&path, part = team().rank() * parts + i, all = team().size() * parts] {
          return RecordPlaces(path, part, all);
        }));
  std::vector<RecordPlaces> own;
  for (std::future<RecordPlaces>& part : found) own.push_back(part.get());
  return own;
}

}  // namespace

std::optional<BlockPlaces> find_places(const std::string& path, std::uint64_t records_of_block) {
  std::uint64_t parts = std::max(1U, std::thread::hardware_concurrency());
  // Members may have different numbers of cores: all use the root's.
  std::string said(reinterpret_cast<const char*>(&parts), sizeof parts);
  team().broadcast(said);
  std::memcpy(&parts, said.data(), sizeof parts);

  const std::vector<RecordPlaces> own = own_parts(path, parts);
  // Members may see different files, or none.
  const std::uint64_t size = own[0].file_size();
  const auto sizes = from_all({size});
  if (anybody(sizes[0][0] != size || !std::ranges::all_of(own, &RecordPlaces::usable))) return std::nullopt;

  std::vector<std::uint64_t> counts;
  for (const RecordPlaces& part : own) counts.insert(counts.end(), {part.lines(), part.text_size()});
  std::uint64_t line = 0, text = 0, lines = 0, text_end = 0;  // before the parts of this member, and in total
  const auto all_counts = from_all(counts);
  for (std::size_t member = 0; member < all_counts.size(); ++member) {
    if (member == team().rank()) line = lines, text = text_end;
    for (std::size_t i = 0; i < all_counts[member].size(); i += 2) {
      lines += all_counts[member][i];
      text_end += all_counts[member][i + 1];
    }
  }
  std::vector<std::uint64_t> begins;
  bool is = lines % 4 == 0;
  for (const RecordPlaces& part : own) {
    is = is && part.is_four_lines(line);
    if (is)
      for (const RecordPlaces::Begin& begin : part.begins(line, records_of_block))
        begins.insert(begins.end(), {begin.place, text + begin.text});
    line += part.lines();
    text += part.text_size();
  }
  if (anybody(!is)) return std::nullopt;
  BlockPlaces places{.records = lines / 4, .begins = {}};
  std::uint64_t before = 0;
  for (const std::vector<std::uint64_t>& member : from_all(begins))
    for (std::size_t i = 0; i < member.size(); i += 2) {
      places.begins.push_back(member[i]);
      places.longest = std::max(places.longest, member[i + 1] - before);
      before = member[i + 1];
    }
  places.longest = std::max(places.longest, text_end - before);
  places.begins.push_back(own[0].end());
  return places;
}

std::optional<PlacedReads> PlacedReads::find(const std::vector<ReadFiles>& files, const ReadSourceOptions& options) {
  if (options.interleaved) return std::nullopt;
  PlacedReads placed;
  std::uint64_t blocks = 0;
  for (const ReadFiles& names : files) {
    File one{.file = nullptr, .names = names, .reads = {}, .mates = {}, .first_block = blocks};
    const genocl::BatchLimits limits = ReadFile::limits_of(names, options);
    const std::uint64_t records = limits.records;
    std::optional<BlockPlaces> reads = find_places(names.reads, records);
    if (!reads) return std::nullopt;
    // Batches must be those of a sequential reader, since BAM is compressed batch by batch.
    if (reads->longest > limits.residues) return std::nullopt;
    one.reads = std::move(*reads);
    if (!names.mates.empty()) {
      one.mates = find_places(names.mates, records);
      if (!one.mates || one.mates->records != one.reads.records) return std::nullopt;
    }
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

ReadsToMake PlacedReads::block(std::uint64_t number) const {
  const File& file = at(number);
  const std::uint64_t block = number - file.first_block, first = block * file.records_of_block;
  const std::uint64_t count = std::min(file.records_of_block, file.reads.records - first);
  const std::uint64_t reads = file.mates ? 2 * count : count;
  return {reads, [&file, block, first, count](genocl::SequenceSet& batch, BatchNotes& notes) {
            const auto text = [&](const std::string& name, const BlockPlaces& places) {
              return genocl::io::RecordText(name, places.begins[block], places.begins[block + 1], count, first);
            };
            RawReads raw;
            raw.reads = text(file.names.reads, file.reads);
            if (file.mates) raw.mates = text(file.names.mates, *file.mates);
            raw.before = file.mates ? 2 * first : first;
            file.file->make(raw, batch, notes);
          }};
}

}  // namespace program
