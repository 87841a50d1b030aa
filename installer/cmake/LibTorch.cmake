# LibTorch from its PyPI wheel, as two imported libraries.
# | find_package(Torch) of that wheel requires a CUDA toolkit, but libtorch_cpu and libc10 do not. If there is a driver,
# the program loads the CUDA backend at run time with dlopen("libtorch_cuda.so").
if(NOT KINESCOPE_LIBTORCH)
  execute_process(COMMAND ${CMAKE_SOURCE_DIR}/installer/fetch_libtorch.sh
                  OUTPUT_VARIABLE KINESCOPE_LIBTORCH OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endif()

set(libtorch_lib ${KINESCOPE_LIBTORCH}/lib)
if(NOT EXISTS ${libtorch_lib}/libtorch_cpu.so)
  message(FATAL_ERROR "No LibTorch in KINESCOPE_LIBTORCH=${KINESCOPE_LIBTORCH}: lib/libtorch_cpu.so is missing")
endif()

# Files of all libraries that a program linked to LibTorch loads. Packages contain them.
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
# at::parallel_for is a template that uses OpenMP only if its caller is compiled with OpenMP. LibTorch contains GNU's
# runtime; with another compiler there would be two runtimes in one process.
file(GLOB libgomp ${libtorch_lib}/libgomp*.so*)
if(libgomp AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(kinescope_libtorch INTERFACE -fopenmp)
  target_link_libraries(kinescope_libtorch INTERFACE ${libgomp})
endif()
# libtorch_cpu needs the CUDA runtime, which the linker does not have to resolve.
target_link_options(kinescope_libtorch INTERFACE -Wl,--unresolved-symbols=ignore-in-shared-libs)

# One precompiled header for all targets with tensors: compiling ATen's headers takes 4 s per file.
kinescope_precompiled(kinescope_torch_headers LIBRARIES kinescope_libtorch
                      HEADERS <ATen/ATen.h> <filesystem> <functional> <map> <memory> <optional> <string> <string_view> <variant> <vector>)
