#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/faults/draw.h"
#include "tests/faults/families.h"
#include "tests/faults/faulty_model.h"
#include "tests/faults/tiny_run.h"

namespace kinescope::faults {

/// A model with a planted fault.
struct Planted {
    std::string words;
    std::filesystem::path model;
    std::filesystem::path gguf = {};  ///< replaces the denoiser; empty: the denoiser of the model
};

RunReport run_planted(const Family& family, const Planted& planted, RunSettings settings);
/// Runs the model in float32 with every op watched and without healing.
RunReport run_float32(const Family& family, const Planted& planted, std::int64_t seed);
/// Returns settings with one component in float16.
RunSettings lowered(const std::string& component, std::int64_t seed);

/// Writes the family's model with changed weights in one component.
Planted with_weights(const Family& family, const std::filesystem::path& folder, const std::string& component,
                     const Weights& weights, std::string words);
/// Writes the family's model with edited scales of a GGUF weight.
Planted with_gguf(const Family& family, const std::filesystem::path& folder, const std::string& weight,
                  const BlockEdit& edit, std::string words);

std::vector<Scaling> scalings_of(const Family& family, const std::string& component);
/// Returns the largest power of two by which the weight can be multiplied without overflow in float16.
double largest_factor(const Tensor& weight);
void store_as_float16(Weights& weights);

/// Enlarges a drawn weight of a component and shrinks its partner accordingly.
Planted plant_in_weights(const Family& family, const std::string& component, Draw& draw,
                         const std::filesystem::path& folder);
/// Enlarges the block scales (float16) of a drawn weight.
Planted plant_in_gguf(const Family& family, Draw& draw, const std::filesystem::path& folder);

}  // namespace kinescope::faults
