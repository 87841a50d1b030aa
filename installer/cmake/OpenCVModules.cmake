# Finds the OpenCV modules that the program uses and makes a target for each, such as opencv_core. OpenCV's own package
# file needs every module that OpenCV was built with, which on Debian is 117 packages more. Modules that load protobuf,
# such as video by way of dnn, end the program at its start: SentencePiece and LibTorch contain other versions of it.
find_path(KINESCOPE_OPENCV_INCLUDE opencv2/core.hpp PATH_SUFFIXES opencv4 REQUIRED)
foreach(module core imgproc imgcodecs)
  find_library(KINESCOPE_OPENCV_${module} NAMES opencv_${module} opencv_${module}4 REQUIRED)
  add_library(opencv_${module} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(opencv_${module} PROPERTIES IMPORTED_LOCATION ${KINESCOPE_OPENCV_${module}}
                        INTERFACE_INCLUDE_DIRECTORIES ${KINESCOPE_OPENCV_INCLUDE})
endforeach()
