#include "ui/models/unique_names.h"

#include <algorithm>

namespace kinescope::ui {
namespace {

std::filesystem::path numbered(const std::filesystem::path& file, int number) {
    if (file.empty()) return file;
    std::filesystem::path name = file.stem();
    name += "-" + std::to_string(number);
    name += file.extension();
    return file.parent_path() / name;
}

bool isTaken(const std::filesystem::path& file, const std::vector<Job>& jobs) {
    return std::filesystem::exists(file) || std::any_of(jobs.begin(), jobs.end(), [&](const Job& job) {
               return !is_over(job.state) && job.request.output.file == file;
           });
}

}  // namespace

void makeNamesUnique(VideoRequest& request, const std::vector<Job>& jobs) {
    const OutputRequest asked = request.output;
    if (asked.file.empty()) return;
    for (int number = 2; isTaken(request.output.file, jobs); ++number) {
        request.output.file = numbered(asked.file, number);
        request.output.numeric_log = numbered(asked.numeric_log, number);
        request.output.numeric_csv = numbered(asked.numeric_csv, number);
    }
}

}  // namespace kinescope::ui
