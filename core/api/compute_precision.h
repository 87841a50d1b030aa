#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace kinescope {

/// The type of a tensor's elements. The enumerators have PyTorch's names.
enum class ElementType { float64, float32, bfloat16, float16, float8_e4m3fn, float8_e5m2, int8 };

/// Returns the enumerator's name, as the numeric log spells it.
std::string to_string(ElementType type);
/// The inverse of to_string; nullopt for other texts.
std::optional<ElementType> element_type_from(std::string_view text);

/// The level to which the guard has raised the precision of an op. Each level costs more time and prevents more faults
/// than the one before.
enum class PrecisionLevel {
    planned,  ///< as the compute policy planned
    scaled,   ///< matrix products in the planned dtype, with operands divided by a power of two; attention and results
              ///< in float32
    float32,  ///< the whole op in float32
};

/// Returns the enumerator's name.
std::string to_string(PrecisionLevel level);

/// The precision in which an op computes.
struct ComputePrecision {
    ElementType dtype = ElementType::float32;
    PrecisionLevel level = PrecisionLevel::planned;
    bool operator==(const ComputePrecision&) const = default;
};

/// Returns the precision as the numeric log spells it: "float32", "bfloat16", "float16 scaled".
std::string to_string(const ComputePrecision& precision);
/// Parses a precision in the numeric log's spelling. Returns nullopt for any other text. The log does not distinguish
/// planned from raised float32, so "float32" becomes PrecisionLevel::planned.
std::optional<ComputePrecision> compute_precision_from(std::string_view text);

/// Stands for the precision that the compute policy planned.
struct AsPlanned {
    bool operator==(const AsPlanned&) const = default;
};

/// The device on which a component computes, and its precision there.
struct OnDevice {
    std::string device;                              ///< "cpu", "cuda:0"
    std::optional<ComputePrecision> precision = {};  ///< unset: as planned
    bool operator==(const OnDevice&) const = default;
};

/// How a site, a named place in a model, computes before or after an action of the guard. std::monostate means that the
/// site does not compute, for example because it is a weight in a file.
using ComputeMode = std::variant<std::monostate, AsPlanned, ComputePrecision, OnDevice>;

/// Returns the mode as the numeric log spells it: "", "planned", "float16 scaled", "cuda:0", "cpu, float32".
std::string to_string(const ComputeMode& mode);

}  // namespace kinescope
