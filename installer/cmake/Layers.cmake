# Defines one static library for each folder of core and ui.
# |   kinescope_layer(core/weights DEPS device TORCH)
# | DEPS lists the other layers that the folder may include. tests/checks reads the same lines and checks the #include
# directives. TORCH: the layer uses tensors.
function(kinescope_layer folder)
  cmake_parse_arguments(LAYER "TORCH" "" "DEPS;LIBRARIES" ${ARGN})
  string(REPLACE "/" "_" name ${folder})
  string(REGEX REPLACE "^core_" "" name ${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cpp ${CMAKE_SOURCE_DIR}/${folder}/*.h)
  if(NOT sources MATCHES "\\.cpp")  # the folder contains only headers
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/empty/${name}.cpp CONTENT "")
    list(APPEND sources ${CMAKE_BINARY_DIR}/empty/${name}.cpp)
  endif()
  set(dependencies ${LAYER_DEPS})
  list(TRANSFORM dependencies PREPEND kinescope_)
  add_library(kinescope_${name} STATIC ${sources})
  set_target_properties(kinescope_${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(kinescope_${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(kinescope_${name} PUBLIC ${dependencies} ${LAYER_LIBRARIES})
  if(LAYER_TORCH)
    target_link_libraries(kinescope_${name} PUBLIC kinescope_libtorch)
    target_precompile_headers(kinescope_${name} REUSE_FROM kinescope_torch_headers)
  elseif("Qt6::Widgets" IN_LIST LAYER_LIBRARIES)
    target_precompile_headers(kinescope_${name} REUSE_FROM kinescope_qt_headers)
  endif()
  if(KINESCOPE_UNITY AND folder MATCHES "^core/")  # files of ui define the same local names
    set_target_properties(kinescope_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()
