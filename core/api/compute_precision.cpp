#include "core/api/compute_precision.h"

#include <array>

namespace kinescope {

namespace {

constexpr std::array kElementTypes = {ElementType::float64, ElementType::float32,       ElementType::bfloat16,
                                      ElementType::float16, ElementType::float8_e4m3fn, ElementType::float8_e5m2,
                                      ElementType::int8};
static_assert(kElementTypes.size() == static_cast<std::size_t>(ElementType::int8) + 1);
constexpr std::array kSuffixLevels = {PrecisionLevel::planned, PrecisionLevel::scaled};

}  // namespace

std::string to_string(ElementType type) {
    switch (type) {
        case ElementType::float64:
            return "float64";
        case ElementType::float32:
            return "float32";
        case ElementType::bfloat16:
            return "bfloat16";
        case ElementType::float16:
            return "float16";
        case ElementType::float8_e4m3fn:
            return "float8_e4m3fn";
        case ElementType::float8_e5m2:
            return "float8_e5m2";
        case ElementType::int8:
            return "int8";
    }
    return {};
}

std::optional<ElementType> element_type_from(std::string_view text) {
    for (const ElementType type : kElementTypes)
        if (to_string(type) == text) return type;
    return std::nullopt;
}

std::string to_string(PrecisionLevel level) {
    switch (level) {
        case PrecisionLevel::planned:
            return "planned";
        case PrecisionLevel::scaled:
            return "scaled";
        case PrecisionLevel::float32:
            return "float32";
    }
    return {};
}

std::string to_string(const ComputePrecision& precision) {
    return to_string(precision.dtype) + (precision.level == PrecisionLevel::scaled ? " scaled" : "");
}

std::optional<ComputePrecision> compute_precision_from(std::string_view text) {
    for (const ElementType dtype : kElementTypes)
        for (const PrecisionLevel level : kSuffixLevels)
            if (const ComputePrecision precision{dtype, level}; to_string(precision) == text) return precision;
    return std::nullopt;
}

namespace {

struct ModeText {
    std::string operator()(const std::monostate&) const { return {}; }
    std::string operator()(const AsPlanned&) const { return "planned"; }
    std::string operator()(const ComputePrecision& precision) const { return to_string(precision); }
    std::string operator()(const OnDevice& on) const {
        return on.precision ? on.device + ", " + to_string(*on.precision) : on.device;
    }
};

}  // namespace

std::string to_string(const ComputeMode& mode) {
    return std::visit(ModeText(), mode);
}

}  // namespace kinescope
