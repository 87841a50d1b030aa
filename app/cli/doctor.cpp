#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/table.h"
#include "core/api/byte_size.h"

namespace kinescope::cli {
namespace {

Json to_document(const KnownBad& known) {
    return {{"id", known.id}, {"what", known.what}, {"fix", known.fix}, {"link", known.link}};
}

Json to_document(const CanaryFinding& finding) {
    return {{"kind", to_string(finding.kind)},
            {"probe", finding.probe.text},
            {"outcome", to_string(finding.outcome)},
            {"error", number(finding.error)},
            {"tolerance", number(finding.tolerance)},
            {"seconds", number(finding.seconds)},
            {"verdict", finding.verdict},
            {"alternative", finding.alternative}};
}

Json to_document(const LearnedOverride& learned) {
    return {{"device", learned.device}, {"driver", learned.driver},      {"libtorch", learned.libtorch},
            {"model", learned.model},   {"learned", learned.learned},    {"component", learned.component},
            {"site", learned.site},     {"precision", learned.precision}};
}

Json to_document(const DeviceAbility& ability) {
    return {{"id", ability.id},
            {"model", ability.model},
            {"precision", ability.precision},
            {"width", ability.size.width},
            {"height", ability.size.height},
            {"num_frames", ability.num_frames},
            {"fps", ability.fps},
            {"memory_bytes", ability.memory_bytes},
            {"seconds", known_number(ability.seconds)}};
}

Json to_document(const DeviceReport& report);

template <class Rows>
Json list(const Rows& rows) {
    Json json = Json::array();
    for (const auto& row : rows) json.push_back(to_document(row));
    return json;
}

Json to_document(const DeviceReport& report) {
    return {{"device", to_json(report.device)},
            {"canary", {{"summary", report.canary_summary}, {"probes", list(report.canary)}}},
            {"known_bad", list(report.known_bad)},
            {"policy", to_json(report.policy)},
            {"abilities", list(report.abilities)}};
}

Json to_document(const DoctorReport& report) {
    return {{"version", report.version},
            {"libraries", report.libraries},
            {"settings", report.settings},
            {"devices", list(report.devices)},
            {"learned_overrides", list(report.overrides)}};
}

void print_pairs(std::ostream& out, const char* title, const std::map<std::string, std::string>& pairs) {
    out << title << '\n';
    for (const auto& [name, value] : pairs) out << "  " << name << ": " << value << '\n';
    out << '\n';
}

void print_canary(std::ostream& out, const DeviceReport& report) {
    out << "  canary: " << report.canary_summary << '\n';
    for (const CanaryFinding& finding : report.canary)
        if (finding.outcome != ProbeOutcome::passed) out << "    " << finding.verdict << '\n';
}

void print_policy(std::ostream& out, const PolicySummary& policy) {
    out << "  recommended policy, for a model trained in bfloat16:\n";
    for (const ComponentPolicy& row : policy)
        out << "    " << row.component << ": " << row.storage << " in memory, compute in " << row.compute << " ("
            << row.reason << ")\n";
}

void print_abilities(std::ostream& out, const std::vector<DeviceAbility>& abilities) {
    if (!abilities.empty()) out << "  what it can do, with the preset that fits it:\n";
    for (const DeviceAbility& row : abilities)
        out << "    " << row.model << ": " << row.precision << ", " << row.size.width << " x " << row.size.height
            << ", " << row.num_frames << " frames at " << row.fps << " per second, "
            << format_byte_size(row.memory_bytes)
            << (row.seconds > 0 ? ", about " + format_seconds(row.seconds)
                                : ", time estimate available after the first run")
            << '\n';
}

void print(std::ostream& out, const DeviceReport& report) {
    const DeviceInfo& device = report.device;
    out << device.id << "  " << device.name << ", " << device.capability << ", "
        << format_byte_size(device.memory_total_bytes) << (device.driver.empty() ? "" : ", driver " + device.driver)
        << '\n';
    if (!device.unusable.empty()) out << "  cannot compute: " << device.unusable.text << '\n';
    print_canary(out, report);
    for (const KnownBad& known : report.known_bad)
        out << "  known problem: " << known.what << "\n    fix: " << known.fix << "\n    see: " << known.link << '\n';
    if (device.unusable.empty()) print_policy(out, report.policy);
    print_abilities(out, report.abilities);
    out << '\n';
}

void print(std::ostream& out, const std::vector<LearnedOverride>& overrides) {
    if (overrides.empty()) return;
    out << "precision overrides that the guard learned in earlier runs (--forget-overrides deletes them)\n";
    Table table({"component", "site", "precision", "model", "device", "learned"});
    for (const LearnedOverride& row : overrides)
        table.add({row.component, row.site, row.precision, row.model, row.device, row.learned});
    table.print(out);
}

int forget(const Session& session, Engine& engine) {
    const int count = engine.diagnostics().forget_overrides();
    print_json(session, {{"forgotten", count}});
    if (session.format == OutputFormat::human)
        session.out << "deleted the learned overrides of " << count << (count == 1 ? " model\n" : " models\n");
    return kDone;
}

}  // namespace

int doctor(const Session& session, const DoctorArguments& arguments) {
    const auto engine = make_quiet_engine(session);
    if (arguments.overrides == OverrideAction::forget) return forget(session, *engine);
    const DoctorReport report = engine->diagnostics().doctor(arguments.canary);
    print_json(session, to_document(report));
    if (session.format == OutputFormat::json) return kDone;
    session.out << "kinescope-cli " << report.version << "\n\n";
    print_pairs(session.out, "loaded libraries", report.libraries);
    print_pairs(session.out, "numeric settings", report.settings);
    for (const DeviceReport& device : report.devices) print(session.out, device);
    print(session.out, report.overrides);
    return kDone;
}

}  // namespace kinescope::cli
