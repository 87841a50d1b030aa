#include "tests/app/broken_models.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/file_bytes.h"

namespace kinescope::testing {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

/// Returns the name of the first block's query weights; families have different names for their blocks.
std::string query_weights(const Json& header) {
    for (const auto& item : header.items())
        if (item.key().ends_with("blocks.0.attn1.to_q.weight")) return item.key();
    throw std::invalid_argument("the file has no block with an attention layer");
}

void rename_tensor(Json& header) {
    const std::string name = query_weights(header);
    header[name + ".other"] = header.at(name);
    header.erase(name);
}

void flatten_tensor(Json& header) {
    Json& tensor = header[query_weights(header)];
    const auto shape = tensor.at("shape").get<std::vector<std::int64_t>>();
    tensor["shape"] = {shape.at(0) * shape.at(1)};
}

void point_outside(Json& header) {
    Json& offsets = header[query_weights(header)]["data_offsets"];
    offsets = {offsets.at(0), std::int64_t{1} << 40};
}

}  // namespace

fs::path transformer_weights(const fs::path& model) {
    return model / "transformer" / "diffusion_pytorch_model.safetensors";
}

void edit_header(const fs::path& file, const std::function<void(Json&)>& edit) {
    const std::string bytes = contents_of(file);
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    Json header = Json::parse(bytes.substr(sizeof length, length));
    edit(header);
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');  // tensors begin at multiples of 8
    const std::uint64_t new_length = text.size();
    std::array<char, sizeof new_length> prefix{};
    std::memcpy(prefix.data(), &new_length, sizeof new_length);
    std::ofstream stream(file, std::ios::binary | std::ios::trunc);
    stream.write(prefix.data(), prefix.size());
    stream << text << bytes.substr(sizeof length + length);
}

void fill_tensor(const fs::path& file, const std::string& tensor, float value) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    std::uint64_t length = 0;
    stream.read(reinterpret_cast<char*>(&length), sizeof length);
    std::string header(length, ' ');
    stream.read(header.data(), static_cast<std::streamsize>(length));
    const Json entry = Json::parse(header).at(tensor);
    const auto offsets = entry.at("data_offsets").get<std::vector<std::int64_t>>();
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    if (entry.at("dtype") == "BF16") bytes.erase(0, 2);  // keeps the upper half of a little-endian float32
    stream.seekp(static_cast<std::streamoff>(sizeof length + length) + offsets[0]);
    for (auto at = offsets[0]; at < offsets[1]; at += static_cast<std::int64_t>(bytes.size())) stream << bytes;
}

void make_overflowing_model(const fs::path& stepvideo, const fs::path& target) {
    constexpr float kLargeWeight = 29952;
    const std::string tensor = "transformer_blocks.0.ff.net.0.proj.weight";
    fs::copy(stepvideo, target, fs::copy_options::recursive);
    const fs::path folder = target / "transformer";
    const Json index = Json::parse(std::ifstream(folder / "diffusion_pytorch_model.safetensors.index.json"));
    fill_tensor(folder / index.at("weight_map").at(tensor).get<std::string>(), tensor, kLargeWeight);
}

void make_broken_model(const fs::path& model, const fs::path& target, const std::string& fault) {
    fs::copy(model, target, fs::copy_options::recursive);
    const fs::path weights = transformer_weights(target);
    const std::map<std::string, std::function<void()>> faults = {
        {"truncated", [&] { fs::resize_file(weights, fs::file_size(weights) / 2); }},
        {"lying_header", [&] { edit_header(weights, point_outside); }},
        {"missing_tensor", [&] { edit_header(weights, rename_tensor); }},
        {"wrong_shape", [&] { edit_header(weights, flatten_tensor); }},
    };
    faults.at(fault)();
}

}  // namespace kinescope::testing
