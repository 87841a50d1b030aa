#include "core/jobs/tools/check_file.h"

#include <algorithm>
#include <cctype>

#include "core/api/error.h"
#include "core/base/json.h"
#include "core/base/mapped_file.h"
#include "core/base/sha256.h"
#include "core/base/utc_time.h"
#include "core/weights/check_weights.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHashDigits = 64;

/// Reports progress over all passes through a file, and stops if the callback returns false.
class CheckedReading {
public:
    CheckedReading(const fs::path& file, std::int64_t total, const CheckProgress& progress)
        : file_(file), total_(total), progress_(progress) {}

    bool add(std::int64_t bytes) {
        done_ += bytes;
        stopped_ = stopped_ || !progress_(std::min(done_, total_), total_);
        return !stopped_;
    }
    void add_or_throw(std::int64_t bytes) {
        add(bytes);
        throw_if_stopped();
    }
    void throw_if_stopped() const {
        if (stopped_)
            throw Error(ErrorCode::cancelled, "The check of " + file_.string() + " was cancelled", {},
                        {{"path", file_.string()}});
    }

private:
    const fs::path& file_;
    const std::int64_t total_;
    const CheckProgress& progress_;
    std::int64_t done_ = 0;
    bool stopped_ = false;
};

std::string hash_of(const MappedFile& file, CheckedReading& reading) {
    constexpr std::size_t kPiece = std::size_t{4} << 20;
    Sha256 hash;
    for (auto rest = file.bytes(); !rest.empty();) {
        const auto piece = rest.first(std::min(kPiece, rest.size()));
        hash.add(piece);
        release_pages(piece);
        rest = rest.subspan(piece.size());
        reading.add_or_throw(static_cast<std::int64_t>(piece.size()));
    }
    return hash.finish();
}

/// Returns the SHA-256 that the Hugging Face cache uses as the name of a link's target. Returns an empty string for
/// other files.
std::string hash_in_name(const fs::path& file) {
    std::error_code ignored;
    const fs::path real = fs::canonical(file, ignored);
    std::string name = real.filename().string();
    const bool is_hash = name.size() == kHashDigits &&
                         std::ranges::all_of(name, [](unsigned char digit) { return std::isxdigit(digit) != 0; });
    return is_hash && real.parent_path().filename() == "blobs" ? name : std::string();
}

bool is_published_as(const Json& entry, const fs::path& file, std::uintmax_t bytes) {
    return entry.is_object() && fs::path(entry.value("target", "")).filename() == file.filename() &&
           entry.value("bytes", std::uintmax_t{0}) == bytes;
}

std::string hash_in_manifest(const fs::path& file, const fs::path& manifest) {
    std::error_code ignored;
    if (!fs::exists(manifest, ignored)) return {};
    const auto bytes = fs::file_size(file, ignored);
    const Json document = read_json(manifest);
    const Json offers = document.value("downloads", Json::array());
    for (const Json& offer : offers) {
        const Json files = offer.value("files", Json::array());
        for (const Json& entry : files)
            if (is_published_as(entry, file, bytes)) return entry.value("sha256", "");
    }
    return {};
}

}  // namespace

std::string published_sha256(const fs::path& file, const fs::path& manifest) {
    std::string hash = hash_in_name(file);
    return hash.empty() ? hash_in_manifest(file, manifest) : hash;
}

FileCheck check_file(const fs::path& file, const fs::path& manifest, const CheckProgress& progress) {
    const auto reader = open_checkpoint(file);
    const auto mapped = MappedFile::open(file);
    const auto bytes = static_cast<std::int64_t>(mapped->bytes().size());
    constexpr int kPasses = 2;
    CheckedReading reading(file, kPasses * bytes, progress);
    FileCheck check{.file = file, .bytes = bytes};
    check.published = published_sha256(file, manifest);
    check.sha256 = hash_of(*mapped, reading);
    check.num_tensors = static_cast<std::int64_t>(reader->entries().size());
    check.faults = check_weights(*reader, [&](std::int64_t read) { return reading.add(read); });
    reading.throw_if_stopped();
    check.checked = utc_now();
    return check;
}

}  // namespace kinescope
