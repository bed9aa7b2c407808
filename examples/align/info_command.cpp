// genocl-align info: what is in a database file.
#include <string>

#include "align/commands.hpp"
#include "common/check_files.hpp"
#include "genocl/io/output_file.hpp"

namespace program {

void show_database(const InfoSettings& settings) {
  check_files({settings.database}, {settings.output});
  const align::Database database = align::Database::open(settings.database);
  const std::string_view letters =
      database.alphabet() == genocl::Alphabet::dna ? genocl::dna::letters : genocl::protein::letters;
  std::string text = "property\tvalue\n";
  const auto line = [&](std::string_view name, const std::string& value) {
    text.append(name).append("\t").append(value).append("\n");
  };
  line("alphabet", std::string(to_string(database.alphabet())));
  line("sequences", std::to_string(database.size()));
  line("residues", std::to_string(database.residues()));
  line("shortest", std::to_string(database.length_at(0)));
  line("median", std::to_string(database.length_at((database.size() - 1) / 2)));
  line("longest", std::to_string(database.longest()));
  for (std::size_t code = 0; code < letters.size(); ++code)
    if (const std::uint64_t count = database.letter_counts()[code]; count > 0)
      line(std::string("letter_") + letters[code], std::to_string(count));
  genocl::io::OutputFile out(settings.output);
  out.write(text);
  out.commit();
}

}  // namespace program
