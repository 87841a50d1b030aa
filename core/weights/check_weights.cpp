#include "core/weights/check_weights.h"

#include "core/base/mapped_file.h"
#include "core/device/dtype.h"
#include "core/weights/stored_weight.h"
#include "core/weights/weight_scan.h"

namespace kinescope {

namespace {

WeightFault inspect(const TensorEntry& entry, const StoredWeight& weight) {
    WeightFault fault{.tensor = entry.name, .dtype = storage_name(entry), .count = entry.numel()};
    const StoredDamage damage = find_damage(weight);
    fault.non_finite = damage.non_finite + damage.non_finite_scales;
    fault.bad_scales = damage.bad_scales;
    if (c10::isFloat8Type(weight.data.scalar_type())) fault.saturated = scan_weight(weight.data).saturated;
    if (static_cast<double>(fault.saturated) <= kFloat8Saturated * static_cast<double>(fault.count))
        fault.saturated = 0;
    return fault;
}

}  // namespace

std::vector<WeightFault> check_weights(const CheckpointReader& reader, const std::function<bool(std::int64_t)>& go_on) {
    std::vector<WeightFault> faults;
    for (const TensorEntry& entry : reader.entries()) {
        const StoredWeight weight = read_stored(reader, entry);
        WeightFault fault = inspect(entry, weight);
        if (fault.is_damage() || fault.saturated > 0) faults.push_back(std::move(fault));
        release_pages({static_cast<const std::byte*>(weight.data.const_data_ptr()), weight.data.nbytes()});
        if (!go_on(entry.bytes)) break;
    }
    return faults;
}

}  // namespace kinescope
