#include "core/device/mps_policy.h"

namespace kinescope {

std::int64_t max_attention_rows(const Device& device) {
    constexpr std::int64_t kMpsRows = 2048;
    return device.is_mps() ? kMpsRows : 0;
}

BlockTransfer block_transfer(const Device& device) {
    return device.is_cuda() ? BlockTransfer::beside_computation : BlockTransfer::in_order;
}

}  // namespace kinescope
