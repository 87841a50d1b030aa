# Packages for Linux: `cpack -G DEB` and `cpack -G TXZ`.
# | The .deb depends on Debian's Qt, FFmpeg and OpenCV packages and contains LibTorch. The .tar.xz contains all of them
# and runs from any folder. Neither contains LibTorch's CUDA part: few machines can use its 2.5 GB.
set(CPACK_PACKAGE_NAME kinescope)
set(CPACK_PACKAGE_VENDOR Kinescope)
set(CPACK_PACKAGE_CONTACT "The Kinescope developers <kinescope@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Generates videos from text on this computer and checks the numbers")
set(CPACK_PACKAGE_DESCRIPTION "Kinescope generates video with diffusion models on your own machine. It shows each frame as it forms and the
statistics of the values inside the model at every step, and repeats overflowing steps in higher precision. A small model is built in.")
set(CPACK_PACKAGE_DESCRIPTION_FILE ${CMAKE_SOURCE_DIR}/README.md)
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_INSTALL_DIRECTORY Kinescope)
set(CPACK_PACKAGE_EXECUTABLES kinescope Kinescope)
set(CPACK_PACKAGE_FILE_NAME kinescope-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_ARCHIVE_THREADS 0)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/PackageByGenerator.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION video)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "")
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${KINESCOPE_LIBTORCH}/lib ${KINESCOPE_LIBTORCH}/../nvidia/cu13/lib)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-dejavu-core, qt6-wayland, qt6-translations-l10n, libgl1")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "fonts-noto-cjk")

set(CPACK_GENERATOR DEB TXZ)
include(CPack)
