// An alignment letter by letter, as reports show it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "align/formats/result_writer.hpp"

namespace program {

/// A string for each row holds the columns of an alignment; gaps are '-'. The query is as it was given, the subject
/// turned where they meet on opposite strands.
struct AlignedRows {
  std::string query, middle, subject;
};

/// `hit` has an alignment. `middle` shows equal letters, and + where different amino acids score above 0.
AlignedRows rows_of(const Context& context, const align::Hit& hit, std::span<const genocl::Code> query);

/// A name with the description behind it, where there is one. Tabs and other control characters are blanks.
std::string full_name(std::string_view name, std::string_view description);
/// The same, cut at each ^A, with which nr separates the headers of identical sequences; one at least.
std::vector<std::string> titles(std::string_view name, std::string_view description);
/// A name up to a ^A in it.
inline std::string_view first_id(std::string_view name) { return name.substr(0, name.find('\1')); }

}  // namespace program
