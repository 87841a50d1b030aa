#include "core/cluster/known_batches.h"

#include <algorithm>
#include <utility>

#include "core/api/error.h"
#include "core/base/atomic_file.h"
#include "core/base/folder_entries.h"
#include "core/base/json.h"

namespace kinescope::cluster {

namespace {

namespace fs = std::filesystem;

bool is_batch(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / "batch.json", ignored);
}

/// Returns an empty path for a damaged file.
fs::path folder_in(const fs::path& file) {
    try {
        return read_json(file).at("folder").get<std::string>();
    } catch (const std::exception&) {
        return {};
    }
}

}  // namespace

void KnownBatches::remember(const std::string& id, const fs::path& folder) const {
    std::error_code ignored;  // writing the file reports the error
    fs::create_directories(dir_, ignored);
    write_file_atomically(dir_ / (id + ".json"), Json({{"folder", folder.string()}}).dump(), FileAccess::owner_only);
}

void KnownBatches::forget(const std::string& id) const {
    std::error_code ignored;
    fs::remove(dir_ / (id + ".json"), ignored);
}

std::vector<fs::path> KnownBatches::folders() const {
    std::vector<std::pair<fs::file_time_type, fs::path>> found;
    std::error_code ignored;
    for (const fs::directory_entry& entry : entries_of(dir_, ignored)) {
        if (entry.path().extension() != ".json") continue;
        const fs::path folder = folder_in(entry.path());
        if (is_batch(folder)) found.emplace_back(entry.last_write_time(ignored), folder);
    }
    std::ranges::sort(found, std::greater());
    std::vector<fs::path> folders;
    for (auto& [time, folder] : found) folders.push_back(std::move(folder));
    return folders;
}

fs::path KnownBatches::find(const std::string& name) const {
    if (!name.empty() && is_batch(name)) return name;
    const auto all = folders();
    if (name.empty() && !all.empty()) return all.front();
    const auto found =
        std::ranges::find(all, "kinescope-" + name, [](const fs::path& folder) { return folder.filename().string(); });
    if (found != all.end()) return *found;
    throw Error(
        ErrorCode::bad_request, name.empty() ? "there is no batch on a cluster" : "there is no batch '" + name + "'",
        "kinescope-cli cluster list shows the batches of this computer. A batch that was submitted elsewhere is "
        "named by its folder.",
        {{"batch", name}});
}

}  // namespace kinescope::cluster
