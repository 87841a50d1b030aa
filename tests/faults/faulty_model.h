#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope::faults {

using Weights = std::map<std::string, Tensor>;

/// The weights of a component, in memory of their own.
Weights read_weights(const std::filesystem::path& model, const std::string& component);

/// A copy of a model in `folder` with other weights in one component. The rest are links.
std::filesystem::path write_model(const std::filesystem::path& model, const std::filesystem::path& folder,
                                  const std::string& component, const Weights& weights);

/// Changes the scales of a weight's blocks, float32 [blocks], in place.
using BlockEdit = std::function<void(Tensor scales)>;
/// A copy of a GGUF file in which one weight, stored as Q8_0, has other scales. Returns `copy`.
std::filesystem::path write_gguf(const std::filesystem::path& file, const std::filesystem::path& copy,
                                 const std::string& weight, const BlockEdit& edit);

/// Names that a pattern with "*" for indices stands for: those whose "<name>.weight" is there.
std::vector<std::string> matching(const Weights& weights, const std::string& pattern);
/// The name that `pattern` gives with the indices that `name` has in `like`: "blocks.*.a" like "blocks.*.b",
/// "blocks.3.b".
std::string with_indices(const std::string& pattern, const std::string& like, const std::string& name);

/// Multiplies rows (and bias) of a weight. No rows: all of them.
void scale_rows(Weights& weights, const std::string& name, const std::vector<std::int64_t>& rows, double factor);
void scale_columns(Weights& weights, const std::string& name, const std::vector<std::int64_t>& columns, double factor);

}  // namespace kinescope::faults
