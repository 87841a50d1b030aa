#include <algorithm>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/table.h"

namespace kinescope::cli {
namespace {

Json to_document(const VerifyReport& report) {
    Json rows = Json::array();
    for (const VerifyRow& row : report.rows)
        rows.push_back({{"component", row.component},
                        {"tensor", row.tensor},
                        {"max_abs_error", number(row.max_abs_error)},
                        {"relative_error", number(row.relative_error)},
                        {"psnr_db", known_number(row.psnr_db)},
                        {"tolerance", number(row.tolerance)},
                        {"passed", row.passed},
                        {"first_different_block", row.first_different_block}});
    return {{"case", report.case_dir.string()}, {"passed", report.passed}, {"rows", rows}};
}

void print(std::ostream& out, const VerifyReport& report) {
    Table table({"component", "tensor", "max abs error", "relative", "PSNR", "tolerance", "", "first differing block"});
    for (const VerifyRow& row : report.rows) {
        const std::string psnr = row.psnr_db != 0 ? format_number(row.psnr_db) + " dB" : "";
        table.add({row.component, row.tensor, format_number(row.max_abs_error), format_number(row.relative_error), psnr,
                   format_number(row.tolerance), row.passed ? "ok" : "BEYOND", row.first_different_block});
    }
    out << report.case_dir.string() << '\n';
    table.print(out);
    out << (report.passed ? "passed\n" : "FAILED: beyond tolerance\n") << std::endl;
}

struct CaseResult {
    Json document;
    ExitCode exit_code = kDone;
};

/// Verifies a case. Prints the error of a case that cannot be verified, so that the other cases are verified, too.
CaseResult verify_one(const Session& session, Engine& engine, const std::filesystem::path& case_dir,
                      const VerifyOptions& options) {
    try {
        const VerifyReport report = engine.diagnostics().verify(case_dir, options);
        if (session.format == OutputFormat::human) print(session.out, report);
        return {to_document(report), report.passed ? kDone : kFailed};
    } catch (const Error& error) {
        print_error(session, error);
        return {{{"case", case_dir.string()}, {"passed", false}, {"error", to_json(error)}}, exit_code_of(error)};
    }
}

}  // namespace

int verify(const Session& session, const VerifyArguments& arguments) {
    const auto engine = make_quiet_engine(session);
    Json cases = Json::array();
    ExitCode exit_code = kDone;
    for (const auto& case_dir : arguments.case_dirs) {
        const CaseResult result = verify_one(session, *engine, case_dir, arguments.options);
        cases.push_back(result.document);
        if (exit_code != kFailed && result.exit_code != kDone) exit_code = result.exit_code;
    }
    print_json(session, {{"passed", exit_code == kDone},
                         {"device", arguments.options.device},
                         {"dtype", arguments.options.dtype},
                         {"cases", cases}});
    return exit_code;
}

}  // namespace kinescope::cli
