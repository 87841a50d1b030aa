# Functions that define test programs. Test code is not optimized, which halves its compile time.

# kinescope_test(SOURCE LIBRARIES ... [PRECOMPILED TARGET] [LAUNCHER ...]): one Qt Test program, named after its folder
# and file, that runs with ctest. Sets test_target.
function(kinescope_test source)
  cmake_parse_arguments(TEST "" "PRECOMPILED" "LIBRARIES;LAUNCHER" ${ARGN})
  kinescope_test_names(${source})
  add_executable(${label} ${source} ${moc})
  kinescope_test_program(${label} ${label})
  kinescope_add_test(${label} ${TEST_LAUNCHER})
  set(test_target ${label} PARENT_SCOPE)
endfunction()

# kinescope_tests(GROUP SOURCES ... LIBRARIES ... [PRECOMPILED TARGET] [SUPPORT ...]): the same for several files; each
# program also contains the support files. With KINESCOPE_UNITY, eight of them are compiled as one program, because most
# of the time goes into templates that they share. Each test remains a target, a test of ctest and a link in tests/. Files
# with an own main() or a specialization of a template of the product stay programs of their own.
function(kinescope_tests group)
  cmake_parse_arguments(TEST "" "PRECOMPILED" "SOURCES;LIBRARIES;SUPPORT" ${ARGN})
  set(members)
  foreach(source ${TEST_SOURCES})
    cmake_path(ABSOLUTE_PATH source)
    file(STRINGS ${source} qt_main REGEX "^QTEST_[A-Z_]*MAIN\\(")
    file(STRINGS ${source} specialization REGEX "^template <>")
    if(KINESCOPE_UNITY AND qt_main AND NOT specialization)
      list(APPEND members ${source})
    else()
      kinescope_test(${source} LIBRARIES ${TEST_LIBRARIES} PRECOMPILED ${TEST_PRECOMPILED})
      target_sources(${test_target} PRIVATE ${TEST_SUPPORT})
    endif()
  endforeach()
  set(number 0)
  while(members)
    list(SUBLIST members 0 8 part)
    list(REMOVE_ITEM members ${part})
    kinescope_test_part(${group}.tests_${number} ${part})
    math(EXPR number "${number} + 1")
  endwhile()
endfunction()

# One program of several test files. Parameters of kinescope_tests() apply.
function(kinescope_test_part part)
  set(labels)
  set(mocs)
  foreach(source ${ARGN})
    kinescope_test_names(${source})
    list(APPEND labels ${label})
    list(APPEND mocs ${moc})
  endforeach()
  set(script ${CMAKE_SOURCE_DIR}/tests/support/group_tests.py)
  set(code ${CMAKE_CURRENT_BINARY_DIR}/groups/${part}.cpp)
  add_custom_command(OUTPUT ${code} COMMAND Python3::Interpreter -B ${script} ${code} ${ARGN}
                     DEPENDS ${script} ${ARGN} VERBATIM)
  add_executable(${part} ${code} ${mocs} ${TEST_SUPPORT})
  kinescope_test_program(${part} groups/${part})
  foreach(label ${labels})
    add_custom_command(TARGET ${part} POST_BUILD VERBATIM
                       COMMAND ${CMAKE_COMMAND} -E create_symlink groups/${part} ${CMAKE_BINARY_DIR}/tests/${label})
    add_custom_target(${label} DEPENDS ${part})
    target_include_directories(${part} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/moc/${label})
    kinescope_add_test(${label})
  endforeach()
endfunction()

# Sets label, the name of the test, and moc, a file that moc creates. moc runs only on the test: AUTOMOC would also parse
# all Torch headers, which takes longer than compiling some tests.
function(kinescope_test_names source)
  file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR}/tests ${source})
  string(REGEX REPLACE "\\.cpp$" "" label ${name})
  string(REPLACE "/" "." label ${label})
  cmake_path(GET source STEM stem)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/moc/${label})
  add_custom_command(OUTPUT ${folder}/${stem}.moc
                     COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
                     COMMAND Qt6::moc -o ${folder}/${stem}.moc ${source}
                     DEPENDS ${source} VERBATIM)
  set(label ${label} PARENT_SCOPE)
  set(moc ${folder}/${stem}.moc PARENT_SCOPE)
endfunction()

# Properties of a test program. TEST_LIBRARIES and TEST_PRECOMPILED apply.
function(kinescope_test_program target file)
  cmake_path(GET file PARENT_PATH folder)
  set_target_properties(${target} PROPERTIES AUTOMOC OFF UNITY_BUILD OFF
                        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/${folder})
  target_link_libraries(${target} PRIVATE ${TEST_LIBRARIES} Qt6::Test)
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/moc/${target})
  target_compile_definitions(${target} PRIVATE KINESCOPE_TEST_DATA="${KINESCOPE_TEST_DATA}"
                             KINESCOPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" KINESCOPE_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  if(TEST_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM ${TEST_PRECOMPILED})
  endif()
endfunction()

# Runs tests/LABEL with ctest. Arguments: a launcher.
function(kinescope_add_test label)
  add_test(NAME ${label} COMMAND ${ARGN} ${CMAKE_BINARY_DIR}/tests/${label})
  set_tests_properties(${label} PROPERTIES TIMEOUT 300)
  kinescope_test_environment(${label} QT_QPA_PLATFORM=offscreen)
endfunction()

# The longest tests, longest first. They start first, so that no core is idle at the end of the first run of ctest, which
# has no times of an earlier run. The examined card comes before them, because the tests of the simulated card wait for it.
set(KINESCOPE_LONG_TESTS
    simulated_gpu.examined_card app.test_computers simulated_gpu.test_fast_paths slurm.test_queue ui.screenshots
    ui.scenarios.test_real_errors app.test_bad_input app.test_computers_ssh app.test_generate
    ui.scenarios.test_real_window simulated_gpu.test_faults app.test_finish ui.windows.test_main_window
    app.test_reproducible ui.scenarios.test_single_window ui.windows.test_small_window ui.windows.test_shortcuts
    ui.windows.test_key_walk ui.windows.test_controllers ui.windows.test_help core.device.test_kernel_compiler)

# Sets the environment of a test. Arguments: further variables. Several tests run at a time, so threads of OpenMP must not
# use a core while they wait.
function(kinescope_test_environment name)
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED empty_test_cache ENVIRONMENT
    "KINESCOPE_NO_ANIMATION=1;OMP_WAIT_POLICY=passive;XDG_STATE_HOME=${CMAKE_BINARY_DIR}/test-state;XDG_CACHE_HOME=${KINESCOPE_TEST_CACHE}/${name};${ARGN}")
  list(FIND KINESCOPE_LONG_TESTS ${name} place)
  if(place GREATER_EQUAL 0)
    math(EXPR cost "1000 - ${place}")
    set_tests_properties(${name} PROPERTIES COST ${cost})
  endif()
endfunction()
