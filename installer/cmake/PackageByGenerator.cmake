# Read by cpack for each kind of package: which components it holds and where they go.
set(CPACK_COMPONENTS_ALL program)
if(CPACK_GENERATOR STREQUAL "TXZ")
  list(APPEND CPACK_COMPONENTS_ALL libraries)
elseif(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
endif()
