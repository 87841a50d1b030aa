#include "core/models/discovery/model_folders.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "core/api/user_dirs.h"
#include "core/base/config_reader.h"
#include "core/base/json.h"

namespace kinescope {

namespace fs = std::filesystem;

namespace {

#ifdef _WIN32
constexpr char kSeparator = ';';
#else
constexpr char kSeparator = ':';
#endif

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

std::vector<fs::path> split(std::string_view list) {
    std::vector<fs::path> folders;
    while (!list.empty()) {
        const auto end = std::min(list.find(kSeparator), list.size());
        if (end > 0) folders.emplace_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return folders;
}

std::vector<fs::path> from_settings() {
    const fs::path file = user_dirs().config / "settings.json";
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return {};
    const Json settings = read_json(file);
    const ConfigReader reader(settings, file);
    if (!settings.is_object() || !settings.contains("model_folders")) return {};
    std::vector<fs::path> folders;
    const Json& list = settings["model_folders"];
    if (!list.is_array()) reader.refuse("model_folders", "expected a list of folders");
    for (const Json& folder : list) {
        if (!folder.is_string()) reader.refuse("model_folders", "expected a list of folders");
        folders.emplace_back(folder.get<std::string>());
    }
    return folders;
}

}  // namespace

std::vector<fs::path> configured_model_folders() {
    std::vector<fs::path> folders = split(variable("KINESCOPE_MODELS"));
    const auto more = from_settings();
    folders.insert(folders.end(), more.begin(), more.end());
    std::vector<fs::path> there;
    std::error_code ignored;
    for (const auto& folder : folders)
        if (fs::is_directory(folder, ignored) && std::ranges::find(there, folder) == there.end())
            there.push_back(folder);
    return there;
}

}  // namespace kinescope
