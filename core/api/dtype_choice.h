#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/api/compute_precision.h"

namespace kinescope {

/// A value of the fields of a request that select a dtype, such as VideoRequest::dtype and VideoRequest::storage.
enum class DtypeChoice {
    automatic,  ///< the compute policy decides
    fp32,
    bf16,
    fp16,
    fp8,   ///< only for storage
    int8,  ///< only for storage
    gguf,  ///< only for storage: keeps the format of a quantized file
};

/// The names of the choices in requests.
inline constexpr std::array<std::pair<DtypeChoice, const char*>, 7> kDtypeChoiceNames = {
    {{DtypeChoice::automatic, "auto"},
     {DtypeChoice::fp32, "fp32"},
     {DtypeChoice::bf16, "bf16"},
     {DtypeChoice::fp16, "fp16"},
     {DtypeChoice::fp8, "fp8"},
     {DtypeChoice::int8, "int8"},
     {DtypeChoice::gguf, "gguf"}}};
static_assert(kDtypeChoiceNames.size() == static_cast<std::size_t>(DtypeChoice::gguf) + 1);

/// The choices for compute, without DtypeChoice::automatic.
inline constexpr std::array kComputeDtypes{DtypeChoice::fp32, DtypeChoice::bf16, DtypeChoice::fp16};

/// Returns the choice as requests spell it: "auto", "fp32".
std::string to_string(DtypeChoice choice);

/// The inverse of to_string; nullopt for other texts.
std::optional<DtypeChoice> dtype_choice_from(std::string_view text);

/// Returns the dtype that the choice names; nullopt for DtypeChoice::automatic and DtypeChoice::gguf.
std::optional<ElementType> element_type(DtypeChoice choice);

}  // namespace kinescope
