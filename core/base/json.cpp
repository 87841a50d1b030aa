#include "core/base/json.h"

#include <set>
#include <vector>

#include "core/api/error.h"
#include "core/base/mapped_file.h"

namespace kinescope {
namespace {

constexpr std::size_t kMaxJsonBytes = std::size_t{64} << 20;
constexpr int kMaxNesting = 64;

/// "[json.exception.parse_error.101] parse error at ..." without the library's own mark.
std::string without_mark(std::string message) {
    const auto end = message.find("] ");
    return message.starts_with('[') && end != std::string::npos ? message.substr(end + 2) : message;
}

}  // namespace

Json parse_json(std::string_view text) {
    std::vector<std::set<std::string>> keys;  // of every object that is open, the innermost last
    const auto check = [&keys](int depth, Json::parse_event_t event, Json& parsed) {
        using Event = Json::parse_event_t;
        if (depth > kMaxNesting) throw JsonError("nested deeper than " + std::to_string(kMaxNesting) + " levels");
        if (event == Event::object_start) keys.emplace_back();
        if (event == Event::object_end) keys.pop_back();
        if (event == Event::key && !keys.back().insert(parsed.get<std::string>()).second) {
            throw JsonError("the name " + parsed.dump() + " comes twice");
        }
        return true;
    };
    try {
        return Json::parse(text.begin(), text.end(), check);
    } catch (const Json::exception& error) {
        throw JsonError(without_mark(error.what()));
    }
}

Json read_json(const std::filesystem::path& file) {
    const auto mapped = MappedFile::open(file);
    const auto bytes = mapped->bytes();
    const auto refuse = [&file](const std::string& reason) {
        throw Error(ErrorCode::bad_config, file.string() + " is not usable: " + reason,
                    "The file may have been cut short or edited by hand; fetch it again.", {{"path", file.string()}});
    };
    if (bytes.size() > kMaxJsonBytes) {
        refuse(std::to_string(bytes.size()) + " bytes, more than the " + std::to_string(kMaxJsonBytes) +
               " that a JSON file may have");
    }
    try {
        return parse_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    } catch (const JsonError& error) {
        refuse(error.what());
    }
    return {};
}

Json read_kept_json(const std::filesystem::path& file) {
    try {
        Json kept = read_json(file);
        return kept.is_object() ? kept : Json::object();
    } catch (const Error&) {
        return Json::object();
    }
}

}  // namespace kinescope
