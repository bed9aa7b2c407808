// Unique molecular identifiers (UMIs) at the ends of read names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace program {

/// Returns the UMI after the last `separator` of a name, as in tag RX: letters A, C, G, T and N, with '-' between the
/// parts of a pair; the name may separate them with '+', '-' or '_'. A part after an 'r' is reverse-complemented, since
/// BCL Convert marks these parts. No value if the name has no UMI.
std::optional<std::string> umi_of(std::string_view name, char separator);

/// Whether a text of tags contains RX.
bool has_umi_tag(std::string_view tags);

/// Returns the character of --umi-separator, or 0 without it. Throws InputError unless the text is one printing
/// character other than a letter or digit.
char umi_separator_of(const std::string& text);

}  // namespace program
