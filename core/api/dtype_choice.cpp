#include "core/api/dtype_choice.h"

namespace kinescope {

std::string to_string(DtypeChoice choice) {
    for (const auto& [known, name] : kDtypeChoiceNames)
        if (known == choice) return name;
    return {};
}

std::optional<DtypeChoice> dtype_choice_from(std::string_view text) {
    for (const auto& [known, name] : kDtypeChoiceNames)
        if (name == text) return known;
    return std::nullopt;
}

std::optional<ElementType> element_type(DtypeChoice choice) {
    switch (choice) {
        case DtypeChoice::fp32:
            return ElementType::float32;
        case DtypeChoice::bf16:
            return ElementType::bfloat16;
        case DtypeChoice::fp16:
            return ElementType::float16;
        case DtypeChoice::fp8:
            return ElementType::float8_e4m3fn;
        case DtypeChoice::int8:
            return ElementType::int8;
        case DtypeChoice::automatic:
        case DtypeChoice::gguf:
            break;
    }
    return std::nullopt;
}

}  // namespace kinescope
