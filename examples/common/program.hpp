// What a program is, whoever starts it: main_alone.cpp, or main_mpi.cpp for a team.
#pragma once

namespace program {

/// Of each program: its name without what tells that it is for a team, and its work. It throws what is wrong.
extern const char* const program_name;
void run(int argc, char** argv);

}  // namespace program
