#include "core/base/cache_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "core/api/error.h"
#include "core/base/atomic_file.h"

namespace kinescope {

namespace {

/// An advisory lock that excludes other threads and processes. On a file system without locks, concurrent changes may
/// be lost, but the cache file stays intact.
class UpdateLock {
public:
    explicit UpdateLock(const std::filesystem::path& file)
        : descriptor_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
        while (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
        }
    }
    ~UpdateLock() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    UpdateLock(const UpdateLock&) = delete;
    UpdateLock& operator=(const UpdateLock&) = delete;

private:
    int descriptor_;
};

std::filesystem::path lock_file(std::filesystem::path file) {
    file += ".lock";
    return file;
}

CacheDocument::Entries parse_entries(const Json& list) {
    CacheDocument::Entries entries;
    if (!list.is_array()) return entries;
    for (const Json& item : list)
        if (item.is_object() && item.contains("name") && item["name"].is_string() && item.contains("value"))
            entries.emplace_back(item["name"].get<std::string>(), item["value"]);
    return entries;
}

/// Reads the entries of a file that an older program wrote: a plain object or array of values.
CacheDocument::Entries parse_old_entries(const Json& document, const CacheDocument::Format& format) {
    CacheDocument::Entries entries;
    if (document.is_object())
        for (const auto& [name, value] : document.items()) entries.emplace_back(name, value);
    if (!document.is_array() || format.name_of_array_entry == nullptr) return entries;
    for (const Json& value : document)
        if (std::string name = format.name_of_array_entry(value); !name.empty())
            entries.emplace_back(std::move(name), value);
    return entries;
}

bool has_version(const Json& document) {
    return document.is_object() && document.contains("version") && document["version"].is_number_integer();
}

Json to_document(const CacheDocument::Entries& entries, int version) {
    Json list = Json::array();
    for (const auto& [name, value] : entries) list.push_back({{"name", name}, {"value", value}});
    return {{"version", version}, {"entries", list}};
}

}  // namespace

CacheDocument::Entries CacheDocument::read() const {
    try {
        const Json document = read_json(file_);
        if (!has_version(document)) return parse_old_entries(document, format_);
        if (document["version"] != format_.version || !document.contains("entries")) return {};
        return parse_entries(document["entries"]);
    } catch (const Error&) {
        return {};
    }
}

void CacheDocument::update(const std::function<void(Entries&)>& change) const {
    std::filesystem::create_directories(file_.parent_path());
    const UpdateLock lock(lock_file(file_));
    const Entries before = read();
    Entries entries = before;
    change(entries);
    if (entries == before) return;
    if (entries.size() > format_.max_entries)
        entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(format_.max_entries));
    const std::string text = to_document(entries, format_.version).dump(1, ' ', false, Json::error_handler_t::replace);
    write_file_atomically(file_, text);
}

void CacheDocument::remove() const {
    std::error_code failed;
    std::filesystem::remove(file_, failed);
    if (failed)
        throw Error(ErrorCode::output_not_writable, "Cannot delete " + file_.string() + ": " + failed.message(),
                    "Check the permissions of its folder.", {{"path", file_.string()}});
}

}  // namespace kinescope
