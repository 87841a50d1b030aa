# Compiler cache, linker, warnings and sanitizers for all targets.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # ccache caches precompiled headers only with these options.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${CCACHE_PROGRAM})
endif()

# Not mold: version 1.10 of Debian 12 sometimes never ends, and misplaced a program's read-only relocation segment.
find_program(LLD_PROGRAM ld.lld)
if(LLD_PROGRAM)
  add_link_options(-fuse-ld=lld)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
if(KINESCOPE_WERROR)
  add_compile_options(-Werror)
endif()
# Designated initializers may omit members that have defaults.
add_compile_options(-Wno-missing-field-initializers)
add_compile_options($<$<CONFIG:RelWithDebInfo>:-g1>)
# GCC collects garbage below this size in KiB too often: an eighth of the compile time. Memory grows by a twentieth.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1048576>)

if(KINESCOPE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "KINESCOPE_FUZZ needs clang: set CMAKE_CXX_COMPILER=clang++")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link,address -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address)
endif()

if(KINESCOPE_SANITIZE)
  list(JOIN KINESCOPE_SANITIZE "," sanitizers)
  add_compile_options(-fsanitize=${sanitizers} -fno-omit-frame-pointer)
  # With sanitizers, GCC warns of values in optionals that are empty.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  add_link_options(-fsanitize=${sanitizers})
endif()

# Torch has members named `slots` and `signals`. Set globally, because precompiled headers require identical macros.
add_compile_definitions(QT_NO_KEYWORDS)
