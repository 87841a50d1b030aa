#include "core/api/dtype_choice.h"

#include <utility>

namespace kinescope {

namespace {

constexpr std::array<std::pair<DtypeChoice, std::string_view>, 7> kDtypeChoiceNames = {
    {{DtypeChoice::automatic, "auto"},
     {DtypeChoice::fp32, "fp32"},
     {DtypeChoice::bf16, "bf16"},
     {DtypeChoice::fp16, "fp16"},
     {DtypeChoice::fp8, "fp8"},
     {DtypeChoice::int8, "int8"},
     {DtypeChoice::gguf, "gguf"}}};
static_assert(kDtypeChoiceNames.size() == static_cast<std::size_t>(DtypeChoice::gguf) + 1);

}  // namespace

std::string to_string(DtypeChoice choice) {
    for (const auto& [known, name] : kDtypeChoiceNames)
        if (known == choice) return std::string(name);
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
