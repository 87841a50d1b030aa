#include "app/resources_dir.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "core/api/error.h"

#if defined(_WIN32)
#include <windows.h>
#elif defined(__APPLE__)
#include <mach-o/dyld.h>
#else
#include <sys/auxv.h>
#endif

namespace kinescope {

namespace fs = std::filesystem;

fs::path program_file() {
#if defined(_WIN32)
    std::wstring path(32768, L'\0');
    path.resize(GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
    return path;
#elif defined(__APPLE__)
    std::uint32_t size = 0;
    _NSGetExecutablePath(nullptr, &size);
    std::string path(size, '\0');
    _NSGetExecutablePath(path.data(), &size);
    return fs::canonical(path.c_str());
#else
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (!error) return program;
    // Without /proc, use the path by which the program was started.
    const auto* name = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
    return name == nullptr ? fs::path() : fs::absolute(name, error).lexically_normal();
#endif
}

fs::path program_dir() {
    return program_file().parent_path();
}

namespace {

fs::path existing(const fs::path& folder, const std::string& named_by) {
    if (fs::is_directory(folder)) return folder;
    throw Error(ErrorCode::file_not_found,
                "The resource folder '" + folder.string() + "' (" + named_by + ") does not exist");
}

}  // namespace

fs::path find_resources_dir(const fs::path& given, const fs::path& program) {
    if (!given.empty()) return existing(given, "--resources");
    if (const char* variable = std::getenv("KINESCOPE_RESOURCES"); variable && *variable)
        return existing(variable, "KINESCOPE_RESOURCES");
    for (const fs::path& folder : {program / "../share/kinescope", program / "../../resources"})
        if (fs::is_directory(folder)) return folder.lexically_normal();
    return {};
}

}  // namespace kinescope
