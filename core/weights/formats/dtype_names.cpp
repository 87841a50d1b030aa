#include "core/weights/formats/dtype_names.h"

#include <array>
#include <utility>

namespace kinescope {
namespace {

constexpr std::array<std::pair<std::string_view, Dtype>, 12> kNames{{{"F64", Dtype::Double},
                                                                     {"F32", Dtype::Float},
                                                                     {"F16", Dtype::Half},
                                                                     {"BF16", Dtype::BFloat16},
                                                                     {"F8_E4M3", Dtype::Float8_e4m3fn},
                                                                     {"F8_E5M2", Dtype::Float8_e5m2},
                                                                     {"I64", Dtype::Long},
                                                                     {"I32", Dtype::Int},
                                                                     {"I16", Dtype::Short},
                                                                     {"I8", Dtype::Char},
                                                                     {"U8", Dtype::Byte},
                                                                     {"BOOL", Dtype::Bool}}};

}  // namespace

std::optional<Dtype> dtype_from_safetensors(std::string_view name) {
    for (const auto& [known, dtype] : kNames) {
        if (known == name) return dtype;
    }
    return std::nullopt;
}

std::optional<std::string_view> safetensors_name(Dtype dtype) {
    for (const auto& [name, known] : kNames) {
        if (known == dtype) return name;
    }
    return std::nullopt;
}

}  // namespace kinescope
