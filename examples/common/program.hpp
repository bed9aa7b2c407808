// What a program is, whoever starts it: main_alone.cpp, or main_mpi.cpp for a team.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

namespace program {

/// Of each program: its name without what tells that it is for a team, and its work. It throws what is wrong.
extern const char* const program_name;
void run(int argc, char** argv);

/// The variable by which `genocl map ...` tells the program that it becomes how it was called: "genocl map".
inline constexpr const char* called_variable = "GENOCL_CALLED";

/// The name for messages: "genocl map" if that was called, otherwise `name`.
inline std::string called_name(const char* name) {
  const char* const called = std::getenv(called_variable);
  return called != nullptr && std::string_view(called).starts_with("genocl ") ? called : name;
}
inline std::string called_name() { return called_name(program_name); }

}  // namespace program
