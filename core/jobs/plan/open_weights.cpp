#include "core/jobs/plan/open_weights.h"

#include "core/api/component_role.h"
#include "core/api/error.h"
#include "core/device/dtype.h"

namespace kinescope {

namespace {

/// Stands for the reader of a missing weight file: returns its tensor names, shapes and dtypes, but contains no data.
class SyntheticHeaders final : public CheckpointReader {
public:
    explicit SyntheticHeaders(std::vector<TensorEntry> entries) : entries_(std::move(entries)) {}
    const std::vector<TensorEntry>& entries() const override { return entries_; }
    Tensor read(const std::string& name) const override {
        throw Error(ErrorCode::missing_keys, "Cannot read '" + name + "': the weight file is missing");
    }
    const std::map<std::string, std::string>& metadata() const override { return metadata_; }
    const std::vector<std::filesystem::path>& files() const override { return files_; }

private:
    std::vector<TensorEntry> entries_;
    std::map<std::string, std::string> metadata_;
    std::vector<std::filesystem::path> files_;
};

/// Returns the dtype of published files: float32 for VAEs and image encoders, the training dtype for all others.
Dtype published_dtype(const ModelCard& card, const std::string& component) {
    const ComponentRole role = role_of(component);
    if (role == ComponentRole::vae || role == ComponentRole::image_encoder) return at::kFloat;
    for (const auto& name : card.float32_names)
        if (name == component) return at::kFloat;
    return parse_dtype(card.training_dtype).value_or(at::kBFloat16);
}

}  // namespace

std::optional<Error> missing_weights(const ModelFiles& files, const std::string& component) {
    try {
        files.open_weights(component);
        return std::nullopt;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::file_not_found) throw;
        return error;
    }
}

std::shared_ptr<const CheckpointReader> open_or_synthesize_weights(const ModelFiles& files, const ModelFamily& family,
                                                                   const std::string& component) {
    try {
        return files.open_weights(component);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::file_not_found) throw;
    }
    auto entries = family.expected_tensors(files, component);
    const auto dtype = published_dtype(family.card(files), component);
    for (auto& entry : entries) {
        entry.dtype = dtype;
        entry.bytes = entry.numel() * static_cast<std::int64_t>(c10::elementSize(dtype));
    }
    return std::make_shared<SyntheticHeaders>(std::move(entries));
}

}  // namespace kinescope
