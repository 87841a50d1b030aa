#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope::faults {

using Weights = std::map<std::string, Tensor>;

/// Reads the weights of a component into memory.
Weights read_weights(const std::filesystem::path& model, const std::string& component);

/// Writes a copy of a model to `folder`, with different weights in one component and links to the other files.
std::filesystem::path write_model(const std::filesystem::path& model, const std::filesystem::path& folder,
                                  const std::string& component, const Weights& weights);

/// Changes the scales of a weight's blocks, float32 [blocks], in place.
using BlockEdit = std::function<void(Tensor scales)>;
/// Writes a copy of a GGUF file with edited scales of one Q8_0 weight. Returns `copy`.
std::filesystem::path write_gguf(const std::filesystem::path& file, const std::filesystem::path& copy,
                                 const std::string& weight, const BlockEdit& edit);

/// Returns the names that match a pattern with "*" for indices and for which "<name>.weight" exists.
std::vector<std::string> matching(const Weights& weights, const std::string& pattern);
/// Replaces each "*" in `pattern` by the index that matches it in `like`: with_indices("blocks.*.a", "blocks.*.b",
/// "blocks.3.b") returns "blocks.3.a".
std::string with_indices(const std::string& pattern, const std::string& like, const std::string& name);

/// Multiplies rows of a weight and of its bias. Empty `rows` means all rows.
void scale_rows(Weights& weights, const std::string& name, const std::vector<std::int64_t>& rows, double factor);
void scale_columns(Weights& weights, const std::string& name, const std::vector<std::int64_t>& columns, double factor);

}  // namespace kinescope::faults
