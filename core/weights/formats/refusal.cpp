#include "core/weights/formats/refusal.h"

#include "core/api/error.h"
#include "core/api/utf8.h"

namespace kinescope {
namespace {

/// Replaces invalid bytes. Names in damaged files may contain any bytes, but messages must be valid text.
std::string printable(std::string text) {
    while (const auto fault = find_invalid_utf8(text)) text[*fault] = '?';
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ') c = '?';
    return text;
}

}  // namespace

void Refusal::corrupt(const std::string& reason) const {
    throw Error(ErrorCode::checkpoint_corrupt,
                path.string() + " is not a valid " + std::string(kind) + ": " + printable(reason),
                "Download the file again. If that does not help, the file was written incorrectly.",
                {{"path", path.string()}});
}

void Refusal::truncated(std::uint64_t there, std::uint64_t wanted, const std::string& what) const {
    throw Error(ErrorCode::checkpoint_truncated,
                path.string() + " is truncated: only " + std::to_string(there) + " of " + std::to_string(wanted) +
                    " bytes " + printable(what) + " are present. The download was probably interrupted.",
                "Download the file again.",
                {{"path", path.string()}, {"bytes", std::to_string(there)}, {"expected", std::to_string(wanted)}});
}

void Refusal::unsupported(const std::string& reason, const std::string& hint) const {
    throw Error(ErrorCode::unsupported, path.string() + ": " + printable(reason), hint, {{"path", path.string()}});
}

}  // namespace kinescope
