#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace kinescope {

struct HttpOptions {
    int max_tries = 6;  ///< consecutive tries without new data
    std::chrono::milliseconds retry_pause{2000};
    std::chrono::seconds stall{30};  ///< a try fails if no new data arrives for this time
};

/// Receives the number of bytes on the disk. Called frequently, including while no data arrives. May throw to stop the
/// download.
using HttpObserver = std::function<void(std::int64_t bytes)>;

struct HttpFile {
    std::string url;
    std::int64_t bytes = 0;
    std::string sha256;  ///< 64 hexadecimal digits, lower case
};

/// Downloads to "<file>.part" and renames the file if its length and SHA-256 are correct. Continues an existing part
/// with a range request, or from the start if the server does not support ranges. Retries after failures that may be
/// temporary. Deletes the part only if its content is wrong. Throws Error(file_unreadable) if the network or the server
/// fails, the address is wrong (see kWrongAddress) or the content is wrong, Error(disk_full or output_not_writable) if
/// the file cannot be written, and whatever the observer throws.
void http_download(const HttpFile& what, const std::filesystem::path& file, const HttpObserver& observer,
                   const HttpOptions& options = {});

/// Returns the name of the unfinished download of a file.
std::filesystem::path part_of(const std::filesystem::path& file);

struct HttpDocument {
    std::string url;  ///< after redirects
    std::string text;
};

/// Downloads a document of at most `max_bytes`. `accept` is the value of the Accept header. Throws
/// Error(file_unreadable), and whatever the observer throws.
HttpDocument http_get(const std::string& url, const std::string& accept, std::int64_t max_bytes,
                      const HttpObserver& observer, const HttpOptions& options = {});

/// Returns a URL as messages show it: without the user's name and password, which index URLs may contain, and without
/// query and fragment, which may be a signature.
std::string shown_url(const std::string& url);

/// Resolves a reference in the document with the URL `document`. Returns an absolute URL, or an empty string if the
/// reference is invalid.
std::string resolve_url(const std::string& document, const std::string& reference);

}  // namespace kinescope
