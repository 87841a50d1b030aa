#include "tests/faults/faulty_model.h"

#include <ATen/ATen.h>

#include <fstream>
#include <regex>
#include <stdexcept>
#include <string_view>

#include "core/models/discovery/model_files.h"
#include "core/weights/checkpoint_reader.h"
#include "core/weights/formats/safetensors_writer.h"

namespace kinescope::faults {

namespace fs = std::filesystem;

namespace {

bool is_weights(const fs::path& file) {
    return file.extension() == ".safetensors" || file.filename().string().ends_with(".index.json");
}

std::string regex_of(const std::string& pattern) {
    std::string text;
    for (const char c : pattern) {
        if (c == '*')
            text += "([0-9]+)";
        else if (c == '.')
            text += "\\.";
        else
            text += c;
    }
    return text;
}

}  // namespace

Weights read_weights(const fs::path& model, const std::string& component) {
    const auto reader = read_model_files(model).open_weights(component);
    Weights weights;
    for (const TensorEntry& entry : reader->entries()) weights[entry.name] = reader->read(entry.name).clone();
    return weights;
}

fs::path write_model(const fs::path& model, const fs::path& folder, const std::string& component,
                     const Weights& weights) {
    fs::remove_all(folder);
    fs::create_directories(folder / component);
    for (const auto& entry : fs::directory_iterator(model)) {
        const auto name = entry.path().filename();
        if (name != component) fs::create_symlink(fs::absolute(entry.path()), folder / name);
    }
    fs::path file = "diffusion_pytorch_model.safetensors";
    for (const auto& entry : fs::directory_iterator(model / component)) {
        const auto name = entry.path().filename();
        if (!is_weights(name))
            fs::create_symlink(fs::absolute(entry.path()), folder / component / name);
        else if (name.string().find("-of-") == std::string::npos && name.extension() == ".safetensors")
            file = name;
    }
    // The metadata may contain the component's configuration.
    const auto metadata = read_model_files(model).open_weights(component)->metadata();
    write_safetensors(folder / component / file, weights, metadata);
    return folder;
}

fs::path write_gguf(const fs::path& file, const fs::path& copy, const std::string& weight, const BlockEdit& edit) {
    std::ifstream in(file, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    // uint8 [n, 34]: a float16 scale and 32 values.
    Tensor blocks = open_checkpoint(file)->read(weight).contiguous().clone();
    const std::string_view before(reinterpret_cast<const char*>(blocks.data_ptr<std::uint8_t>()),
                                  static_cast<std::size_t>(blocks.numel()));
    const std::size_t offset = bytes.find(before);
    if (offset == std::string::npos) throw std::runtime_error("the blocks of " + weight + " are not in its file");
    const std::size_t size = before.size();
    Tensor scales = blocks.narrow(1, 0, 2).contiguous().view(at::kHalf).flatten().to(at::kFloat);
    edit(scales);
    blocks.narrow(1, 0, 2).copy_(scales.to(at::kHalf).unsqueeze(1).view(at::kByte));
    bytes.replace(offset, size, reinterpret_cast<const char*>(blocks.data_ptr<std::uint8_t>()), size);
    fs::create_directories(copy.parent_path());
    std::ofstream(copy, std::ios::binary) << bytes;
    return copy;
}

std::vector<std::string> matching(const Weights& weights, const std::string& pattern) {
    const std::regex expected(regex_of(pattern) + "\\.weight");
    std::vector<std::string> names;
    for (const auto& [name, value] : weights)
        if (std::regex_match(name, expected))
            names.push_back(name.substr(0, name.size() - std::string(".weight").size()));
    return names;
}

std::string with_indices(const std::string& pattern, const std::string& like, const std::string& name) {
    std::smatch indices;
    std::regex_match(name, indices, std::regex(regex_of(like)));
    std::string text;
    std::size_t next = 1;
    for (const char c : pattern) {
        if (c == '*' && next < indices.size())
            text += indices[next++].str();
        else
            text += c;
    }
    return text;
}

namespace {

/// Multiplies slices of a weight or a bias along an axis. Empty `places` means all slices.
Tensor scaled(const Tensor& value, std::int64_t axis, const std::vector<std::int64_t>& places, double factor) {
    if (places.empty()) return value * factor;
    return value.index_copy(axis, at::tensor(places, at::kLong),
                            value.index_select(axis, at::tensor(places, at::kLong)) * factor);
}

}  // namespace

void scale_rows(Weights& weights, const std::string& name, const std::vector<std::int64_t>& rows, double factor) {
    for (const char* part : {".weight", ".bias"}) {
        const auto found = weights.find(name + part);
        if (found != weights.end()) found->second = scaled(found->second, 0, rows, factor);
    }
}

void scale_columns(Weights& weights, const std::string& name, const std::vector<std::int64_t>& columns, double factor) {
    Tensor& weight = weights.at(name + ".weight");
    weight = scaled(weight, 1, columns, factor);
}

}  // namespace kinescope::faults
