#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/table.h"

namespace kinescope::cli {
namespace {

Json to_document(const CompareReport& report) {
    Json json = {{"kind", report.kind},
                 {"passed", report.passed},
                 {"num_compared", report.num_compared},
                 {"first_difference", report.first_difference}};
    if (report.kind == "videos") {
        json["psnr_db"] = number(report.psnr_db);
        return json;
    }
    json["requests"] = report.requests;
    json["largest_difference"] = number(report.largest_difference);
    json["largest_site"] = report.largest_site;
    return json;
}

void print(std::ostream& out, const CompareReport& report) {
    for (const std::string& line : report.requests) out << "request: " << line << '\n';
    if (report.kind == "videos")
        out << report.num_compared << " frames, " << format_number(report.psnr_db) << " dB\n";
    else
        out << report.num_compared << " statistics compared; the largest difference is "
            << format_number(report.largest_difference) << (report.largest_site.empty() ? "" : " at ")
            << report.largest_site << '\n';
    if (!report.first_difference.empty()) out << "they part at " << report.first_difference << '\n';
    out << (report.passed ? "within tolerance" : "BEYOND tolerance") << std::endl;
}

}  // namespace

int compare(const Session& session, const CompareArguments& arguments) {
    const auto engine = make_quiet_engine(session);
    const CompareReport report = engine->compare(arguments.a, arguments.b, arguments.tolerance);
    print_json(session, to_document(report));
    if (session.format == OutputFormat::human) print(session.out, report);
    return report.passed ? kDone : kFailed;
}

}  // namespace kinescope::cli
