#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace kinescope {

struct HttpOptions {
    int max_tries = 6;  ///< consecutive tries without a new byte
    std::chrono::milliseconds retry_pause{2000};
    std::chrono::seconds stall{30};  ///< a try without a new byte for this time fails
};

/// Called often, even while no data arrives, with the number of bytes on the disk. It may throw to stop the download.
using HttpObserver = std::function<void(std::int64_t bytes)>;

struct HttpFile {
    std::string url;
    std::int64_t bytes = 0;
    std::string sha256;  ///< 64 hexadecimal digits, lower case
};

/// Downloads to "<file>.part" and renames it if its length and SHA-256 are right. Continues an existing part with a
/// range request, or from the start if the server does not support ranges. Retries after failures that may be
/// temporary. Throws Error(file_unreadable) if the network or the server fails or the content is wrong,
/// Error(disk_full or output_not_writable) if the file cannot be written, and whatever the observer throws. The part is
/// deleted only if its content is wrong.
void http_download(const HttpFile& what, const std::filesystem::path& file, const HttpObserver& observer,
                   const HttpOptions& options = {});

/// Name of the unfinished download of a file.
std::filesystem::path part_of(const std::filesystem::path& file);

struct HttpDocument {
    std::string url;  ///< after redirects
    std::string text;
};

/// Downloads a document of at most `max_bytes`. `accept`: the value of the Accept header. Throws
/// Error(file_unreadable), and whatever the observer throws.
HttpDocument http_get(const std::string& url, const std::string& accept, std::int64_t max_bytes,
                      const HttpObserver& observer, const HttpOptions& options = {});

/// Resolves a reference in the document with this URL. Returns an absolute URL; empty if the reference is invalid.
std::string resolve_url(const std::string& document, const std::string& reference);

}  // namespace kinescope
