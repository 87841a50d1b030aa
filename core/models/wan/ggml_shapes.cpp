#include "core/models/wan/ggml_shapes.h"

#include <string_view>
#include <utility>

namespace kinescope::wan {
namespace {

constexpr std::string_view kWeight = "weight";

bool is_table(std::string_view name) {
    return name.ends_with("scale_shift_table") || name == "condition_embedder.image_embedder.pos_embed";
}

/// Returns the number of output channels of a layer, which is the length of its bias, or 0 if there is no bias.
std::int64_t num_outputs(const TensorCatalog& tensors, const std::string& weight) {
    if (!weight.ends_with(kWeight)) return 0;
    return tensors.dim(weight.substr(0, weight.size() - kWeight.size()) + "bias", 0);
}

/// Returns true if the first axis stands for several input channels of each output channel. In other convolutions, it
/// has the length of the bias.
bool is_merged(const std::vector<std::int64_t>& shape, std::int64_t outputs) {
    return shape.size() == 4 && outputs > 0 && shape.front() > outputs && shape.front() % outputs == 0;
}

}  // namespace

TensorShapes ggml_shapes(const TensorCatalog& tensors) {
    TensorShapes shapes;
    for (const TensorEntry& entry : tensors.reader().entries()) {
        auto shape = entry.shape;
        if (const auto outputs = num_outputs(tensors, entry.name); is_merged(shape, outputs)) {
            shape.front() /= outputs;
            shape.insert(shape.begin(), outputs);
        } else if (is_table(entry.name) && shape.size() == 2) {
            shape.insert(shape.begin(), 1);
        }
        if (shape != entry.shape) shapes.emplace(entry.name, std::move(shape));
    }
    return shapes;
}

}  // namespace kinescope::wan
