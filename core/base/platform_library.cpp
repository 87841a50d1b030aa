#include "core/base/platform_library.h"

#include <dlfcn.h>
#ifdef __linux__
#include <link.h>
#endif

namespace kinescope {

void* open_library(const char* file, LibraryScope scope) {
    return ::dlopen(file, RTLD_NOW | (scope == LibraryScope::global ? RTLD_GLOBAL : RTLD_LOCAL));
}

void* opened_library(const char* file) {
    return ::dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
}

std::string library_file(void* library) {
#ifdef __linux__
    link_map* map = nullptr;
    if (::dlinfo(library, RTLD_DI_LINKMAP, &map) == 0) return map->l_name;
#else
    static_cast<void>(library);
#endif
    return {};
}

std::string library_error() {
    const char* error = ::dlerror();
    return error == nullptr ? "the loader gave no reason" : error;
}

void* find_symbol(void* library, const char* name) {
    return ::dlsym(library, name);
}

void* find_symbol(const char* name) {
    return ::dlsym(RTLD_DEFAULT, name);
}

}  // namespace kinescope
