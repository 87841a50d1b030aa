# `cpack -G DEB`, `cpack -G TXZ` on Linux; `cpack -G NSIS` on Windows; `cpack -G DragNDrop` on macOS.
#
# The .deb leaves Qt, FFmpeg and OpenCV to Debian and carries LibTorch; the .tar.xz carries all of them and runs from any
# folder. The CUDA part of LibTorch is in neither: 2.5 GB that few machines can use.
set(CPACK_PACKAGE_NAME kinescope)
set(CPACK_PACKAGE_VENDOR Kinescope)
set(CPACK_PACKAGE_CONTACT "The Kinescope developers <kinescope@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Makes videos from text on this computer, and watches the numbers")
set(CPACK_PACKAGE_DESCRIPTION "Kinescope generates video with diffusion models on your own machine. It shows each frame as it forms and the
statistics of the numbers inside the model at every step, and repairs what overflows. A small model is built in.")
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

set(CPACK_NSIS_DISPLAY_NAME Kinescope)
set(CPACK_NSIS_PACKAGE_NAME Kinescope)
set(CPACK_NSIS_INSTALLED_ICON_NAME bin\\\\kinescope.exe)
set(CPACK_NSIS_MUI_ICON ${CMAKE_SOURCE_DIR}/installer/kinescope.ico)
set(CPACK_NSIS_MUI_UNIICON ${CMAKE_SOURCE_DIR}/installer/kinescope.ico)
set(CPACK_NSIS_ENABLE_UNINSTALL_BEFORE_INSTALL ON)
set(CPACK_NSIS_EXECUTABLES_DIRECTORY bin)
set(CPACK_NSIS_MANIFEST_DPI_AWARE ON)

set(CPACK_DMG_VOLUME_NAME Kinescope)
set(CPACK_DMG_FORMAT ULFO)
set(CPACK_BUNDLE_NAME Kinescope)
set(CPACK_BUNDLE_ICON ${CMAKE_SOURCE_DIR}/installer/kinescope.icns)

set(CPACK_GENERATOR DEB TXZ)
include(CPack)
