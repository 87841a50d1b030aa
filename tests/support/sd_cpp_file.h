#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope::testing {

/// Returns the shape in which stable-diffusion.cpp stores a tensor: with the first two of five axes merged, and without
/// leading axes of length 1.
inline std::vector<std::int64_t> sd_cpp_shape(std::vector<std::int64_t> shape) {
    if (shape.size() == 5) {
        shape[1] *= shape[0];
        shape.erase(shape.begin());
    }
    while (shape.size() > 1 && shape.front() == 1) shape.erase(shape.begin());
    return shape;
}

/// Writes tensors in float32 to a GGUF file as `sd-cli -M convert` of stable-diffusion.cpp does: without metadata, and
/// in the shapes of sd_cpp_shape().
inline void write_sd_cpp_file(const std::filesystem::path& file, const std::map<std::string, Tensor>& tensors) {
    constexpr std::size_t kAlignment = 32;
    const auto number = []<class T>(T value) {
        return std::string(reinterpret_cast<const char*>(&value), sizeof value);
    };
    const auto padded = [](std::string bytes) {
        bytes.resize((bytes.size() + kAlignment - 1) / kAlignment * kAlignment);
        return bytes;
    };
    std::string data;
    std::string header =
        "GGUF" + number(std::uint32_t{3}) + number(std::uint64_t{tensors.size()}) + number(std::uint64_t{0});
    for (const auto& [name, tensor] : tensors) {
        const auto values = tensor.to(at::kFloat).contiguous();
        const auto shape = sd_cpp_shape(values.sizes().vec());
        header += number(std::uint64_t{name.size()}) + name + number(static_cast<std::uint32_t>(shape.size()));
        for (auto axis = shape.rbegin(); axis != shape.rend(); ++axis) header += number(*axis);
        header += number(std::uint32_t{0}) + number(std::uint64_t{data.size()});
        data = padded(data.append(static_cast<const char*>(values.const_data_ptr()), values.nbytes()));
    }
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << padded(header) << data;
}

}  // namespace kinescope::testing
