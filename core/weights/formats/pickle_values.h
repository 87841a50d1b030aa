#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// Index into the list of all values of a pickle. Values refer to each other by index, because a pickle may contain
/// cycles.
using PickleId = std::uint32_t;

struct PickleNone {};
struct PickleTuple {
    std::vector<PickleId> items;
};
struct PickleList {
    std::vector<PickleId> items;
};
struct PickleDict {
    std::vector<std::pair<PickleId, PickleId>> items;
};
/// The name of a function or class, such as "torch._utils._rebuild_tensor_v2". It is never resolved to code.
struct PickleGlobal {
    std::string name;
};
struct PickleStorage {
    std::string_view key;  ///< the archive member is "data/<key>"
    Dtype dtype = at::kByte;
};
struct PickleTensor {
    PickleStorage storage;
    Dtype dtype = at::kFloat;
    std::int64_t offset = 0;  ///< offset in the storage, in elements
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides;  ///< in elements
};

/// A value of a pickle. Strings point into the pickle's bytes.
using PickleValue = std::variant<PickleNone, bool, std::int64_t, double, std::string_view, PickleTuple, PickleList,
                                 PickleDict, PickleGlobal, PickleStorage, PickleTensor>;

}  // namespace kinescope
