#include "core/jobs/tools/file_check_cache.h"

#include "core/api/error.h"
#include "core/api/user_dirs.h"
#include "core/base/file_identity.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

std::string check_name(const fs::path& file) {
    std::error_code ignored;
    const fs::path whole = fs::absolute(file, ignored);
    return (whole.empty() ? file : whole).string();
}

std::int64_t modification_time(const fs::path& file) {
    std::error_code ignored;
    return fs::last_write_time(file, ignored).time_since_epoch().count();
}

/// Returns the properties of a file that must not change while its check is valid. Throws Error(file_not_found or
/// file_unreadable).
Json identity(const fs::path& file) {
    const FileIdentity found = identify_file(file);
    return {{"bytes", found.bytes}, {"header_sha256", found.header_sha256}, {"changed", modification_time(file)}};
}

Json fault_json(const WeightFault& fault) {
    return {{"tensor", fault.tensor},         {"dtype", fault.dtype},           {"count", fault.count},
            {"non_finite", fault.non_finite}, {"bad_scales", fault.bad_scales}, {"saturated", fault.saturated}};
}

/// Parses the fault of a weight. Throws Json::exception for an invalid value.
WeightFault fault_from(const Json& json) {
    return {.tensor = json.at("tensor").get<std::string>(),
            .dtype = json.at("dtype").get<std::string>(),
            .count = json.at("count").get<std::int64_t>(),
            .non_finite = json.at("non_finite").get<std::int64_t>(),
            .bad_scales = json.at("bad_scales").get<std::int64_t>(),
            .saturated = json.at("saturated").get<std::int64_t>()};
}

}  // namespace

Json CacheFormat<SavedFileCheck>::write(const SavedFileCheck& saved) {
    Json faults = Json::array();
    for (const WeightFault& fault : saved.check.faults) faults.push_back(fault_json(fault));
    return {{"identity", saved.identity},
            {"sha256", saved.check.sha256},
            {"published", saved.check.published},
            {"checked", saved.check.checked},
            {"num_tensors", saved.check.num_tensors},
            {"faults", faults}};
}

SavedFileCheck CacheFormat<SavedFileCheck>::read(const Json& json) {
    SavedFileCheck saved{.check = {.file = {},
                                   .bytes = json.at("identity").at("bytes").get<std::int64_t>(),
                                   .sha256 = json.at("sha256").get<std::string>(),
                                   .published = json.at("published").get<std::string>(),
                                   .checked = json.at("checked").get<std::string>(),
                                   .num_tensors = json.at("num_tensors").get<std::int64_t>()},
                         .identity = json.at("identity")};
    for (const Json& fault : json.at("faults")) saved.check.faults.push_back(fault_from(fault));
    return saved;
}

fs::path default_checks_file() {
    return user_dirs().cache / "file_checks.json";
}

std::optional<FileCheck> FileCheckCache::find(const fs::path& file) const {
    auto saved = cache_.find(check_name(file));
    try {
        if (!saved || saved->identity != identity(file)) return std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
    saved->check.file = file;
    return std::move(saved->check);
}

void FileCheckCache::save(const FileCheck& check) const {
    try {
        cache_.put(check_name(check.file), {.check = check, .identity = identity(check.file)});
    } catch (const std::exception&) {
        return;
    }
}

}  // namespace kinescope
