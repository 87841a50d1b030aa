# Runs at install time: copies the libraries that the programs and Qt's plugins need into the private folder.
#   private_libdir   target folder, relative to the prefix
#   qt_plugins       Qt's plugin folder
#   torch_folders    folders of LibTorch's own libraries
set(prefix $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX})

# Libraries that must come from the user's system: the C library and those for the graphics driver and the desktop.
set(of_the_system "^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util)|libGL|libEGL|libOpenGL|libGLX|libGLdispatch|libdrm|libgbm|libvulkan|libfontconfig|libasound)\\.so.*")

foreach(folder platforms platforminputcontexts platformthemes iconengines imageformats xcbglintegrations wayland-decoration-client
               wayland-graphics-integration-client wayland-shell-integration tls)
  file(GLOB plugins ${qt_plugins}/${folder}/*.so)
  file(INSTALL ${plugins} DESTINATION ${prefix}/${private_libdir}/plugins/${folder} TYPE SHARED_LIBRARY)
endforeach()
file(GLOB_RECURSE installed_plugins ${prefix}/${private_libdir}/plugins/*.so)
file(GLOB programs ${prefix}/bin/kinescope ${prefix}/bin/kinescope-cli)
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${programs} MODULES ${installed_plugins} DIRECTORIES ${torch_folders}
     PRE_EXCLUDE_REGEXES ${of_the_system} POST_EXCLUDE_REGEXES ".*/(torch|nvidia|kinescope)/.*"
     RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing
     CONFLICTING_DEPENDENCIES_PREFIX conflicting)
if(missing)
  message(FATAL_ERROR "Required libraries were not found: ${missing}")
endif()
foreach(library ${libraries})
  get_filename_component(real ${library} REALPATH)
  get_filename_component(name ${library} NAME)
  file(COPY_FILE ${real} ${prefix}/${private_libdir}/${name})
endforeach()
file(WRITE ${prefix}/bin/qt.conf "[Paths]\nPrefix = ../${private_libdir}\nPlugins = plugins\n")
