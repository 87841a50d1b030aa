#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// Values of a pickle live in one list and name each other by their places in it: a pickle may let a list hold itself.
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
/// The name of a function or class, never the thing itself: "torch._utils._rebuild_tensor_v2".
struct PickleGlobal {
    std::string name;
};
struct PickleStorage {
    std::string_view key;  ///< of the archive's member "data/<key>"
    Dtype dtype = at::kByte;
};
struct PickleTensor {
    PickleStorage storage;
    Dtype dtype = at::kFloat;
    std::int64_t offset = 0;  ///< in numbers, into the storage
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides;  ///< in numbers
};

/// Texts point into the pickle.
using PickleValue = std::variant<PickleNone, bool, std::int64_t, double, std::string_view, PickleTuple, PickleList,
                                 PickleDict, PickleGlobal, PickleStorage, PickleTensor>;

}  // namespace kinescope
