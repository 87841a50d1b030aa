#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/table.h"
#include "core/api/byte_size.h"

namespace kinescope::cli {
namespace {

Json to_document(const DeviceInfo& device) {
    return {{"id", device.id},
            {"name", device.name},
            {"capability", device.capability},
            {"memory_total_bytes", device.memory_total_bytes},
            {"memory_free_bytes", device.memory_free_bytes},
            {"dtypes", device.dtypes},
            {"compute_dtype", device.compute_dtype},
            {"reason", device.reason}};
}

void print(std::ostream& out, const std::vector<DeviceInfo>& devices) {
    Table table({"device", "name", "capability", "memory", "free", "dtypes", "computes in", "reason"});
    for (const DeviceInfo& device : devices)
        table.add({device.id, device.name, device.capability, format_byte_size(device.memory_total_bytes),
                   format_byte_size(device.memory_free_bytes), join(device.dtypes), device.compute_dtype,
                   device.reason});
    table.print(out);
}

}  // namespace

int list_devices(const Session& session) {
    const std::vector<DeviceInfo> devices = make_quiet_engine(session)->devices();
    Json rows = Json::array();
    for (const DeviceInfo& device : devices) rows.push_back(to_document(device));
    print_json(session, {{"devices", rows}});
    if (session.format == OutputFormat::human) print(session.out, devices);
    return kDone;
}

}  // namespace kinescope::cli
