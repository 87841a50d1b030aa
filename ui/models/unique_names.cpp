#include "ui/models/unique_names.h"

namespace kinescope::ui {
namespace {

std::filesystem::path numbered(const std::filesystem::path& file, int number) {
    if (file.empty()) return file;
    std::filesystem::path name = file.stem();
    name += "-" + std::to_string(number);
    name += file.extension();
    return file.parent_path() / name;
}

}  // namespace

std::set<std::filesystem::path> outputsOf(const std::vector<Job>& jobs) {
    std::set<std::filesystem::path> files;
    for (const Job& job : jobs)
        if (!is_over(job.state)) files.insert(job.request.output.file);
    return files;
}

void makeNamesUnique(VideoRequest& request, const std::set<std::filesystem::path>& taken) {
    const auto isTaken = [&](const std::filesystem::path& file) {
        std::error_code unknown;  // a file that cannot be examined counts as free; the engine reports it
        return taken.contains(file) || std::filesystem::exists(file, unknown);
    };
    const OutputRequest asked = request.output;
    if (asked.file.empty()) return;
    for (int number = 2; isTaken(request.output.file); ++number) {
        request.output.file = numbered(asked.file, number);
        request.output.numeric_log = numbered(asked.numeric_log, number);
        request.output.numeric_csv = numbered(asked.numeric_csv, number);
    }
}

}  // namespace kinescope::ui
