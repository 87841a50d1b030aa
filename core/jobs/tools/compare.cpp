#include "core/jobs/tools/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/numerics/run_compare.h"
#include "core/pipeline/input_video.h"

namespace kinescope {

namespace {

bool is_log(const std::filesystem::path& file) {
    return file.extension() == ".jsonl" || file.extension() == ".json";
}

void add_problem_of(const LoggedRun& run, const std::filesystem::path& file,
                    std::vector<LocalizableMessage>& problems) {
    if (run.is_whole()) return;
    problems.push_back(
        {.code = "log_ends_early",
         .values = {{"file", file.filename().string()}},
         .text = "'" + file.string() + "' has no summary: the run was killed, is still running, or the disk was full"});
}

Error stopped_comparison() {
    return {ErrorCode::cancelled, "the comparison was stopped"};
}

void throw_if_cancelled(const std::function<bool()>& is_cancelled) {
    if (is_cancelled()) throw stopped_comparison();
}

int at_most_int(std::int64_t count) {
    return static_cast<int>(std::min<std::int64_t>(count, std::numeric_limits<int>::max()));
}

/// Returns the last denoising step of a run, or -1 if there is none.
int last_step(const LoggedRun& run) {
    const std::string denoise = to_string(Phase::denoise);
    int last = -1;
    for (const LoggedStat& stat : run.stats())
        if (run.sites()[stat.site].front() == denoise) last = std::max(last, stat.step);
    return last;
}

/// One log may have fewer statistics than the other one, e.g. without guidance, previews or the guard. Then most of
/// its statistics are in the other log, and both reach the same step.
bool cover_other_work(const LoggedRun& a, const LoggedRun& b, const RunDifference& difference) {
    const std::int64_t paired = difference.num_compared + difference.num_other_count;
    return last_step(a) != last_step(b) || 2 * paired < std::min(difference.num_in_a, difference.num_in_b);
}

LocalizableMessage other_work(const CompareReport& report) {
    const std::string compared = std::to_string(report.num_compared);
    const std::string a = std::to_string(report.num_in_a);
    const std::string b = std::to_string(report.num_in_b);
    return {.code = "other_work",
            .values = {{"compared", compared}, {"a", a}, {"b", b}},
            .text = "the logs cover different steps or sites: " + compared + " statistics were compared, of " + a +
                    " in the first and " + b + " in the second"};
}

CompareReport compare_logs(const std::filesystem::path& a, const std::filesystem::path& b, double tolerance,
                           const std::function<bool()>& is_cancelled) {
    throw_if_cancelled(is_cancelled);
    const LoggedRun left = read_numeric_log(a);
    throw_if_cancelled(is_cancelled);
    const LoggedRun right = read_numeric_log(b);
    RunDifference difference = compare_runs(left, right, tolerance);
    CompareReport report{.kind = CompareKind::logs,
                         .settings = std::move(difference.settings),
                         .first_difference = std::move(difference.first),
                         .largest_difference = difference.largest,
                         .largest_place = std::move(difference.largest_place),
                         .num_compared = at_most_int(difference.num_compared),
                         .num_in_a = at_most_int(difference.num_in_a),
                         .num_in_b = at_most_int(difference.num_in_b),
                         .num_other_count = at_most_int(difference.num_other_count),
                         .other_count = std::move(difference.other_count),
                         .num_unpaired = at_most_int(difference.num_unpaired)};
    add_problem_of(left, a, report.problems);
    add_problem_of(right, b, report.problems);
    if (report.num_compared == 0)
        report.problems.push_back({.code = "nothing_compared",
                                   .values = {},
                                   .text = "the logs have no statistic in common that can be compared"});
    else if (report.problems.empty() && cover_other_work(left, right, difference))
        report.problems.push_back(other_work(report));
    report.passed = !report.first_difference && report.problems.empty();
    return report;
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

bool have_one_size(const Frame& a, const Frame& b) {
    return a.width == b.width && a.height == b.height;
}

LocalizableMessage sizes_differ(const Frame& a, const Frame& b) {
    const auto text = [](const Frame& frame) {
        return std::to_string(frame.width) + "x" + std::to_string(frame.height);
    };
    return {.code = "sizes_differ",
            .values = {{"a", text(a)}, {"b", text(b)}},
            .text = "the videos differ in size: " + text(a) + " and " + text(b)};
}

/// Compares two videos frame by frame.
class VideoComparison {
public:
    explicit VideoComparison(double least_psnr_db) : least_psnr_db_(least_psnr_db) {}

    void add(const Frame& one, const Frame& other) {
        const double squares = sum_of_squares(one, other);
        const double psnr = psnr_of(squares / static_cast<double>(one.pixels.size()));
        ++report_.num_compared;
        sum_ += squares;
        values_ += static_cast<double>(one.pixels.size());
        if (psnr < least_psnr_db_) add_difference(FrameDifference{.frame = report_.num_compared - 1, .psnr_db = psnr});
    }

    void add_problem(LocalizableMessage problem) { report_.problems.push_back(std::move(problem)); }

    void set_lengths(int one, int other) {
        report_.num_frames_a = one;
        report_.num_frames_b = other;
    }

    /// Reports that the videos have different numbers of frames. Call set_lengths() first.
    void add_length_difference() {
        report_.settings.push_back({.aspect = SettingAspect::num_frames,
                                    .name = {},
                                    .a = std::to_string(report_.num_frames_a),
                                    .b = std::to_string(report_.num_frames_b)});
        add_difference(LengthDifference{.num_frames = report_.num_compared});
    }

    CompareReport finish() {
        report_.psnr_db = psnr_of(values_ > 0 ? sum_ / values_ : 1);
        report_.passed = !report_.first_difference && report_.problems.empty();
        return std::move(report_);
    }

private:
    void add_difference(const FirstDifference& difference) {
        if (!report_.first_difference) report_.first_difference = difference;
    }

    double least_psnr_db_;
    CompareReport report_{.kind = CompareKind::videos};
    double sum_ = 0;
    double values_ = 0;
};

/// Reads the frames of a video in order.
class Frames {
public:
    Frames(GuardedReader& reader, std::filesystem::path video) : reader_(reader), video_(std::move(video)) {}

    /// Returns null after the last frame.
    FramePtr next() {
        if (at_ == part_.frames.size()) {
            part_ = reader_.read_part(video_, num_read_);
            at_ = 0;
        }
        if (part_.frames.empty()) return nullptr;
        ++num_read_;
        return part_.frames[at_++];
    }
    /// Reads the first frames and warns about what they lack. Throws Error(file_unreadable) if there are none.
    FramePtr first() {
        FramePtr frame = next();
        if (!frame) throw no_readable_frame(video_);
        warn_about(part_.traits, video_);
        known_ = part_.traits;
        return frame;
    }
    /// Warns about what was found after the first frames.
    void end() const {
        for (const ClipTrait trait : part_.traits)
            if (!has_trait(known_, trait)) warn_about({trait}, video_);
    }
    /// The number of frames that were read, if next() has returned null, or that the file declares. Call next() first.
    int count() const { return part_.frames.empty() ? num_read_ : part_.num_total; }

private:
    GuardedReader& reader_;
    std::filesystem::path video_;
    ClipPart part_;
    std::size_t at_ = 0;  ///< index in the part
    int num_read_ = 0;
    std::vector<ClipTrait> known_;  ///< what the user has been warned about
};

CompareReport compare_videos(GuardedReader& reader, const std::filesystem::path& a, const std::filesystem::path& b,
                             double least_psnr_db, const std::function<bool()>& is_cancelled) {
    throw_if_cancelled(is_cancelled);
    Frames left(reader, a), right(reader, b);
    VideoComparison comparison(least_psnr_db);
    FramePtr one = left.first(), other = right.first();
    for (; one && other && have_one_size(*one, *other); one = left.next(), other = right.next()) {
        throw_if_cancelled(is_cancelled);
        comparison.add(*one, *other);
    }
    left.end();
    right.end();
    if (one && other) comparison.add_problem(sizes_differ(*one, *other));
    comparison.set_lengths(left.count(), right.count());
    if ((one == nullptr) != (other == nullptr)) comparison.add_length_difference();
    return comparison.finish();
}

}  // namespace

CompareReport compare_files(GuardedReader& reader, const std::filesystem::path& a, const std::filesystem::path& b,
                            const CompareTolerance& tolerance, const std::function<bool()>& is_cancelled) {
    if (is_log(a) != is_log(b))
        throw Error(ErrorCode::bad_request, "'" + a.string() + "' and '" + b.string() + "' are of different kinds",
                    "Compare two numeric logs (.jsonl), or two videos or folders of PNG frames.");
    try {
        return is_log(a) ? compare_logs(a, b, tolerance.relative, is_cancelled)
                         : compare_videos(reader, a, b, tolerance.psnr_db, is_cancelled);
    } catch (const Cancelled&) {
        throw stopped_comparison();
    }
}

}  // namespace kinescope
