#include "common/program.hpp"
#include "common/run_program.hpp"

int main(int argc, char** argv) {
  return program::run_program(program::program_name, [&] { program::run(argc, argv); });
}
