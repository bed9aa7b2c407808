// What loaders and drivers say where there is no device.
#pragma once

#include <string>

namespace genocl::runtime {

/// The drivers that are registered in the loader's folder (OCL_ICD_VENDORS, OPENCL_VENDOR_PATH or /etc/OpenCL/vendors)
/// and cannot be used, and why: "x.icd: libx.so: cannot open shared object file". Empty where all can be. The loader
/// passes over them without a word.
std::string unusable_drivers();

/// Why there is no device: no driver registered, or what each of them says. One line.
std::string why_no_device();

}  // namespace genocl::runtime
