#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace kinescope {

struct HttpOptions {
    int max_tries = 6;  ///< in a row that bring no new byte
    std::chrono::milliseconds retry_pause{2000};
    std::chrono::seconds stall{30};  ///< without a byte
};

/// Called often, also while nothing arrives, with the bytes that are on the disk. It may throw to stop the download.
using HttpObserver = std::function<void(std::int64_t bytes)>;

struct HttpFile {
    std::string url;
    std::int64_t bytes = 0;
    std::string sha256;  ///< 64 hexadecimal digits, lower case
};

/// Downloads to "<file>.part" and renames it when its length and SHA-256 are right. A part that exists is continued
/// with a range request, or from the start if the server does not support ranges. Failures that may be temporary are
/// retried. Throws Error(file_unreadable) for the network, the server and wrong content (the part is deleted),
/// Error(disk_full or output_not_writable) for the file, and whatever the observer throws; the part is kept then.
void http_download(const HttpFile& what, const std::filesystem::path& file, const HttpObserver& observer,
                   const HttpOptions& options = {});

/// Name of the unfinished download of a file.
std::filesystem::path part_of(const std::filesystem::path& file);

struct HttpDocument {
    std::string url;  ///< after redirects
    std::string text;
};

/// A document of at most `max_bytes`. `accept`: the media types, as in the header. Throws Error(file_unreadable), and
/// whatever the observer throws.
HttpDocument http_get(const std::string& url, const std::string& accept, std::int64_t max_bytes,
                      const HttpObserver& observer, const HttpOptions& options = {});

/// A reference of a document as an absolute URL; empty if it is not a valid one.
std::string resolve_url(const std::string& document, const std::string& reference);

}  // namespace kinescope
