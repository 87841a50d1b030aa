# `cmake --install`: programs, what they read at run time, and what the desktop needs to show them.
include(GNUInstallDirs)

if(TARGET kinescope-cli)
  install(TARGETS kinescope-cli)
endif()
if(TARGET kinescope)
  install(TARGETS kinescope)
  install(FILES installer/kinescope.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES installer/kinescope.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
  install(FILES installer/kinescope.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()
install(DIRECTORY resources/ DESTINATION ${CMAKE_INSTALL_DATADIR}/kinescope
        PATTERN pictures EXCLUDE
        PATTERN CMakeLists.txt EXCLUDE PATTERN *.qrc EXCLUDE PATTERN icons EXCLUDE PATTERN themes EXCLUDE PATTERN training EXCLUDE)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
