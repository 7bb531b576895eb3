# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# What `cpack` makes in a build folder: a Debian package and an archive, each with its checksum. They hold what `cmake --install` installs.

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME onnx-lower)
set(CPACK_PACKAGE_VENDOR "The onnx-lower authors")
set(CPACK_PACKAGE_CONTACT ${CPACK_PACKAGE_VENDOR})
set(CPACK_PACKAGE_DESCRIPTION
"An exported ONNX model that holds custom nodes runs nowhere but where it was
made. onnx-lower replaces such nodes by standard operators that compute the
same, and writes a model that ONNX Runtime and OpenVINO execute.")
set(CPACK_PACKAGE_FILE_NAME onnx-lower-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# The tool needs nothing, the kernel library the C and C++ libraries of the process into which a runtime loads it.
find_program(DPKG_SHLIBDEPS_PROGRAM dpkg-shlibdeps)
mark_as_advanced(DPKG_SHLIBDEPS_PROGRAM)
if(DPKG_SHLIBDEPS_PROGRAM)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
elseif(TARGET onnx_lower_kernels)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6, libgcc-s1, libstdc++6")
endif()
include(CPack)
