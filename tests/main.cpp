#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#if defined(__SANITIZE_ADDRESS__)
#define GENOCL_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GENOCL_ASAN 1
#endif
#endif

#ifdef GENOCL_ASAN
// What the OpenCL loader, PoCL and the LLVM inside it leave until the process ends, by module, for machines without a
// symbolizer. genocl's own objects are not allocated by these; but a handle that genocl forgets is, and does not show
// here.
extern "C" const char* __lsan_default_suppressions();   // NOLINT
extern "C" const char* __lsan_default_suppressions() {  // NOLINT
  return "leak:libOpenCL\n"
         "leak:libpocl\n"
         "leak:libLLVM\n"
         "leak:libclang\n"
         "leak:ld-linux\n";  // the thread-local memory of each of them
}
// LeakSanitizer of LLVM 14 crashes when it reads the thread-local memory of a process in which PoCL has compiled.
extern "C" const char* __lsan_default_options();                         // NOLINT
extern "C" const char* __lsan_default_options() { return "use_tls=0"; }  // NOLINT
#endif
