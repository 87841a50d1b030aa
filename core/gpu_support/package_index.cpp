#include "core/gpu_support/package_index.h"

#include <string_view>

#include "core/api/bounded_json.h"
#include "core/api/error.h"
#include "core/api/wrong_address.h"

namespace kinescope {
namespace {

constexpr std::int64_t kMaxPage = std::int64_t{16} << 20;
constexpr char kAccept[] = "application/vnd.pypi.simple.v1+json, text/html;q=0.5, */*;q=0.1";

/// Returns the value of "url" of the file, or an empty string if the index does not list it.
std::string find_in_json(const std::string& text, const std::string& file) {
    const nlohmann::json page = try_parse_json(text);
    if (!page.is_object() || !page.contains("files") || !page["files"].is_array()) return {};
    for (const nlohmann::json& entry : page["files"])
        if (entry.is_object() && entry.value("filename", nlohmann::json()) == file && entry.contains("url") &&
            entry["url"].is_string())
            return entry["url"];
    return {};
}

std::string without_entities(std::string text) {
    for (auto at = text.find("&amp;"); at != std::string::npos; at = text.find("&amp;", at + 1))
        text.erase(at + 1, std::string_view("amp;").size());
    return text;
}

bool names_file(std::string_view reference, std::string_view file) {
    reference = reference.substr(0, reference.find_first_of("?#"));
    const auto slash = reference.rfind('/');
    return (slash == std::string_view::npos ? reference : reference.substr(slash + 1)) == file;
}

/// Returns the first href whose last path component is the file's name, or an empty string if there is none.
std::string find_in_html(const std::string& text, const std::string& file) {
    constexpr std::string_view kHref = "href=";
    for (auto at = text.find(kHref); at != std::string::npos; at = text.find(kHref, at + 1)) {
        const auto begin = at + kHref.size();
        if (begin >= text.size() || (text[begin] != '"' && text[begin] != '\'')) continue;
        const auto end = text.find(text[begin], begin + 1);
        if (end == std::string::npos) return {};
        const std::string reference = without_entities(text.substr(begin + 1, end - begin - 1));
        if (names_file(reference, file)) return reference;
    }
    return {};
}

std::string page_url(std::string index, const std::string& project) {
    while (index.ends_with('/')) index.pop_back();
    return index + "/" + project + "/";
}

}  // namespace

std::string find_in_index(const std::string& index, const std::string& project, const std::string& file,
                          const HttpObserver& observer, const HttpOptions& options) {
    const std::string page = page_url(index, project);
    const HttpDocument document = http_get(page, kAccept, kMaxPage, observer, options);
    const auto first = document.text.find_first_not_of(" \t\r\n");
    const bool is_json = first != std::string::npos && document.text[first] == '{';
    const std::string reference = is_json ? find_in_json(document.text, file) : find_in_html(document.text, file);
    const std::string url = reference.empty() ? reference : resolve_url(document.url, reference);
    if (!url.empty()) return url;
    throw Error(ErrorCode::file_unreadable, shown_url(page) + " does not list the file " + file,
                "The package index may be incomplete or may not be one; choose another one with --index.",
                {{"url", shown_url(page)}, {"cause", kWrongAddress}});
}

}  // namespace kinescope
