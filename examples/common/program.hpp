// The interface between a program and its main(): main_alone.cpp, or main_mpi.cpp for MPI.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

namespace program {

/// Each program defines its name, without the suffix -mpi, and its work. run() throws errors.
extern const char* const program_name;
void run(int argc, char** argv);

/// The environment variable in which `genocl` passes the called name, "genocl map", to the program that it starts.
inline constexpr const char* called_variable = "GENOCL_CALLED";

/// The name for messages: "genocl map" if `genocl` started the program, otherwise `name`.
inline std::string called_name(const char* name) {
  const char* const called = std::getenv(called_variable);
  return called != nullptr && std::string_view(called).starts_with("genocl ") ? called : name;
}
inline std::string called_name() { return called_name(program_name); }

}  // namespace program
