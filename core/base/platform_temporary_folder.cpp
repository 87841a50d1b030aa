#include <stdlib.h>

#include <cerrno>
#include <system_error>

#include "core/api/error.h"
#include "core/base/temporary_folder.h"

namespace kinescope {

TemporaryFolder::TemporaryFolder(const std::string& purpose) {
    std::string name = (std::filesystem::temp_directory_path() / ("kinescope-" + purpose + "-XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr)
        throw Error(ErrorCode::output_not_writable,
                    "Cannot create the folder '" + name + "': " + std::generic_category().message(errno),
                    "Make the temporary folder writable.", {{"path", name}});
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace kinescope
