#pragma once

#include <string>

namespace kinescope {

/// Where the names of a shared library can be found once it is open.
enum class LibraryScope {
    own,    ///< only with find_symbol
    global  ///< also by libraries that are opened later
};

/// Opens a shared library by its path, or by its name on the search path. Null if that fails; see library_error.
void* open_library(const char* file, LibraryScope scope);
/// The library, if this process has opened it already; otherwise null.
void* opened_library(const char* file);
/// The loader's message about the last failure in this thread.
std::string library_error();

/// The address of a name in a library, or null.
void* find_symbol(void* library, const char* name);
/// The same in all libraries that are open with global scope.
void* find_symbol(const char* name);

}  // namespace kinescope
