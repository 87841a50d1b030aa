#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/table.h"
#include "core/api/byte_size.h"
#include "core/api/joined.h"

namespace kinescope::cli {
namespace {

void print(std::ostream& out, const std::vector<DeviceInfo>& devices) {
    Table table({"device", "name", "capability", "memory", "free", "dtypes", "computes in", "reason"});
    for (const DeviceInfo& device : devices)
        table.add({device.id, device.name, device.capability, format_byte_size(device.memory_total_bytes),
                   format_byte_size(device.memory_free_bytes), joined(device.dtypes, ", "),
                   device.unusable.empty() ? device.compute_dtype : "nothing",
                   device.unusable.empty() ? device.reason : device.unusable.text});
    table.print(out);
}

}  // namespace

int list_devices(const Session& session) {
    const std::vector<DeviceInfo> devices = make_quiet_engine(session)->diagnostics().devices();
    Json rows = Json::array();
    for (const DeviceInfo& device : devices) rows.push_back(to_json(device));
    print_json(session, {{"devices", rows}});
    if (session.format == OutputFormat::human) print(session.out, devices);
    return kDone;
}

}  // namespace kinescope::cli
