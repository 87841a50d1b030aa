#include "core/jobs/compare.h"

#include <cmath>
#include <limits>

#include "core/media/video_reader.h"
#include "core/numerics/run_compare.h"

namespace kinescope {

namespace {

bool is_log(const std::filesystem::path& file) {
    return file.extension() == ".jsonl" || file.extension() == ".json";
}

CompareReport compare_logs(const std::filesystem::path& a, const std::filesystem::path& b, double tolerance) {
    RunDifference difference = compare_runs(read_numeric_log(a), read_numeric_log(b), tolerance);
    return {.kind = "logs",
            .requests = std::move(difference.requests),
            .first_difference = difference.first,
            .largest_difference = difference.largest,
            .largest_site = std::move(difference.largest_site),
            .num_compared = difference.num_compared,
            .passed = difference.first.empty()};
}

double sum_of_squares(const Frame& a, const Frame& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) {
        const double difference = (int{a.pixels[i]} - int{b.pixels[i]}) / 255.0;
        sum += difference * difference;
    }
    return sum;
}

double psnr_of(double mean_square) {
    return mean_square > 0 ? -10 * std::log10(mean_square) : std::numeric_limits<double>::infinity();
}

void check_sizes(const VideoInfo& a, const VideoInfo& b) {
    if (a.width == b.width && a.height == b.height) return;
    const auto text = [](const VideoInfo& info) {
        return std::to_string(info.width) + "x" + std::to_string(info.height);
    };
    throw Error(ErrorCode::bad_request, "The videos are of different sizes: " + text(a) + " and " + text(b));
}

CompareReport compare_videos(const std::filesystem::path& a, const std::filesystem::path& b, double least_psnr_db) {
    VideoReader left(a);
    VideoReader right(b);
    check_sizes(left.info(), right.info());
    CompareReport report{.kind = "videos"};
    double sum = 0;
    double values = 0;
    auto one = left.read();
    auto other = right.read();
    for (; one && other; one = left.read(), other = right.read()) {
        const double squares = sum_of_squares(*one, *other);
        const double psnr = psnr_of(squares / static_cast<double>(one->pixels.size()));
        ++report.num_compared;
        sum += squares;
        values += static_cast<double>(one->pixels.size());
        if (psnr < least_psnr_db && report.first_difference.empty())
            report.first_difference =
                "frame " + std::to_string(report.num_compared) + ": " + std::to_string(psnr) + " dB";
    }
    if (one.has_value() != other.has_value()) {
        const auto length = [](const VideoReader& video) { return std::to_string(video.info().num_frames); };
        report.requests.push_back("frames: " + length(left) + " against " + length(right));
        if (report.first_difference.empty())
            report.first_difference = "one video ends after frame " + std::to_string(report.num_compared);
    }
    report.psnr_db = psnr_of(values > 0 ? sum / values : 1);
    report.passed = report.first_difference.empty();
    return report;
}

}  // namespace

CompareReport compare_files(const std::filesystem::path& a, const std::filesystem::path& b,
                            const CompareTolerance& tolerance) {
    if (is_log(a) != is_log(b))
        throw Error(ErrorCode::bad_request, "'" + a.string() + "' and '" + b.string() + "' are not of one kind",
                    "Compare two numeric logs (.jsonl), or two videos.");
    return is_log(a) ? compare_logs(a, b, tolerance.relative) : compare_videos(a, b, tolerance.psnr_db);
}

}  // namespace kinescope
