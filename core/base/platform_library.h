#pragma once

#include <string>

namespace kinescope {

/// Where the symbols of an open shared library can be found.
enum class LibraryScope {
    own,    ///< only by find_symbol
    global  ///< in addition, by libraries that are opened later
};

/// Opens a shared library by its path, or by its name on the search path. Returns nullptr on failure; see
/// library_error.
void* open_library(const char* file, LibraryScope scope);
/// Returns the library if this process has already opened it, otherwise nullptr.
void* opened_library(const char* file);
/// Returns the file of an open library, or an empty string if the system does not tell.
std::string library_file(void* library);
/// Returns the loader's message about the last failure in this thread.
std::string library_error();

/// Returns the address of a symbol in a library, or nullptr if the library does not have it.
void* find_symbol(void* library, const char* name);
/// Returns the address of a symbol in any library that is open with global scope, or nullptr.
void* find_symbol(const char* name);

/// Sets a pointer to a function to find_symbol(library, name).
template <class Function>
void look_up(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(find_symbol(library, name));
}

}  // namespace kinescope
