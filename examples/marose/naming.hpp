// Errors that know their file.
#pragma once

#include "genocl/error.hpp"

namespace program {

/// Does `work`, and names the file, which `file` gives, in what it throws, where the library does not know it.
template <class File, class Work>
void naming(File&& file, Work&& work) {
  try {
    work();
  } catch (const genocl::InputError& error) {
    if (!error.file().empty()) throw;
    throw genocl::InputError(file(), error.where(), error.wrong(), error.expected());
  }
}

}  // namespace program
