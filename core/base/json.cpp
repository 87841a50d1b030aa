#include "core/base/json.h"

#include "core/api/error.h"
#include "core/base/mapped_file.h"

namespace kinescope {

Json read_json(const std::filesystem::path& file) {
    const auto mapped = MappedFile::open(file);
    const auto bytes = mapped->bytes();
    const auto refuse = [&file](const std::string& reason) {
        throw Error(ErrorCode::bad_config, file.string() + " is not usable: " + reason,
                    "The file may be truncated, or may have been edited by hand. Download it again.",
                    {{"path", file.string()}});
    };
    try {
        return parse_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    } catch (const JsonError& error) {
        refuse(error.what());
    }
    return {};
}

}  // namespace kinescope
