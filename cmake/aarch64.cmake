# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# Builds for 64-bit ARM with Debian's cross compiler; scripts/make_aarch64_wheel uses it. What the build itself runs, as the maker of the operator table,
# is executed by QEMU.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static;-L;/usr/aarch64-linux-gnu)
# Programs of the machine that builds, libraries of Debian's arm64; headers are the same for both.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
