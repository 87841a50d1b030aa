#include "core/jobs/tools/checked_headers.h"

#include "core/api/user_dirs.h"
#include "core/api/version.h"
#include "core/base/sha256.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

/// Another version of the program may read the same header in another way.
std::string hash_of(const std::string& state) {
    return sha256_of(std::string(kVersion) + '\n' + state);
}

}  // namespace

fs::path default_checked_headers_file() {
    return user_dirs().cache / "checked_headers.json";
}

CheckedHeaders::CheckedHeaders(const fs::path& file)
    : document_(file, {.max_entries = 5000}), stage_(file.empty() ? Stage::off : Stage::unread) {}

CheckedHeaders::~CheckedHeaders() {
    if (added_.empty() || stage_ == Stage::off) return;
    try {
        document_.update([&](CacheDocument::Entries& entries) {
            std::erase_if(entries, [&](const auto& entry) { return added_.contains(entry.first); });
            for (const auto& [path, hash] : added_) entries.emplace_back(path, hash);
        });
    } catch (const std::exception&) {
        return;  // the next process reads the headers again
    }
}

void CheckedHeaders::read() {
    if (stage_ != Stage::unread) return;
    stage_ = Stage::read;
    for (const auto& [path, hash] : document_.read())
        if (hash.is_string()) known_[path] = hash.get<std::string>();
}

bool CheckedHeaders::contains(const fs::path& path, const std::string& state) {
    read();
    const auto found = known_.find(path.string());
    return found != known_.end() && found->second == hash_of(state);
}

void CheckedHeaders::add(const fs::path& path, const std::string& state) {
    added_[path.string()] = known_[path.string()] = hash_of(state);
}

}  // namespace kinescope
