// Whole runs on E. coli 536: genocl-marose from FASTQ to SAM next to the mappers that are installed (bwa, bowtie,
// razers3, minimap2), on the same reads, one thread each where that can be asked for. Their time includes reading their
// index; indexes are built before. items_per_cpu_second counts all threads and processes of the run.
//
// Reads are drawn from the genome with exactly 3 substitutions (40 bases) or up to 5 edits (100 bases).
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/data.hpp"
#include "genocl/io/sequence_reader.hpp"
#include "genocl/sequence.hpp"
#include "random.hpp"

namespace genocl_bench {
namespace {

using genocl::Code;
using genocl_test::Random;

struct Folder {
  std::string path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "genocl-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

bool is_there(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

Seconds children() {
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return {now().wall, seconds(used.ru_utime) + seconds(used.ru_stime)};
}

void run(const std::string& command) {
  const int status = std::system(("{ " + command + "; } >/dev/null 2>&1").c_str());
  if (status != 0) throw std::runtime_error("failed: " + command);
}

std::vector<Code> read_of(const genocl::SequenceSet& genome, Random& random, std::size_t length, unsigned edits,
                          bool with_gaps) {
  const auto below = [&](std::size_t limit) { return random.below(limit); };
  const std::span<const Code> text = genome[0];
  const std::size_t begin = below(text.size() - length - edits);
  std::vector<Code> read(text.begin() + static_cast<std::ptrdiff_t>(begin),
                         text.begin() + static_cast<std::ptrdiff_t>(begin + length + (with_gaps ? edits : 0)));
  if (!with_gaps) {
    std::vector<std::size_t> places;
    while (places.size() < edits) {
      const std::size_t place = below(length);
      if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
    }
    for (const std::size_t place : places) read[place] = static_cast<Code>((read[place] + 1 + below(3)) % 4);
  } else {
    for (unsigned i = 0; i < edits; ++i) {
      const auto at = read.begin() + static_cast<std::ptrdiff_t>(below(length - edits));
      const std::size_t kind = below(5);
      if (kind == 0)
        read.insert(at, static_cast<Code>(below(4)));
      else if (kind == 1)
        read.erase(at);
      else
        *at = static_cast<Code>((*at + 1 + below(3)) % 4);
    }
    read.resize(length);
  }
  if (below(2) != 0) {
    std::vector<Code> reversed(read.size());
    genocl::dna::reverse_complement(read, reversed);
    read = reversed;
  }
  return read;
}

void write_reads(const std::string& path, const genocl::SequenceSet& genome, std::size_t count, std::size_t length,
                 unsigned edits, bool with_gaps) {
  Random random(length);
  std::ofstream file(path);
  const std::string quality(length, 'I');
  for (std::size_t i = 0; i < count; ++i)
    file << "@r" << i << "\n"
         << genocl::decode(genocl::Alphabet::dna, read_of(genome, random, length, edits, with_gaps)) << "\n+\n"
         << quality << "\n";
}

}  // namespace

void add_marose_runs(const std::string& device, const std::string& programs) {
  const std::string genome_file = test_data("dna/ecoli_536.fa.gz");
  const std::string mapper = programs + "/genocl-marose";
  if (genome_file.empty() || !std::filesystem::exists(mapper)) return;
  constexpr std::size_t reads = 100'000, few = 20'000, many = 4'000'000, many_long = 2'000'000;
  static const Folder folder;
  const std::string at = folder.path + "/";
  // Made once, when the first of these runs.
  const std::string prepared = at + "prepared";
  static const auto prepare = [=] {
    if (std::filesystem::exists(prepared)) return;
    const genocl::SequenceSet genome = genocl::io::read_sequences(genome_file);
    {
      std::ofstream file(at + "g.fa");
      file << ">g\n" << genome.letters(0) << "\n";
    }
    write_reads(at + "40.fq", genome, reads, 40, 3, false);
    write_reads(at + "40many.fq", genome, many, 40, 3, false);
    write_reads(at + "100.fq", genome, reads, 100, 5, true);
    write_reads(at + "100many.fq", genome, many_long, 100, 5, true);
    run("cd " + at + " && head -n " + std::to_string(4 * few) + " 40.fq > 40few.fq && head -n " +
        std::to_string(4 * few) + " 100.fq > 100few.fq");
    const std::string build = mapper + " index " + at + "g.fa --device " + device;
    run(build + " --read-length 40 -e 3 --hamming -o " + at + "h40.mrs");
    run(build + " --read-length 40 -e 3 --levenshtein -o " + at + "l40.mrs");
    run(build + " --read-length 100 -e 5 --levenshtein -o " + at + "l100.mrs");
    if (is_there("bwa")) run("bwa index " + at + "g.fa");
    if (is_there("bowtie-build")) run("bowtie-build -q " + at + "g.fa " + at + "g");
    std::ofstream(prepared) << "\n";
  };
  const auto add = [&](const std::string& name, std::size_t count, const std::string& command) {
    benchmark::RegisterBenchmark(("marose/run/" + name).c_str(),
                                 [=](benchmark::State& state) {
                                   double cpu = 0, wall = 0;
                                   try {
                                     prepare();
                                     for (auto _ : state) {
                                       const Seconds start = children();
                                       run(command);
                                       const Seconds end = children();
                                       state.SetIterationTime(end.wall - start.wall);
                                       wall += end.wall - start.wall;
                                       cpu += end.cpu - start.cpu;
                                     }
                                   } catch (const std::exception& error) {
                                     state.SkipWithError(error.what());
                                     return;
                                   }
                                   const double items =
                                       static_cast<double>(count) * static_cast<double>(state.iterations());
                                   state.counters["items_per_second"] = items / wall;
                                   state.counters["items_per_cpu_second"] = items / cpu;
                                 })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->MinTime(1.0);
  };
  const std::string map = mapper + " map --quiet --device " + device + " --report all -o " + at + "out.sam ";
  add("hamming-40-3/genocl", many, map + at + "h40.mrs " + at + "40many.fq -e 3 --hamming");
  add("levenshtein-40-3/genocl", many, map + at + "l40.mrs " + at + "40many.fq -e 3 --levenshtein");
  add("levenshtein-100-5/genocl", many_long, map + at + "l100.mrs " + at + "100many.fq -e 5 --levenshtein");
  if (is_there("bowtie"))
    add("hamming-40-3/bowtie", few, "bowtie -v 3 -a -p 1 -S " + at + "g " + at + "40few.fq " + at + "out.sam");
  if (is_there("bwa"))
    add("hamming-40-3/bwa-aln", reads,
        "bwa aln -n 3 -o 0 -l 1024 -t 1 -f " + at + "out.sai " + at + "g.fa " + at + "40.fq");
  if (is_there("razers3")) {
    add("hamming-40-3/razers3", reads,
        "razers3 -i 92 -rr 100 -ng -m 1000000 -tc 1 -o " + at + "out.razers " + at + "g.fa " + at + "40.fq");
    add("levenshtein-40-3/razers3", reads,
        "razers3 -i 92 -rr 100 -m 1000000 -tc 1 -o " + at + "out.razers " + at + "g.fa " + at + "40.fq");
    add("levenshtein-100-5/razers3", reads,
        "razers3 -i 95 -rr 100 -m 1000000 -tc 1 -o " + at + "out.razers " + at + "g.fa " + at + "100.fq");
  }
  if (is_there("minimap2"))
    add("levenshtein-100-5/minimap2", reads,
        "minimap2 -t 1 -ax sr -o " + at + "out.sam " + at + "g.fa " + at + "100.fq");
  if (is_there("bwa"))
    add("levenshtein-100-5/bwa-mem", few, "bwa mem -t 1 -o " + at + "out.sam " + at + "g.fa " + at + "100few.fq");
}

}  // namespace genocl_bench
