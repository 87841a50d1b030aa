#include <algorithm>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/option_names.h"
#include "app/cli/table.h"
#include "core/api/video_request_json.h"

namespace kinescope::cli {
namespace {

Json to_document(const VideoRequest& request, const std::vector<BenchRow>& rows) {
    Json parts = Json::array();
    for (const BenchRow& row : rows)
        parts.push_back({{"name", row.name},
                         {"median_seconds", number(row.median_seconds)},
                         {"min_seconds", number(row.min_seconds)},
                         {"max_seconds", number(row.max_seconds)},
                         {"repeats", row.repeats},
                         {"ratio", number(row.ratio)},
                         {"compared_to", row.compared_to}});
    return {{"request", request_document(request)}, {"rows", parts}};
}

void print(std::ostream& out, const std::vector<BenchRow>& rows) {
    Table table({"part", "median", "fastest", "slowest", "repeats", "ratio", "relative to"});
    for (const BenchRow& row : rows)
        table.add({row.name, format_seconds(row.median_seconds), format_seconds(row.min_seconds),
                   format_seconds(row.max_seconds), std::to_string(row.repeats),
                   row.ratio > 0 ? format_number(row.ratio) : "", row.compared_to});
    table.print(out);
    out << "Times are medians over all repeats, or over all steps of all repeats. A ratio compares two medians. Rows "
           "with a "
           "colon come from a separate profiled run.\n";
}

/// Fills in a prompt if there is none. The prompt does not affect the speed, so bench does not require it.
void use_default_prompt(ReadRequest& read) {
    const auto fault = std::ranges::find(read.faults, "prompt", &Fault::field);
    if (fault == read.faults.end() || !read.request.prompt.empty()) return;
    read.request.prompt = fault->fix.empty() ? "a boat on a calm lake" : fault->fix;
    read.faults.erase(fault);
}

}  // namespace

int bench(const Session& session, const BenchArguments& arguments) {
    const auto engine = make_quiet_engine(session);
    ReadRequest read = read_arguments(arguments.request, *engine);
    read.request.output = {};  // of a request file
    validate_with_card(read, *engine);
    use_default_prompt(read);
    if (arguments.repeats < 1 || arguments.repeats > 1000)
        read.faults.push_back(
            {"repeats", "--repeats must be 1 to 1000; it is " + std::to_string(arguments.repeats), "5"});
    if (!read.faults.empty()) return report(session, with_option_names(read.faults, arguments.request));
    const std::vector<BenchRow> rows = engine->diagnostics().bench(read.request, arguments.repeats);
    print_json(session, to_document(read.request, rows));
    if (session.format == OutputFormat::human) print(session.out, rows);
    return kDone;
}

}  // namespace kinescope::cli
