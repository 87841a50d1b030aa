#include "core/computers/computer_list.h"

#include <algorithm>
#include <set>

#include "core/api/user_dirs.h"
#include "core/base/atomic_file.h"
#include "core/base/file_presence.h"
#include "core/base/json.h"
#include "core/base/sha256.h"
#include "core/computers/command_words.h"

namespace kinescope::computers {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_name(const std::string& name, const char* cause, const std::string& why) {
    throw Error(ErrorCode::bad_request, "a computer cannot be named \"" + name.substr(0, 80) + "\": " + why,
                "Choose another name.", {{"cause", cause}, {"computer", name.substr(0, 80)}});
}

Computer computer_from(const Json& document) {
    Computer computer{document.at("name").get<std::string>(), document.at("command").get<std::string>(), {}};
    for (const Json& map : document.value("paths", Json::array()))
        computer.paths.push_back({map.at("here").get<std::string>(), map.at("there").get<std::string>()});
    return computer;
}

}  // namespace

fs::path computers_file() {
    return user_dirs().config / "computers.json";
}

std::vector<Computer> read_computers(const fs::path& file) {
    if (!has_entry(file)) return {};
    const Json document = read_json(file);
    try {
        std::vector<Computer> computers;
        for (const Json& computer : document.at("computers")) computers.push_back(computer_from(computer));
        check_computers(computers);
        return computers;
    } catch (const std::exception& error) {
        throw Error(ErrorCode::bad_config, "'" + file.string() + "' is not a list of computers: " + error.what(),
                    "Correct the file or move it away.", {{"path", file.string()}});
    }
}

void save_computers(const fs::path& file, const std::vector<Computer>& computers) {
    Json list = Json::array();
    for (const Computer& computer : computers) {
        Json paths = Json::array();
        for (const PathMap& map : computer.paths)
            paths.push_back({{"here", map.here.string()}, {"there", map.there.string()}});
        list.push_back({{"name", computer.name}, {"command", computer.command}, {"paths", paths}});
    }
    std::error_code ignored;
    fs::create_directories(file.parent_path(), ignored);
    write_file_atomically(file, Json{{"computers", list}}.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void check_computers(const std::vector<Computer>& computers) {
    constexpr std::size_t kLongestName = 40;
    std::set<std::string> names;
    for (const Computer& computer : computers) {
        const std::string& name = computer.name;
        if (name.empty()) refuse_name(name, "name_empty", "it has no letters");
        if (name.size() > kLongestName) refuse_name(name, "name_long", "it is longer than 40 bytes");
        const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
        if (std::ranges::any_of(name, is_control)) refuse_name(name, "name_control", "it contains a control character");
        if (name.front() == ' ' || name.back() == ' ')
            refuse_name(name, "name_spaces", "it begins or ends with a space");
        if (!names.insert(name).second) refuse_name(name, "name_taken", "there is another computer of this name");
        split_command(computer.command);
    }
}

fs::path ledger_of(const fs::path& folder, const std::string& name) {
    constexpr std::size_t kDigits = 16;
    Sha256 hash;
    hash.add(std::as_bytes(std::span(name.data(), name.size())));
    return folder / ("jobs-" + hash.finish().substr(0, kDigits) + ".json");
}

}  // namespace kinescope::computers
