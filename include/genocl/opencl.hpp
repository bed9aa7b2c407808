// The one place that configures and includes <CL/opencl.hpp>; on macOS it takes the headers of the OpenCL framework.
//
// genocl itself calls OpenCL's C functions and uses the classes of CLHPP as owners of handles only, so it does not
// matter to it whether the caller has CLHPP's exceptions on (CL_HPP_ENABLE_EXCEPTIONS) or which version the caller
// targets (CL_HPP_TARGET_OPENCL_VERSION or CL_TARGET_OPENCL_VERSION): define those before the first genocl header and
// they stay as they are.
#pragma once

#ifndef CL_HPP_TARGET_OPENCL_VERSION
#ifdef CL_TARGET_OPENCL_VERSION
#define CL_HPP_TARGET_OPENCL_VERSION CL_TARGET_OPENCL_VERSION
#else
#define CL_HPP_TARGET_OPENCL_VERSION 120
#endif
#endif
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION CL_HPP_TARGET_OPENCL_VERSION
#endif
// From 2.0 on CLHPP's own minimum goes with the target: it does not compile with a lower one.
#if !defined(CL_HPP_MINIMUM_OPENCL_VERSION) && CL_HPP_TARGET_OPENCL_VERSION < 200
#define CL_HPP_MINIMUM_OPENCL_VERSION CL_HPP_TARGET_OPENCL_VERSION
#endif

#if defined(__GNUC__)
#pragma GCC system_header
#endif
#if defined(__APPLE__)
// The system's framework in place of CL/cl.h. macOS calls all of OpenCL deprecated.
#ifndef CL_SILENCE_DEPRECATION
#define CL_SILENCE_DEPRECATION
#endif
#include <OpenCL/opencl.h>
#endif
#include <CL/opencl.hpp>
