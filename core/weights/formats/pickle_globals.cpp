#include "core/weights/formats/pickle_globals.h"

#include <algorithm>
#include <array>
#include <utility>

namespace kinescope {
namespace {

template <class T, std::size_t N>
std::optional<T> find(const std::array<std::pair<std::string_view, T>, N>& table, std::string_view name) {
    const auto found = std::ranges::find(table, name, &std::pair<std::string_view, T>::first);
    return found == table.end() ? std::nullopt : std::optional(found->second);
}

constexpr std::array<std::pair<std::string_view, PickleFunction>, 4> kFunctions{
    {{"collections.OrderedDict", PickleFunction::ordered_dict},
     {"torch._utils._rebuild_tensor_v2", PickleFunction::rebuild_tensor_v2},
     {"torch._utils._rebuild_tensor_v3", PickleFunction::rebuild_tensor_v3},
     {"torch._utils._rebuild_parameter", PickleFunction::rebuild_parameter}}};

constexpr std::array<std::pair<std::string_view, Dtype>, 12> kStorages{{{"torch.DoubleStorage", Dtype::Double},
                                                                        {"torch.FloatStorage", Dtype::Float},
                                                                        {"torch.HalfStorage", Dtype::Half},
                                                                        {"torch.BFloat16Storage", Dtype::BFloat16},
                                                                        {"torch.LongStorage", Dtype::Long},
                                                                        {"torch.IntStorage", Dtype::Int},
                                                                        {"torch.ShortStorage", Dtype::Short},
                                                                        {"torch.CharStorage", Dtype::Char},
                                                                        {"torch.ByteStorage", Dtype::Byte},
                                                                        {"torch.BoolStorage", Dtype::Bool},
                                                                        {"torch.storage.UntypedStorage", Dtype::Byte},
                                                                        {"torch.UntypedStorage", Dtype::Byte}}};

constexpr std::array<std::pair<std::string_view, Dtype>, 12> kDtypes{{{"torch.float64", Dtype::Double},
                                                                      {"torch.float32", Dtype::Float},
                                                                      {"torch.float16", Dtype::Half},
                                                                      {"torch.bfloat16", Dtype::BFloat16},
                                                                      {"torch.float8_e4m3fn", Dtype::Float8_e4m3fn},
                                                                      {"torch.float8_e5m2", Dtype::Float8_e5m2},
                                                                      {"torch.int64", Dtype::Long},
                                                                      {"torch.int32", Dtype::Int},
                                                                      {"torch.int16", Dtype::Short},
                                                                      {"torch.int8", Dtype::Char},
                                                                      {"torch.uint8", Dtype::Byte},
                                                                      {"torch.bool", Dtype::Bool}}};

}  // namespace

std::optional<PickleFunction> pickle_function(std::string_view name) {
    return find(kFunctions, name);
}

std::optional<Dtype> pickle_storage(std::string_view name) {
    return find(kStorages, name);
}

std::optional<Dtype> pickle_dtype(std::string_view name) {
    return find(kDtypes, name);
}

}  // namespace kinescope
