# LibTorch from its PyPI wheel, linked as two imported libraries.
#
# find_package(Torch) with that wheel asks for a CUDA toolkit. libtorch_cpu and libc10 alone need none: the CUDA backend
# is added to the same binary at run time by dlopen("libtorch_cuda.so"), where a driver is found.
if(NOT KINESCOPE_LIBTORCH)
  execute_process(COMMAND ${CMAKE_SOURCE_DIR}/installer/fetch_libtorch.sh
                  OUTPUT_VARIABLE KINESCOPE_LIBTORCH OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endif()

set(libtorch_lib ${KINESCOPE_LIBTORCH}/lib)
if(NOT EXISTS ${libtorch_lib}/libtorch_cpu.so)
  message(FATAL_ERROR "No LibTorch in KINESCOPE_LIBTORCH=${KINESCOPE_LIBTORCH}: lib/libtorch_cpu.so is missing")
endif()

# All that a program linked to it loads, as files: what a package carries.
set(KINESCOPE_LIBTORCH_FILES ${libtorch_lib}/libc10.so ${libtorch_lib}/libtorch_cpu.so)
file(GLOB beside ${libtorch_lib}/libgomp*.so* ${KINESCOPE_LIBTORCH}/../nvidia/cu13/lib/libcudart.so.* ${KINESCOPE_LIBTORCH}/../nvidia/cu13/lib/libcupti.so.*)
list(APPEND KINESCOPE_LIBTORCH_FILES ${beside})

foreach(name c10 torch_cpu)
  add_library(kinescope_${name} SHARED IMPORTED GLOBAL)
  set_target_properties(kinescope_${name} PROPERTIES IMPORTED_LOCATION ${libtorch_lib}/lib${name}.so IMPORTED_NO_SONAME OFF)
endforeach()

add_library(kinescope_libtorch INTERFACE)
target_include_directories(kinescope_libtorch SYSTEM INTERFACE ${KINESCOPE_LIBTORCH}/include)
target_link_libraries(kinescope_libtorch INTERFACE kinescope_torch_cpu kinescope_c10)
# at::parallel_for is a template that uses OpenMP where its caller is compiled with it, and one thread where not. LibTorch
# brings GNU's runtime along; another compiler's would be a second one beside it.
file(GLOB libgomp ${libtorch_lib}/libgomp*.so*)
if(libgomp AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(kinescope_libtorch INTERFACE -fopenmp)
  target_link_libraries(kinescope_libtorch INTERFACE ${libgomp})
endif()
# libtorch_cpu itself wants the CUDA runtime beside it; the linker need not follow that.
target_link_options(kinescope_libtorch INTERFACE -Wl,--unresolved-symbols=ignore-in-shared-libs)

# One precompiled header for every target that holds tensors: ATen costs 4 s a file without it.
kinescope_precompiled(kinescope_torch_headers LIBRARIES kinescope_libtorch
                      HEADERS <ATen/ATen.h> <filesystem> <functional> <map> <memory> <optional> <string> <string_view> <variant> <vector>)
