#include "core/jobs/kept_checks.h"

#include "core/base/atomic_file.h"
#include "core/base/file_identity.h"
#include "core/base/json.h"
#include "core/base/user_dirs.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

std::string key(const fs::path& file) {
    std::error_code ignored;
    const fs::path whole = fs::absolute(file, ignored);
    return (whole.empty() ? file : whole).string();
}

std::int64_t time_of_change(const fs::path& file) {
    std::error_code ignored;
    return fs::last_write_time(file, ignored).time_since_epoch().count();
}

/// What a file must still be for its result to hold. Throws Error(file_not_found or file_unreadable).
Json identity(const fs::path& file) {
    const FileIdentity found = identify_file(file);
    return {{"bytes", found.bytes}, {"header_sha256", found.header_sha256}, {"changed", time_of_change(file)}};
}

Json to_document(const WeightFault& fault) {
    return {{"tensor", fault.tensor},         {"dtype", fault.dtype},           {"count", fault.count},
            {"non_finite", fault.non_finite}, {"bad_scales", fault.bad_scales}, {"saturated", fault.saturated}};
}

/// Throws what nlohmann's JSON throws where it is not of this program's making.
WeightFault fault_of(const Json& json) {
    return {.tensor = json.at("tensor").get<std::string>(),
            .dtype = json.at("dtype").get<std::string>(),
            .count = json.at("count").get<std::int64_t>(),
            .non_finite = json.at("non_finite").get<std::int64_t>(),
            .bad_scales = json.at("bad_scales").get<std::int64_t>(),
            .saturated = json.at("saturated").get<std::int64_t>()};
}

Json to_document(const FileCheck& check) {
    Json faults = Json::array();
    for (const WeightFault& fault : check.faults) faults.push_back(to_document(fault));
    return {{"identity", identity(check.file)}, {"sha256", check.sha256},           {"published", check.published},
            {"checked", check.checked},         {"num_tensors", check.num_tensors}, {"faults", faults}};
}

FileCheck check_of(const Json& json, const fs::path& file) {
    FileCheck check{.file = file,
                    .bytes = json.at("identity").at("bytes").get<std::int64_t>(),
                    .sha256 = json.at("sha256").get<std::string>(),
                    .published = json.at("published").get<std::string>(),
                    .checked = json.at("checked").get<std::string>(),
                    .num_tensors = json.at("num_tensors").get<std::int64_t>(),
                    .faults = {}};
    for (const Json& fault : json.at("faults")) check.faults.push_back(fault_of(fault));
    return check;
}

}  // namespace

fs::path default_checks_file() {
    return user_cache_dir() / "file_checks.json";
}

std::optional<FileCheck> KeptChecks::find(const fs::path& file) const {
    const Json all = read_kept_json(file_);
    const auto found = all.find(key(file));
    if (found == all.end()) return std::nullopt;
    try {
        if (found->at("identity") != identity(file)) return std::nullopt;
        return check_of(*found, file);
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

void KeptChecks::keep(const FileCheck& check) {
    const std::lock_guard lock(writing_);
    try {
        Json all = read_kept_json(file_);
        all[key(check.file)] = to_document(check);
        fs::create_directories(file_.parent_path());
        write_file_atomically(file_, all.dump(1, ' ', false, Json::error_handler_t::replace));
    } catch (const std::exception&) {
        return;
    }
}

}  // namespace kinescope
