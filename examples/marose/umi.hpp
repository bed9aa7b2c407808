// Unique molecular identifiers (UMIs) at the ends of read names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace program {

/// The UMI behind the last `separator` of a name, as the tag RX has it: letters A, C, G, T and N, with '-' between the
/// parts of a pair, which the name may separate with '+', '-' or '_'. A part behind an 'r' is turned to its reverse
/// complement: BCL Convert marks those that it turned. No value if the name has no UMI.
std::optional<std::string> umi_of(std::string_view name, char separator);

/// Whether a text of tags has RX.
bool has_umi_tag(std::string_view tags);

/// The letter of --umi-separator, or 0 without it. Throws InputError unless the text is one printing character that
/// is no letter and no digit.
char umi_separator_of(const std::string& text);

}  // namespace program
