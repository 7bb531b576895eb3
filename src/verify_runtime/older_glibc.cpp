// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Lets onnx-lower-verify run with glibc 2.17 and newer, whatever glibc it is built with. The
// linker takes of each function the newest version that the glibc of the build has, and a program
// with such a version does not start where glibc is older. Here each of these functions is bound to
// its oldest version instead, or written in terms of older ones. The linker is told by --wrap to
// take the functions of this file (cmake/VerifyRuntime.cmake lists them) also for the C++ library.

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#define OLDEST "GLIBC_2.2.5"
#define JUMP_TO(name) "jmp " #name "@PLT"
#elif defined(__aarch64__)
#define OLDEST "GLIBC_2.17"
#define JUMP_TO(name) "b " #name
#endif

// Since glibc 2.34 they are in libc itself, and have a version of it; before they were in
// libpthread and libdl, which newer ones still have for the programs of that time.
#define BIND_TO_OLDEST(name) \
  asm(".symver oldest_" #name ", " #name "@" OLDEST "\n"   \
      ".text\n.globl __wrap_" #name "\n"                   \
      ".hidden __wrap_" #name "\n"                         \
      ".type __wrap_" #name ", %function\n"                \
      "__wrap_" #name ": " JUMP_TO(oldest_##name) "\n"     \
      ".size __wrap_" #name ", . - __wrap_" #name "\n")

BIND_TO_OLDEST(dladdr);
BIND_TO_OLDEST(dlerror);
BIND_TO_OLDEST(dlopen);
BIND_TO_OLDEST(dlsym);
BIND_TO_OLDEST(pthread_create);
BIND_TO_OLDEST(pthread_join);
BIND_TO_OLDEST(pthread_once);
BIND_TO_OLDEST(__pthread_key_create);

namespace {

#if defined(__x86_64__)
constexpr int layout_of_stat = 1;
#else
constexpr int layout_of_stat = 0;
#endif

}  // namespace

extern "C" {

// Before glibc 2.33, stat and fstat were inline and called these.
int oldest_xstat(int layout, const char* path, struct stat* status);
int oldest_fxstat(int layout, int file, struct stat* status);
asm(".symver oldest_xstat, __xstat@" OLDEST);
asm(".symver oldest_fxstat, __fxstat@" OLDEST);

// Before glibc 2.34, the program itself ran its constructors, in a function that it gave to this
// one.
using Constructor = void (*)(int, char**, char**);
using Main = int (*)(int, char**, char**);
int oldest_start_main(Main main, int argc, char** argv, Constructor init, void (*fini)(), void (*of_loader)(),
                      void* stack);
asm(".symver oldest_start_main, __libc_start_main@" OLDEST);

#pragma GCC visibility push(hidden)

int wrapped_stat(const char* path, struct stat* status) asm("__wrap_stat");
int wrapped_stat(const char* path, struct stat* status) { return oldest_xstat(layout_of_stat, path, status); }

int wrapped_fstat(int file, struct stat* status) asm("__wrap_fstat");
int wrapped_fstat(int file, struct stat* status) { return oldest_fxstat(layout_of_stat, file, status); }

int wrapped_fstat64(int file, struct stat* status) asm("__wrap_fstat64");
int wrapped_fstat64(int file, struct stat* status) { return oldest_fxstat(layout_of_stat, file, status); }

extern const Constructor first_constructor[] asm("__init_array_start");
extern const Constructor end_of_constructors[] asm("__init_array_end");
void run_init_section() asm("_init");

void run_constructors(int argc, char** argv, char** environment) {
  run_init_section();
  for (const Constructor* constructor = first_constructor; constructor != end_of_constructors; ++constructor)
    (*constructor)(argc, argv, environment);
}

int wrapped_start_main(Main main, int argc, char** argv, Constructor init, void (*fini)(), void (*of_loader)(),
                       void* stack) asm("__wrap___libc_start_main");
int wrapped_start_main(Main main, int argc, char** argv, Constructor /*init*/, void (*fini)(), void (*of_loader)(),
                       void* stack) {
  return oldest_start_main(main, argc, argv, run_constructors, fini, of_loader, stack);
}

// Since glibc 2.32: whether the C++ library may count references without atomic operations. Since
// ONNX Runtime starts threads that nobody tells this variable of, it may not.
char is_single_threaded asm("__libc_single_threaded") = 0;

struct ObjectSearch {
  uintptr_t address;
  dl_find_object* found;
};

int look_into_object(dl_phdr_info* info, size_t, void* data) {
  auto& search = *static_cast<ObjectSearch*>(data);
  const ElfW(Phdr)* frames = nullptr;
  bool is_within = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    const uintptr_t start = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_GNU_EH_FRAME) frames = &segment;
    if (segment.p_type != PT_LOAD || search.address < start || search.address - start >= segment.p_memsz) continue;
    is_within = true;
    search.found->dlfo_map_start = reinterpret_cast<void*>(start);
    search.found->dlfo_map_end = reinterpret_cast<void*>(start + segment.p_memsz);
  }
  if (!is_within || frames == nullptr) return 0;
  search.found->dlfo_eh_frame = reinterpret_cast<void*>(info->dlpi_addr + frames->p_vaddr);
  return 1;
}

// Since glibc 2.35: where an object's tables for exceptions are, which the compiler's library asks
// for when one is thrown.
int find_object(void* address, dl_find_object* found) noexcept asm("_dl_find_object");
int find_object(void* address, dl_find_object* found) noexcept {
  *found = {};
  ObjectSearch search{reinterpret_cast<uintptr_t>(address), found};
  return dl_iterate_phdr(look_into_object, &search) == 1 ? 0 : -1;
}

#pragma GCC visibility pop
}
