// The report of a run.
#pragma once

#include <string>

#include "jacobi/settings.hpp"

namespace program {

/// The results: a tab-separated line with a header, or a JSON object. The line has a column `converged` with
/// --tolerance (`has_tolerance`), and for a run that diverged.
std::string text_report(const jacobi::Report& report, const jacobi::Shape& shape, const std::string& precision,
                        bool has_tolerance);
std::string json_report(const jacobi::Report& report, const jacobi::Shape& shape, const std::string& precision);

/// A tab-separated line for each device, with a header.
std::string device_table(const jacobi::Report& report, const jacobi::Shape& shape);

}  // namespace program
