#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "core/base/cache_file.h"

namespace kinescope {

/// Returns "<cache>/checked_headers.json".
std::filesystem::path default_checked_headers_file();

/// Weight files whose headers a child process has read within its limits, with the state in which it read them. Other
/// processes that use the same file know them, too. Not thread-safe.
class CheckedHeaders {
public:
    /// `file`: empty: nothing is remembered.
    explicit CheckedHeaders(const std::filesystem::path& file);
    /// Saves the entries that were added. Ignores write errors.
    ~CheckedHeaders();
    CheckedHeaders(const CheckedHeaders&) = delete;
    CheckedHeaders& operator=(const CheckedHeaders&) = delete;

    /// `path` must be absolute. `state` may be of any length.
    bool contains(const std::filesystem::path& path, const std::string& state);
    void add(const std::filesystem::path& path, const std::string& state);

private:
    using States = std::map<std::string, std::string>;  ///< hash of the state by path
    void read();

    CacheDocument document_;
    enum class Stage { unread, read, off } stage_;
    States known_;
    States added_;
};

}  // namespace kinescope
