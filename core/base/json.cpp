#include "core/base/json.h"

#include "core/api/byte_size.h"
#include "core/api/error.h"
#include "core/base/regular_file.h"

namespace kinescope {

Json read_json(const std::filesystem::path& file) {
    const auto refuse = [&file](const std::string& reason) {
        throw Error(ErrorCode::bad_config, file.string() + " is not usable: " + reason,
                    "The file may be truncated, or may have been edited by hand. Download it again.",
                    {{"path", file.string()}});
    };
    const RegularFile opened(file);
    if (opened.size() > JsonLimits{}.bytes)
        refuse("it is larger than " + format_byte_size(static_cast<std::int64_t>(JsonLimits{}.bytes)));
    // Not mapped: what a failing disk cannot read from a mapping is zeros, which would look like a damaged file.
    const std::string text = opened.read_all();
    try {
        return parse_json(text);
    } catch (const JsonError& error) {
        refuse(error.what());
    }
    return {};
}

}  // namespace kinescope
