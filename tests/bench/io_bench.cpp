// Reading FASTQ and FASTA, plain, gzip and bgzip: bytes of text per second and reads per second. Formatting SAM and
// BAM.
#if GENOCL_BENCH_IO
#include <stdlib.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "bench.hpp"
#include "genocl/io/alignment_writer.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/io/sequence_reader.hpp"
#include "genocl/io/sequence_writer.hpp"

namespace genocl_bench {
namespace {

namespace fs = std::filesystem;
using genocl::SequenceSet;

constexpr std::size_t reads = 500'000, read_length = 100;

SequenceSet random_reads(bool with_qualities) {
  SequenceSet set(genocl::Alphabet::dna, with_qualities);
  set.reserve(reads, reads * read_length);
  const auto words = random_words(reads * read_length, 4);
  for (std::size_t i = 0; i < reads; ++i) {
    const auto read = set.extend("read" + std::to_string(i), {}, read_length);
    for (std::size_t k = 0; k < read_length; ++k) {
      const std::uint32_t word = words[i * read_length + k];
      read.codes[k] = static_cast<genocl::Code>(word & 3);
      if (with_qualities) read.quality[k] = static_cast<std::uint8_t>(20 + (word >> 8) % 20);
    }
  }
  return set;
}

void compress(const fs::path& from, const fs::path& to) {
  std::ifstream in(from, std::ios::binary);
  gzFile out = gzopen(to.c_str(), "wb6");
  std::vector<char> buffer(std::size_t{1} << 20);
  bool good = out != nullptr;
  while (good && (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), in.gcount() > 0))
    good = gzwrite(out, buffer.data(), static_cast<unsigned>(in.gcount())) == in.gcount();
  if (out == nullptr || gzclose(out) != Z_OK || !good) throw std::runtime_error("cannot write " + to.string());
}

// A folder with the same reads in every form, made when the first benchmark runs.
class Files {
 public:
  ~Files() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  fs::path get(const std::string& name) {
    if (folder_.empty()) make();
    return folder_ / name;
  }

 private:
  void make() {
    std::string pattern = (fs::temp_directory_path() / "genocl-bench-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    for (const char* format : {"fq", "fa"}) {
      const bool fastq = std::string(format) == "fq";
      const SequenceSet set = random_reads(fastq);
      for (const char* packing : {"", ".gz"}) {  // the library writes bgzip
        const std::string name = std::string("reads.") + format + packing;
        genocl::io::OutputFile file((folder_ / (*packing != 0 ? "b" + name : name)).string());
        fastq ? genocl::io::write_fastq(file, set) : genocl::io::write_fasta(file, set);
        file.commit();
      }
      compress(folder_ / (std::string("reads.") + format), folder_ / (std::string("reads.") + format + ".gz"));
    }
  }
  fs::path folder_;
};

void read_all(const std::string& path, unsigned threads) {
  genocl::io::SequenceReader reader(path, {.threads = threads});
  SequenceSet batch;
  while (reader.read(batch, {.residues = std::uint64_t{16} << 20})) benchmark::DoNotOptimize(batch.codes().data());
  if (reader.records() != reads) throw std::runtime_error(path + ": records are missing");
}

/// One thread's records of reads of 40 bases: all but writing them.
void format_records(genocl::io::AlignmentFormat format, int level, std::size_t records) {
  const genocl::io::AlignmentWriter writer("/dev/null", {.references = {{"chr1", 200'000'000}}},
                                           {.format = format, .level = level});
  genocl::io::AlignmentFormatter formatter = writer.formatter();
  constexpr std::size_t length = 40, batch = 50'000;
  const std::vector<std::uint32_t> words = random_words(length * 1000, 5), cigar = {genocl::io::cigar_run(length, 'M')};
  std::vector<genocl::Code> codes(length * 1000);
  std::vector<std::uint8_t> quality(length * 1000);
  for (std::size_t i = 0; i < words.size(); ++i) {
    codes[i] = static_cast<genocl::Code>(words[i] & 3);
    quality[i] = static_cast<std::uint8_t>(20 + (words[i] >> 8) % 20);
  }
  std::string bytes, name;
  for (std::size_t i = 0; i < records; ++i) {
    name.assign("read").append(std::to_string(i));
    const std::size_t begin = i % 1000 * length;
    const genocl::io::AlignmentTag tags[] = {{"NM", 3}, {"MD", "10A12C3T12"}, {"NH", 1}, {"HI", 1}};
    formatter.add({.name = name,
                   .flag = static_cast<std::uint16_t>(i % 2 * genocl::io::AlignmentRecord::reverse),
                   .reference = 0,
                   .position = static_cast<std::int64_t>(words[i % words.size()] % 199'000'000),
                   .mapping_quality = 37,
                   .cigar = cigar,
                   .codes = std::span(codes).subspan(begin, length),
                   .quality = std::span(quality).subspan(begin, length),
                   .tags = tags});
    if (i % batch == batch - 1) bytes = formatter.take(std::move(bytes));
  }
  benchmark::DoNotOptimize(bytes.data());
}

}  // namespace

void add_io() {
  auto files = std::make_shared<Files>();
  for (const std::string format : {"fq", "fa"}) {
    // Letters, qualities, '>' or '@' and '+', about ten characters of name, line ends.
    const double bytes = static_cast<double>(reads) * (format == "fq" ? 2 * read_length + 15 : read_length + 13);
    const auto add = [&](const std::string& kind, const std::string& name, unsigned threads) {
      add_host("read/" + format + "/" + kind, {.items = static_cast<double>(reads), .bytes = bytes},
               [=] { read_all(files->get(name), threads); });
    };
    add("plain", "reads." + format, 0);
    add("gzip", "reads." + format + ".gz", 0);
    add("bgzip", "breads." + format + ".gz", 0);
    add("bgzip, 2 threads", "breads." + format + ".gz", 2);
  }
  // Bytes: about what a record of SAM has.
  const auto add_format = [](const std::string& name, genocl::io::AlignmentFormat format, int level,
                             std::size_t records) {
    add_host("format/" + name, {.items = static_cast<double>(records), .bytes = 155.0 * static_cast<double>(records)},
             [=] { format_records(format, level, records); });
  };
  add_format("sam", genocl::io::AlignmentFormat::sam, 0, 500'000);
  add_format("bam, level 1", genocl::io::AlignmentFormat::bam, 1, 200'000);
  add_format("bam, level 6", genocl::io::AlignmentFormat::bam, 6, 200'000);
}

}  // namespace genocl_bench
#endif
