// genocl: the front of all programs. `genocl map ...` is `genocl-marose map ...`: it finds the program and becomes it.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "common/lists.hpp"
#include "common/run_program.hpp"
#include "common/suggestion.hpp"
#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "genocl/version.hpp"

namespace {

struct Command {
  const char* name;
  const char* program;     // behind "genocl-"
  const char* subcommand;  // nothing where the program has none, or where all of it is meant
  const char* does;        // as the program's own help has it; tests/front_program compares them
};

// As in the help of each program. What two of them have by one name (index) is the first one's; the other's is reached
// by its program's name, as everything is.
constexpr Command commands[] = {
    {"index", "marose", "index", "Builds the index of a reference"},
    {"map", "marose", "map", "Maps reads to a reference"},
    {"plan", "marose", "plan", "Shows what is looked up for a read, and the proof that nothing is missed"},
    {"makedb", "align", "makedb", "Makes a database of FASTA files"},
    {"info", "align", "info", "Checks a database and shows what is in it"},
    {"search", "align", "search", "Searches a database, or FASTA, for each query's best hits"},
    {"pssm", "align", "pssm", "Makes a profile of a multiple alignment, as psiblast -in_msa does, for search --pssm"},
    {"pairs", "align", "pairs",
     "Compares each sequence of one file with the one of the same number in another: scores, edit distances"},
    {"merge", "align", "merge", "Writes the results of a search from the parts that search --shard has made"},
    {"scan", "pwm", "scan", "Finds every place where a motif scores at least its threshold"},
    {"pvalue", "pwm", "pvalue", "Computes P-values of a score"},
    {"threshold", "pwm", "threshold", "Finds the scores that have a P-value"},
    {"distribution", "pwm", "distribution", "Writes P-values of all scores"},
    {"compare", "pwm", "compare", "Shows how alike the hits of two collections' motifs are"},
    {"logo", "pwm", "logo", "Draws sequence logos: letters as high as their share of the information"},
    {"sa", "overlap", "sa", "Builds the suffix array of a text"},
    {"isa", "overlap", "isa", "Builds the inverse suffix array: the rank of each suffix"},
    {"lcp", "overlap", "lcp", "Writes the longest common prefixes of neighbours in the suffix array; the first is 0"},
    {"bwt", "overlap", "bwt", "Writes the Burrows-Wheeler transform, without the place of the end"},
    {"da", "overlap", "da", "Writes the record of each suffix in the order of sa --records, from 0"},
    {"unbwt", "overlap", "unbwt", "Writes the text of a Burrows-Wheeler transform"},
    {"lcs", "overlap", "lcs", "Finds the longest regions that two files have in common"},
    {"multi", "overlap", "multi", "Finds the longest regions that stand in at least q of all records"},
    {"repeat", "overlap", "repeat", "Finds the longest regions that stand at two places or more, or all spans that do"},
    {"mem", "overlap", "mem", "Finds all maximal exact matches between a reference and queries"},
    {"suffix-prefix", "overlap", "suffix-prefix",
     "Finds, for each two reads, the longest end of one that begins the other"},
    {"find", "overlap", "find", "Finds where patterns occur, exactly"},
    {"lce", "overlap", "lce", "Tells how far a text is equal from each of two positions on"},
    {"rmq", "overlap", "rmq", "Finds range minima of a text's LCP values"},
    {"marose", "marose", "", "Mapping reads: all of genocl-marose"},
    {"align", "align", "", "Smith-Waterman and other alignments: all of genocl-align"},
    {"pwm", "pwm", "", "Position weight matrices: all of genocl-pwm"},
    {"overlap", "overlap", "", "Suffix arrays and shared regions: all of genocl-overlap; its index is overlap index"},
    {"jacobi", "jacobi", "", "Relaxes a grid on every device at once"},
    {"devices", "devices", "", "Lists the OpenCL devices that genocl can use"},
};

std::string help() {
  std::string text =
      "genocl: exact sequence analysis, and a stencil, on any OpenCL device\n"
      "Usage: genocl COMMAND [ARGUMENT...]\n"
      "       genocl help COMMAND\n\n"
      "Commands:\n";
  for (const Command& command : commands) {
    std::string name = command.name;
    name.resize(std::max<std::size_t>(name.size() + 2, 15), ' ');
    text += "  " + name + command.does + "\n";
  }
  return text +
         "\nOptions:\n"
         "  -h,--help      Print this help message and exit\n"
         "  --version      Display program version information and exit\n\n"
         "Example:\n"
         "  genocl index genome.fa.gz -o genome.mrs\n"
         "  genocl map genome.mrs reads_1.fq.gz reads_2.fq.gz -e 5% -o reads.bam\n";
}

void answer(const std::string& text) {
  genocl::files::AtomicFile out("-");  // which says so when it cannot be written
  out.write(text);
  out.commit();
}

/// The folder of this program's own file.
std::filesystem::path own_folder(const char* called) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);  // of Linux
  if (!error) return self.parent_path();
  const std::filesystem::path name(called);
  return name.has_parent_path() ? std::filesystem::canonical(name, error).parent_path() : std::filesystem::path();
}

/// Becomes the program `name`, found beside this one or else in PATH. Throws InputError where none starts.
[[noreturn]] void become(const std::string& name, std::vector<std::string> arguments, const char* called) {
  std::vector<std::string> folders{own_folder(called).string()};
  if (const char* const path = std::getenv("PATH"))
    for (const std::string_view folder : program::parts_of(path, ':'))
      if (!folder.empty()) folders.emplace_back(folder);
  arguments.insert(arguments.begin(), name);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  for (const std::string& folder : folders) {
    if (folder.empty()) continue;
    const std::string file = folder + "/" + name;
    ::execv(file.c_str(), pointers.data());
    if (errno != ENOENT && errno != ENOTDIR && errno != EACCES)
      throw genocl::InputError(file + " does not start: " + std::generic_category().message(errno));
  }
  throw genocl::InputError(name + " is neither beside genocl nor in PATH");
}

const Command& command_named(std::string_view name) {
  const auto* const found = std::ranges::find(commands, name, &Command::name);
  if (found != std::end(commands)) return *found;
  std::vector<std::string> names;
  for (const Command& command : commands) names.emplace_back(command.name);
  const std::string nearest = program::suggestion(name, names);
  throw genocl::InputError("no command " + genocl::in_quotes(name) +
                           (nearest.empty() ? "; genocl --help lists them" : nearest));
}

void run(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty()) throw genocl::InputError("a command is required; genocl --help lists them");
  std::string first = arguments.front();
  arguments.erase(arguments.begin());
  if (first == "help" && !arguments.empty()) {
    first = arguments.front();
    arguments.front() = "--help";
  }
  if (first == "help" || first == "-h" || first == "--help") return answer(help());
  if (first == "--version") return answer("genocl " GENOCL_VERSION "\n");
  if (first.starts_with('-')) throw genocl::InputError("no option " + genocl::shown(first) + "; expected a command");
  const Command& command = command_named(first);
  if (*command.subcommand != '\0') arguments.insert(arguments.begin(), command.subcommand);
  become(std::string("genocl-") + command.program, arguments, argv[0]);
}

}  // namespace

int main(int argc, char** argv) {
  return program::run_program("genocl", [&] { run(argc, argv); });
}
