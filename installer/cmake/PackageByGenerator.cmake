# Read by cpack for each kind of package: which components it holds and where they go. An archive takes all of them in one
# tree: its libraries are gathered by looking at the programs beside them.
set(CPACK_COMPONENTS_ALL program)
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
endif()
