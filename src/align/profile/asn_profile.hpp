// Profiles as PssmWithParameters in ASN.1 text, the format of psiblast -out_pssm and -in_pssm.
#pragma once

#include <string>
#include <string_view>

#include "genocl/align/profile.hpp"

namespace genocl::align {

/// Profile::parse() of a text in ASN.1.
Profile asn_profile(std::string_view text, const std::string& file, std::string name, const Matrix& matrix);

}  // namespace genocl::align
