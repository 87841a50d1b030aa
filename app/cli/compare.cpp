#include <cmath>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/table.h"

namespace kinescope::cli {
namespace {

/// Returns true if all frames or statistics have the same values.
bool is_identical(const CompareReport& report) {
    if (!report.passed || report.num_compared == 0) return false;
    if (report.kind == "videos") return std::isinf(report.psnr_db);
    return report.largest_difference == 0 && report.num_other_count == 0 && report.num_unpaired == 0;
}

Json to_document(const CompareReport& report) {
    Json json = {{"kind", report.kind},
                 {"passed", report.passed},
                 {"identical", is_identical(report)},
                 {"num_compared", report.num_compared},
                 {"first_difference", report.first_difference},
                 {"problems", Json::array()}};
    for (const LocalizableMessage& problem : report.problems) json["problems"].push_back(problem.text);
    if (report.kind == "videos") {
        json["psnr_db"] = number(report.psnr_db);
        return json;
    }
    json["requests"] = report.requests;
    json["first_relative"] = number(report.first_relative);
    json["largest_difference"] = number(report.largest_difference);
    json["largest_site"] = report.largest_site;
    json["num_other_count"] = report.num_other_count;
    json["other_count"] = report.other_count;
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
    out << report.num_compared << " statistics compared";
    if (!report.largest_site.empty())
        out << "; the largest difference is " << format_number(report.largest_difference)
            << " of the largest value, at " << report.largest_site;
    out << '\n';
    if (report.num_other_count > 0)
        out << report.num_other_count << " not compared, because the tensors differ in size; the first is "
            << report.other_count << '\n';
    if (report.num_unpaired > 0) out << report.num_unpaired << " are in only one of the logs\n";
}

const char* verdict(const CompareReport& report) {
    if (is_identical(report)) return "identical";
    if (!report.first_difference.empty()) return "BEYOND tolerance";
    return report.passed ? "within tolerance" : "NOT COMPARABLE";
}

void print(std::ostream& out, const CompareReport& report) {
    for (const std::string& line : report.requests) out << "request: " << line << '\n';
    const char* const frames = report.num_compared == 1 ? " frame" : " frames";
    if (report.kind != "videos")
        print_logs(out, report);
    else if (is_identical(report) || report.num_compared == 0)
        out << report.num_compared << frames << '\n';
    else
        out << report.num_compared << frames << ", " << format_number(report.psnr_db) << " dB\n";
    if (!report.first_difference.empty()) {
        out << "first difference: " << report.first_difference;
        if (report.kind == "logs") out << " (" << format_number(report.first_relative) << " of the largest value)";
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
