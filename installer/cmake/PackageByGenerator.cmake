# Read by cpack for each package type: its components and their prefix. The archive contains all components in one tree,
# because its libraries are found by inspecting the installed programs.
set(CPACK_COMPONENTS_ALL program)
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
endif()
