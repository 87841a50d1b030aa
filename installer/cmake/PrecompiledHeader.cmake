# Defines a library with a precompiled header, for targets with REUSE_FROM.
# |   kinescope_precompiled(kinescope_torch_headers LIBRARIES kinescope_libtorch HEADERS <ATen/ATen.h> <string>)
# | Targets that reuse the header must link LIBRARIES too, because the compiler requires identical macros.
function(kinescope_precompiled name)
  cmake_parse_arguments(CARRIER "" "" "LIBRARIES;HEADERS" ${ARGN})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// carries the precompiled header\n")
  add_library(${name} STATIC ${source})
  set_target_properties(${name} PROPERTIES AUTOMOC OFF)
  target_link_libraries(${name} PUBLIC ${CARRIER_LIBRARIES})
  target_precompile_headers(${name} PRIVATE ${CARRIER_HEADERS})
endfunction()
