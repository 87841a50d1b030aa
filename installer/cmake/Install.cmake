# Installation for `cmake --install` and the packages: the programs, LibTorch, runtime data and desktop files. All paths
# are relative to the program, so the tree can be moved.
include(GNUInstallDirs)

set(KINESCOPE_PRIVATE_LIBDIR lib/kinescope)
set(KINESCOPE_DOCDIR ${CMAKE_INSTALL_DATADIR}/doc/kinescope)
set(kinescope_programs)
foreach(program kinescope-cli kinescope)
  if(TARGET ${program})
    list(APPEND kinescope_programs ${program})
    # RPATH instead of RUNPATH, because it also applies to dependencies of the private libraries and plugins.
    target_link_options(${program} PRIVATE -Wl,--disable-new-dtags)
    set_target_properties(${program} PROPERTIES INSTALL_RPATH "$ORIGIN/../${KINESCOPE_PRIVATE_LIBDIR}")
    install(TARGETS ${program} COMPONENT program)
  endif()
endforeach()
if(TARGET kinescope)
  install(FILES installer/kinescope.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT program)
  install(FILES installer/kinescope.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT program)
  install(FILES installer/kinescope-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME kinescope.xml COMPONENT program)
  install(FILES installer/kinescope.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT program)
  install(FILES installer/kinescope.png DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/256x256/apps COMPONENT program)
endif()
install(DIRECTORY resources/ DESTINATION ${CMAKE_INSTALL_DATADIR}/kinescope COMPONENT program
        PATTERN pictures EXCLUDE PATTERN translations EXCLUDE
        PATTERN CMakeLists.txt EXCLUDE PATTERN *.qrc EXCLUDE PATTERN icons EXCLUDE PATTERN themes EXCLUDE PATTERN training EXCLUDE)
install(PROGRAMS resources/examples/farm_task.sh DESTINATION ${CMAKE_INSTALL_DATADIR}/kinescope/examples COMPONENT program)
install(FILES LICENSE README.md DESTINATION ${KINESCOPE_DOCDIR} COMPONENT program)
install(FILES installer/copyright DESTINATION ${KINESCOPE_DOCDIR} COMPONENT program)

# LibTorch without its CUDA backend. libtorch_cpu links to the CUDA runtime and CUPTI (5 MB) on every machine.
install(FILES ${KINESCOPE_LIBTORCH_FILES} DESTINATION ${KINESCOPE_PRIVATE_LIBDIR} COMPONENT program)
file(GLOB licenses ${KINESCOPE_LIBTORCH}/../*.dist-info)
foreach(folder ${licenses})
  get_filename_component(name ${folder} NAME)
  string(REGEX REPLACE "-[0-9].*" "" name ${name})
  install(DIRECTORY ${folder}/licenses/ DESTINATION ${KINESCOPE_DOCDIR}/licenses/${name} COMPONENT program)
endforeach()

# Only for the portable archive: Qt, FFmpeg, OpenCV and their dependencies, except the C library.
if(TARGET kinescope AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  find_package(Qt6 6.4 REQUIRED COMPONENTS Core)
  get_target_property(qt_core Qt6::Core LOCATION)
  get_filename_component(qt_libraries ${qt_core} DIRECTORY)
  install(CODE "set(private_libdir ${KINESCOPE_PRIVATE_LIBDIR})
set(qt_plugins ${qt_libraries}/qt6/plugins)
set(torch_folders ${KINESCOPE_LIBTORCH}/lib ${KINESCOPE_LIBTORCH}/../nvidia/cu13/lib)" COMPONENT libraries)
  install(SCRIPT installer/cmake/BundleLibraries.cmake COMPONENT libraries)
endif()
