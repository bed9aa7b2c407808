// The option --strand.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "genocl/error.hpp"
#include "genocl/sequence/strands.hpp"

namespace program {

/// Adds --strand: both, + or -; BLAST's words plus and minus are accepted. `strands`: a Strands, or an optional one
/// whose default is both.
template <class Value>
CLI::Option* add_strand(CLI::App& command, Value& strands, const std::string& help) {
  using genocl::Strands;
  const auto take = [&strands](const std::string& text) {
    if (text == "both")
      strands = Strands::both;
    else if (text == "+" || text == "plus")
      strands = Strands::forward;
    else if (text == "-" || text == "minus")
      strands = Strands::reverse;
    else
      throw CLI::ValidationError("--strand", genocl::in_quotes(text) + "; expected both, + or -");
  };
  const Strands usual = std::optional<Strands>(strands).value_or(Strands::both);
  return command.add_option_function<std::string>("--strand", take, help)
      ->type_name("STRAND:{both,+,-}")
      ->default_str(usual == Strands::both      ? "both"
                    : usual == Strands::forward ? "+"
                                                : "-");
}

}  // namespace program
