#include <cmath>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/compare_words.h"
#include "app/cli/exit_code.h"
#include "app/cli/table.h"

namespace kinescope::cli {
namespace {

/// Returns true if all frames or statistics have the same values.
bool is_identical(const CompareReport& report) {
    if (!report.passed || report.num_compared == 0) return false;
    if (report.kind == CompareKind::videos) return std::isinf(report.psnr_db);
    return report.largest_difference == 0 && report.num_other_count == 0 && report.num_unpaired == 0;
}

/// Returns the size of the first difference of two logs; 0: none.
double first_relative(const CompareReport& report) {
    if (!report.first_difference) return 0;
    const auto* found = std::get_if<StatisticDifference>(&*report.first_difference);
    return found == nullptr ? 0 : found->relative;
}

Json settings_document(const CompareReport& report) {
    Json lines = Json::array();
    for (const DifferentSetting& setting : report.settings) lines.push_back(setting_words(setting));
    return lines;
}

std::string first_difference_words(const CompareReport& report) {
    return report.first_difference ? difference_words(*report.first_difference) : "";
}

/// The first difference as values.
struct FirstDocument {
    Json operator()(const StatisticDifference& found) const {
        return {{"phase", found.place.phase},
                {"step", found.place.step},
                {"branch", found.place.branch},
                {"component", found.place.component},
                {"site", found.place.site},
                {"statistic", to_string(found.statistic)},
                {"a", found.a ? number(*found.a) : Json()},
                {"b", found.b ? number(*found.b) : Json()}};
    }
    Json operator()(const FrameDifference& found) const {
        return {{"frame", found.frame}, {"psnr_db", number(found.psnr_db)}};
    }
    Json operator()(const LengthDifference& found) const { return {{"num_frames", found.num_frames}}; }
};

Json to_document(const CompareReport& report) {
    Json json = {{"kind", to_string(report.kind)},
                 {"passed", report.passed},
                 {"identical", is_identical(report)},
                 {"num_compared", report.num_compared},
                 {"first_difference", first_difference_words(report)},
                 {"first", report.first_difference ? std::visit(FirstDocument{}, *report.first_difference) : Json()},
                 {"problems", Json::array()}};
    for (const LocalizableMessage& problem : report.problems) json["problems"].push_back(problem.text);
    if (report.kind == CompareKind::videos) {
        json["psnr_db"] = number(report.psnr_db);
        json["num_frames_a"] = report.num_frames_a;
        json["num_frames_b"] = report.num_frames_b;
        return json;
    }
    json["requests"] = settings_document(report);
    json["first_relative"] = number(first_relative(report));
    json["largest_difference"] = number(report.largest_difference);
    json["largest_site"] = report.largest_place ? place_words(*report.largest_place) : "";
    json["num_in_a"] = report.num_in_a;
    json["num_in_b"] = report.num_in_b;
    json["num_other_count"] = report.num_other_count;
    json["other_count"] = report.other_count ? count_words(*report.other_count) : "";
    json["num_unpaired"] = report.num_unpaired;
    return json;
}

/// Throws Error(bad_usage) for the tolerance of the other kind of files, which would have no effect.
CompareTolerance tolerance_of(const CompareArguments& arguments) {
    const bool are_logs = arguments.a.extension() == ".jsonl" || arguments.a.extension() == ".json";
    if (are_logs && arguments.psnr_db)
        throw Error(ErrorCode::bad_usage, "--psnr has no effect on numeric logs", "Use --tolerance for them.");
    if (!are_logs && arguments.tolerance)
        throw Error(ErrorCode::bad_usage, "--tolerance has no effect on videos", "Use --psnr for them.");
    CompareTolerance tolerance;
    tolerance.relative = arguments.tolerance.value_or(tolerance.relative);
    tolerance.psnr_db = arguments.psnr_db.value_or(tolerance.psnr_db);
    return tolerance;
}

void print_logs(std::ostream& out, const CompareReport& report) {
    out << report.num_compared << " statistics compared, of " << report.num_in_a << " in the first log and "
        << report.num_in_b << " in the second";
    if (report.largest_place)
        out << "; the largest difference is " << format_number(report.largest_difference)
            << " of the largest value, at " << place_words(*report.largest_place);
    out << '\n';
    if (report.other_count)
        out << report.num_other_count << " not compared, because the tensors differ in size; the first is "
            << count_words(*report.other_count) << '\n';
    if (report.num_unpaired > 0) out << report.num_unpaired << " are in only one of the logs\n";
}

const char* verdict(const CompareReport& report) {
    if (is_identical(report)) return "identical";
    if (report.first_difference) return "BEYOND tolerance";
    return report.passed ? "within tolerance" : "NOT COMPARABLE";
}

void print(std::ostream& out, const CompareReport& report) {
    for (const DifferentSetting& setting : report.settings) out << "request: " << setting_words(setting) << '\n';
    const char* const frames = report.num_compared == 1 ? " frame" : " frames";
    if (report.kind == CompareKind::logs)
        print_logs(out, report);
    else if (is_identical(report) || report.num_compared == 0)
        out << report.num_compared << frames << '\n';
    else
        out << report.num_compared << frames << ", " << format_number(report.psnr_db) << " dB\n";
    if (report.first_difference) {
        out << "first difference: " << difference_words(*report.first_difference);
        if (report.kind == CompareKind::logs)
            out << " (" << format_number(first_relative(report)) << " of the largest value)";
        out << '\n';
    }
    for (const LocalizableMessage& problem : report.problems) out << "problem: " << problem.text << '\n';
    out << verdict(report) << std::endl;
}

}  // namespace

int compare(const Session& session, const CompareArguments& arguments) {
    const CompareTolerance tolerance = tolerance_of(arguments);
    const auto engine = make_quiet_engine(session);
    const CompareReport report = engine->diagnostics().compare(arguments.a, arguments.b, tolerance);
    print_json(session, to_document(report));
    if (session.format == OutputFormat::human) print(session.out, report);
    return report.passed ? kDone : kFailed;
}

}  // namespace kinescope::cli
