// The program: arguments, the files of numbers, and the form of tables.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <utility>

#include "genocl/error.hpp"
#include "papers.hpp"

namespace genocl_papers {

Figures::Figures(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw genocl::InputError(path + ": cannot be read");
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (line.empty() || line.starts_with('#')) continue;
    std::istringstream fields(line);
    std::vector<std::string> key(4);
    std::string value;
    for (std::string& field : key) std::getline(fields, field, '\t');
    if (!std::getline(fields, value, '\t') || value.empty())
      throw genocl::InputError(path + ": line " + std::to_string(number) + ": expected five fields or more");
    if (!values_.emplace(key, value).second)
      throw genocl::InputError(path + ": line " + std::to_string(number) + ": a number that the file already has");
  }
}

std::string Figures::value(const std::string& table, const std::string& row, const std::string& column) const {
  const auto found = values_.find({paper_, table, row, column});
  return found == values_.end() ? "-" : found->second;
}

Table::Table(Run& run, const std::string& id, const std::string& title, std::vector<std::string> columns)
    : run_(run), id_(id), columns_(columns.size()) {
  std::cout << "\n### " << title << "\n\n";
  columns.emplace_back("answer");
  for (const std::string& column : columns) std::cout << "| " << column << ' ';
  std::cout << "|\n";
  for (std::size_t i = 0; i < columns.size(); ++i) std::cout << "|---";
  std::cout << "|" << std::endl;
}

Table::~Table() {
  for (const std::string& note : notes_) std::cout << "\n" << note << "\n";
  std::cout << std::flush;
}

void Table::print(const std::string& name, std::vector<std::string> cells, const std::string& answer) {
  cells.insert(cells.begin(), name);
  if (cells.size() != columns_)
    throw genocl::Error("table " + id_ + ", row " + name + ": " + std::to_string(cells.size()) + " cells; expected " +
                        std::to_string(columns_));
  for (const std::string& cell : cells) std::cout << "| " << cell << ' ';
  std::cout << "| " << answer << " |" << std::endl;
}

void Table::row(const std::string& name, const std::vector<std::string>& cells, bool right) {
  print(name, cells, right ? "ok" : "WRONG");
  ++run_.rows;
  run_.wrong += right ? 0 : 1;
}

void Table::note_row(const std::string& name, const std::vector<std::string>& cells) { print(name, cells, "-"); }

std::string Table::paper(const std::string& row, const std::string& column) const {
  return run_.paper.value(id_, row, column);
}

std::string Table::peer(const std::string& row, const std::string& column) const {
  return run_.peers.value(id_, row, column);
}

std::string count_text(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t i = text.size(); i > 3;) text.insert(i -= 3, ",");
  return text;
}

std::string digits(double value) {
  if (!std::isfinite(value)) return "-";
  if (value >= 1000) {
    const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
    return count_text(static_cast<std::uint64_t>(std::llround(value / unit) * std::llround(unit)));
  }
  std::array<char, 32> text{};
  const int places = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  if (value >= 0.01)
    std::snprintf(text.data(), text.size(), "%.*f", places, value);
  else
    std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

std::string milliseconds(double seconds) { return digits(seconds * 1e3); }

double seconds_once(const std::function<void()>& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double seconds_of(const Run& run, const std::function<void()>& call, int repeats) {
  double best = seconds_once(call);
  for (int i = 0; !run.toy() && i < repeats; ++i) best = std::min(best, seconds_once(call));
  return best;
}

double kernel_seconds_of(genocl::Device& device, const std::function<void()>& call) {
  device.enable_profiling();
  device.reset_profile();
  call();
  double seconds = 0;
  for (const genocl::KernelProfile& kernel : device.profile()) seconds += kernel.seconds;
  return seconds;
}

void write_records(const genocl::SequenceSet& records, const std::string& path, bool fastq) {
  std::ofstream out(path);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::string letters = records.letters(i);
    out << (fastq ? '@' : '>') << "s" << i << '\n' << letters << '\n';
    if (fastq) out << "+\n" << std::string(letters.size(), 'I') << '\n';
  }
  out.close();
  if (!out) throw genocl::InputError(path + ": cannot be written");
}

namespace {

constexpr const char* usage =
    "genocl-papers: the tables of the five papers, with the papers' numbers next to ours\n"
    "\n"
    "  genocl-papers [OPTION]... [000|001|002|003|004]...\n"
    "\n"
    "  000  Giraud and Varre: position weight matrices\n"
    "  001  Zhong and others: longest overlap regions\n"
    "  002  Pham and others: swGPUCluster\n"
    "  003  Tran, Giraud and Varre: MAROSE\n"
    "  004  Contassot-Vivier and Vialle: hybrid Jacobi relaxation\n"
    "\n"
    "  --device SPEC  Device [GENOCL_DEVICE, else the best one]\n"
    "  --toy          Smallest inputs, compared with scalar functions: a test\n"
    "  --full         Sizes of the papers: for GPUs [reduced sizes]\n"
    "  --genome FILE  FASTA file for the tables of 003 [E. coli, with --full 150 Mb drawn]\n"
    "  --whole-genome Tables I and II of 003 for a drawn genome of 3.1 Gb with repeats\n"
    "  --figures FOLDER Write sensitivity.json of 003, for docs/figures/plot.py\n"
    "  --write FOLDER Write genome.fa, reads.fq, queries.fasta and proteins.fasta for other programs, and end\n"
    "  --data FOLDER  Folder of paper.tsv and peers.tsv [tests/bench/papers]\n"
    "\n"
    "Real data is read from the folder GENOCL_TEST_DATA [../shared/data]. Exit status: 1 for a wrong answer.\n";

struct Paper {
  const char* number;
  const char* title;
  void (*print)(Run&);
};
constexpr std::array<Paper, 5> papers = {
    {{"000", "Giraud and Varre: Parallel Position Weight Matrices Algorithms (pwm)", print_pwm},
     {"001", "Zhong and others: longest overlap region of noncoding DNA (overlap)", print_overlap},
     {"002", "Pham and others: swGPUCluster (align)", print_align},
     {"003", "Tran, Giraud and Varre: Perfect hashing structures for parallel similarity searches (marose)",
      print_marose},
     {"004", "Contassot-Vivier and Vialle: hybrid scheme for CPU, MIC and GPU (jacobi)", print_jacobi}}};

struct Arguments {
  std::string device, data = "tests/bench/papers", write, genome, figures;
  Size size = Size::reduced;
  bool whole_genome = false;
  std::vector<std::string> numbers;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto value = [&] {
      if (i + 1 == argc) throw genocl::InputError(argument + " needs a value");
      return std::string(argv[++i]);
    };
    if (argument == "--device")
      arguments.device = value();
    else if (argument == "--data")
      arguments.data = value();
    else if (argument == "--genome")
      arguments.genome = value();
    else if (argument == "--write")
      arguments.write = value();
    else if (argument == "--figures")
      arguments.figures = value();
    else if (argument == "--whole-genome")
      arguments.whole_genome = true;
    else if (argument == "--toy")
      arguments.size = Size::toy;
    else if (argument == "--full")
      arguments.size = Size::full;
    else if (std::any_of(papers.begin(), papers.end(), [&](const Paper& paper) { return argument == paper.number; }))
      arguments.numbers.push_back(argument);
    else
      throw genocl::InputError("argument " + genocl::in_quotes(argument) + "; see genocl-papers --help");
  }
  if (arguments.whole_genome && arguments.numbers != std::vector<std::string>{"003"})
    throw genocl::InputError("--whole-genome belongs to the tables of 003 alone");
  if (arguments.whole_genome && !(arguments.genome.empty() && arguments.figures.empty()))
    throw genocl::InputError("--whole-genome with --genome or --figures");
  if (!arguments.figures.empty() && !arguments.numbers.empty() &&
      std::find(arguments.numbers.begin(), arguments.numbers.end(), "003") == arguments.numbers.end())
    throw genocl::InputError("--figures belongs to the tables of 003");
  return arguments;
}

int run_papers(const Arguments& arguments) {
  Run run{genocl::Device::pick(arguments.device),
          arguments.size,
          Figures(arguments.data + "/paper.tsv"),
          Figures(arguments.data + "/peers.tsv"),
          arguments.genome,
          arguments.figures,
          arguments.whole_genome};
  if (!arguments.write.empty()) {
    write_align_data(run, arguments.write);
    write_marose_data(run, arguments.write);
    return 0;
  }
  std::cout << "Device: " << run.device.info().name << ", " << run.device.info().platform_version << "\nSizes: "
            << (run.toy()    ? "toy"
                : run.full() ? "full"
                             : "reduced")
            << "\n`-`: the number is not on record, or the row has no answer to check.\n";
  for (const Paper& paper : papers) {
    const auto& wanted = arguments.numbers;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), paper.number) == wanted.end()) continue;
    run.paper.select(paper.number);
    run.peers.select(paper.number);
    std::cout << "\n## " << paper.number << ' ' << paper.title << "\n";
    const double seconds = seconds_once([&] { paper.print(run); });
    std::cout << "\nTime of these tables: " << digits(seconds) << " s\n";
  }
  std::cout << "\n" << run.rows << " rows, " << run.wrong << " wrong\n";
  return run.rows == 0 || run.wrong != 0 ? 1 : 0;
}

}  // namespace
}  // namespace genocl_papers

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (std::string(argv[i]) == "--help" || std::string(argv[i]) == "-h") {
      std::cout << genocl_papers::usage;
      return 0;
    }
  try {
    return genocl_papers::run_papers(genocl_papers::parse(argc, argv));
  } catch (const genocl::DeviceError& error) {
    std::cerr << "papers: error: " << error.what() << "\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "papers: error: " << error.what() << "\n";
    return 1;
  }
}
