#include "core/weights/formats/safetensors_writer.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/error.h"
#include "core/base/json.h"
#include "core/weights/formats/dtype_names.h"

namespace kinescope {
namespace {

using NamedTensor = std::pair<std::string, Tensor>;

std::span<const std::byte> bytes_of(const Tensor& tensor) {
    return {static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes()};
}

/// Sorts the tensors by element size, largest first, so that every tensor is aligned, and then by name.
std::vector<NamedTensor> in_file_order(const std::map<std::string, Tensor>& tensors) {
    std::vector<NamedTensor> ordered;
    for (const auto& [name, tensor] : tensors) ordered.emplace_back(name, tensor.detach().cpu().contiguous());
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const auto& a, const auto& b) { return a.second.element_size() > b.second.element_size(); });
    return ordered;
}

std::string header_text(const std::vector<NamedTensor>& tensors, const std::map<std::string, std::string>& metadata) {
    Json header = Json::object();
    if (!metadata.empty()) header["__metadata__"] = metadata;
    std::size_t offset = 0;
    for (const auto& [name, tensor] : tensors) {
        const auto dtype = safetensors_name(tensor.scalar_type());
        if (!dtype) {
            throw Error(ErrorCode::unsupported,
                        "Tensor '" + name +
                            "' has a dtype that safetensors does not support: " + c10::toString(tensor.scalar_type()));
        }
        const auto end = offset + tensor.nbytes();
        header[name] = {{"dtype", *dtype}, {"shape", tensor.sizes().vec()}, {"data_offsets", {offset, end}}};
        offset = end;
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    return text;
}

}  // namespace

void write_safetensors(const std::filesystem::path& file, const std::map<std::string, Tensor>& tensors,
                       const std::map<std::string, std::string>& metadata, FileAccess access) {
    AtomicFile output(file, access);
    write_safetensors(output, tensors, metadata);
    output.commit();
}

void write_safetensors(AtomicFile& output, const std::map<std::string, Tensor>& tensors,
                       const std::map<std::string, std::string>& metadata) {
    const auto ordered = in_file_order(tensors);
    const std::string header = header_text(ordered, metadata);
    const std::uint64_t length = header.size();
    output.write(std::as_bytes(std::span(&length, 1)));
    output.write(header);
    for (const auto& [name, tensor] : ordered) output.write(bytes_of(tensor));
}

}  // namespace kinescope
