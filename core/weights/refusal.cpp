#include "core/weights/refusal.h"

#include "core/api/error.h"
#include "core/api/utf8.h"

namespace kinescope {
namespace {

/// Names from damaged files hold any bytes; messages are shown and written as text.
std::string printable(std::string text) {
    while (const auto fault = find_invalid_utf8(text)) text[*fault] = '?';
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ') c = '?';
    return text;
}

}  // namespace

void Refusal::corrupt(const std::string& reason) const {
    throw Error(ErrorCode::checkpoint_corrupt,
                path.string() + " is not a sound " + std::string(kind) + ": " + printable(reason),
                "Fetch the file again; if it stays so, it was written wrongly.", {{"path", path.string()}});
}

void Refusal::truncated(std::uint64_t there, std::uint64_t wanted, const std::string& what) const {
    throw Error(ErrorCode::checkpoint_truncated,
                path.string() + " ends too early: " + std::to_string(there) + " of " + std::to_string(wanted) +
                    " bytes " + printable(what) + " are there. The download was probably cut short.",
                "Fetch the file again.",
                {{"path", path.string()}, {"bytes", std::to_string(there)}, {"expected", std::to_string(wanted)}});
}

void Refusal::unsupported(const std::string& reason, const std::string& hint) const {
    throw Error(ErrorCode::unsupported, path.string() + ": " + printable(reason), hint, {{"path", path.string()}});
}

}  // namespace kinescope
