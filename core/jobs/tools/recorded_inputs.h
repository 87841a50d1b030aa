#pragma once

#include <filesystem>

#include "core/jobs/translate_error.h"

namespace kinescope {

/// Calls `compute`, which runs a part of a model on the tensors in a file of a golden case, and returns its result.
/// Throws Error(bad_config) if LibTorch cannot compute with them, for example because of their shapes, and what
/// with_translated_errors() throws.
template <class Function>
auto with_recorded_inputs(const std::filesystem::path& file, Function compute) {
    try {
        return with_translated_errors(compute);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::internal) throw;
        throw Error(ErrorCode::bad_config,
                    "the inputs in " + file.string() + " do not fit the model: " + error.message());
    }
}

}  // namespace kinescope
