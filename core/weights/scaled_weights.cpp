#include "core/weights/scaled_weights.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/api/error.h"
#include "core/base/json.h"
#include "core/base/log_line.h"

namespace kinescope {
namespace {

constexpr std::size_t kMaxFormatBytes = 4096;  // for the {"format": ...} of one layer
constexpr const char* kFormatsKey = "_quantization_metadata";

bool is_float8(const TensorEntry& entry) {
    return entry.packing == Packing::none && c10::isFloat8Type(entry.dtype);
}

/// Returns the layer name: "blocks.0.q" for "blocks.0.q.scale_weight". Returns nullopt if `name` has none of the
/// endings.
std::optional<std::string> layer_of(std::string_view name, std::initializer_list<std::string_view> endings) {
    for (const auto ending : endings)
        if (name.size() > ending.size() && name.ends_with(ending) && name[name.size() - ending.size() - 1] == '.')
            return std::string(name.substr(0, name.size() - ending.size() - 1));
    return std::nullopt;
}

bool is_marker(std::string_view name) {
    return name == "scaled_fp8" || name.ends_with(".scaled_fp8");
}

/// Returns true for the name that ComfyUI gives to the format of a layer.
bool is_format(std::string_view name) {
    return name.ends_with(".comfy_quant");
}

/// Returns true if the last part of a name means scales of a weight, in the layout of any program.
bool means_scales(std::string_view name) {
    const auto last = name.substr(name.rfind('.') + 1);
    return last == "scale" || last == "scales" || (last.find("weight") != last.npos && last.find("scale") != last.npos);
}

/// Returns true for one value, or one per row: [rows] or [rows, 1, ...]. Other shapes with as many values scale columns
/// or blocks.
bool scales_rows(const std::vector<std::int64_t>& scale, std::int64_t count, std::int64_t rows) {
    return count == 1 || (count == rows && scale.front() == rows);
}

/// A reader with another list of entries. The values come from the original reader.
class JoinedReader final : public CheckpointReader {
public:
    JoinedReader(std::shared_ptr<const CheckpointReader> reader, std::vector<TensorEntry> entries)
        : reader_(std::move(reader)), entries_(std::move(entries)) {}
    const std::vector<TensorEntry>& entries() const override { return entries_; }
    Tensor read(const std::string& name) const override { return reader_->read(name); }
    const std::map<std::string, std::string>& metadata() const override { return reader_->metadata(); }
    const std::vector<std::filesystem::path>& files() const override { return reader_->files(); }
    std::filesystem::path source_of_damage(const std::string& name) const override {
        return reader_->source_of_damage(name);
    }

private:
    std::shared_ptr<const CheckpointReader> reader_;
    std::vector<TensorEntry> entries_;
};

class Joiner {
public:
    explicit Joiner(std::shared_ptr<const CheckpointReader> reader) : reader_(std::move(reader)) {
        names_formats_ = reader_->metadata().contains(kFormatsKey);
        for (const auto& entry : reader_->entries()) {
            const bool marker = is_marker(entry.name);
            if (is_float8(entry) && !marker) float8_.emplace(entry.name, &entry);
            marked_ = marked_ || marker;
            names_formats_ = names_formats_ || is_format(entry.name);
        }
    }

    std::shared_ptr<const CheckpointReader> join() {
        if (float8_.empty() && !marked_ && !names_formats_) return reader_;
        check_formats_of_header();
        for (const auto& entry : reader_->entries()) take(entry);
        for (auto& entry : kept_) {
            const auto scale = scales_.find(entry.name);
            if (scale != scales_.end()) entry.scale = scale->second;
        }
        warn_of_missing_scales();
        return std::make_shared<JoinedReader>(reader_, std::move(kept_));
    }

private:
    void take(const TensorEntry& entry) {
        if (is_marker(entry.name)) return;
        if (const auto layer = layer_of(entry.name, {"comfy_quant"})) return check_format(*layer, entry);
        if (const auto layer = float8_layer(entry.name, {"scale_input", "input_scale"})) return;
        if (const auto layer = float8_layer(entry.name, {"scale_weight", "weight_scale"}))
            return add_scale(*float8_.at(*layer + ".weight"), entry);
        if (layer_of(entry.name, {"weight_scale_2"})) refuse_format(entry.name, "nvfp4");
        if (means_scales(entry.name) && belongs_to_float8(entry.name)) refuse_scales(entry);
        kept_.push_back(entry);
    }

    std::optional<std::string> float8_layer(const std::string& name,
                                            std::initializer_list<std::string_view> endings) const {
        auto layer = layer_of(name, endings);
        return layer && float8_.contains(*layer + ".weight") ? layer : std::nullopt;
    }

    /// Returns true for "q.X" or "q.weight.X" if "q.weight" is stored as float8.
    bool belongs_to_float8(const std::string& name) const {
        const std::string parent = name.substr(0, name.rfind('.'));
        return float8_.contains(parent) || float8_.contains(parent + ".weight");
    }

    void add_scale(const TensorEntry& weight, const TensorEntry& entry) {
        const auto rows = weight.shape.empty() ? 1 : weight.shape.front();
        const auto count = entry.numel();
        if (!c10::isFloatingType(entry.dtype) || c10::isFloat8Type(entry.dtype) ||
            !scales_rows(entry.shape, count, rows))
            throw Error(ErrorCode::wrong_shape, path() + ": '" + entry.name + "' is not a valid scale for '" +
                                                    weight.name + "': it has " + std::to_string(count) +
                                                    " values of type " + storage_name(entry) + " instead of 1 or " +
                                                    std::to_string(rows) + ", one for each row");
        const auto scale = reader_->read(entry.name).to(at::kFloat);
        auto shape = std::vector<std::int64_t>(count == 1 ? 0 : weight.shape.size(), 1);
        if (!shape.empty()) shape.front() = rows;
        scales_.insert_or_assign(weight.name, scale.reshape(shape));
    }

    void check_format(const std::string& layer, const TensorEntry& entry) const {
        if (entry.dtype != at::kByte || entry.numel() > static_cast<std::int64_t>(kMaxFormatBytes))
            refuse_format(entry.name, storage_name(entry));
        const auto bytes = reader_->read(entry.name).contiguous();
        check_format(layer, std::string_view(static_cast<const char*>(bytes.const_data_ptr()), bytes.nbytes()));
    }

    void check_format(const std::string& layer, std::string_view text) const {
        try {
            check_format(layer, parse_json(text));
        } catch (const JsonError& error) {
            refuse_format(layer, error.what());
        }
    }

    void check_format(const std::string& layer, const Json& json) const {
        const auto format = json.is_object() && json.contains("format") ? json["format"] : Json();
        if (format != "float8_e4m3fn" && format != "float8_e5m2") refuse_format(layer, format.dump());
    }

    void check_formats_of_header() const {
        const auto found = reader_->metadata().find(kFormatsKey);
        if (found == reader_->metadata().end()) return;
        try {
            const Json json = parse_json(found->second);
            if (!json.is_object() || !json.contains("layers") || !json["layers"].is_object())
                refuse_format(kFormatsKey, "it has no layers");
            for (const auto& [layer, value] : json["layers"].items()) check_format(layer, value);
        } catch (const JsonError& error) {
            refuse_format(kFormatsKey, error.what());
        }
    }

    [[noreturn]] void refuse_format(const std::string& layer, const std::string& format) const {
        throw Error(ErrorCode::unsupported,
                    path() + ": '" + layer + "' is quantized as " + format +
                        ", which is not supported. Supported formats: float8_e4m3fn and float8_e5m2",
                    "Use an fp8, GGUF or 16-bit file of this model.", {{"path", path()}});
    }

    [[noreturn]] void refuse_scales(const TensorEntry& entry) const {
        throw Error(ErrorCode::unsupported,
                    path() + ": '" + entry.name + "' scales a float8 weight in a way that is not supported",
                    "Use a file with one scale for each weight or row, or a GGUF or 16-bit file of this model.",
                    {{"path", path()}});
    }

    void warn_of_missing_scales() const {
        if (!marked_) return;
        const auto bare = std::count_if(float8_.begin(), float8_.end(), [this](const auto& weight) {
            return weight.second->shape.size() > 1 && !scales_.contains(weight.first);
        });
        if (bare > 0)
            log_warning(path() + ": the file is marked as scaled, but " + std::to_string(bare) +
                        " float8 tensors have no scale: they are used unscaled");
    }

    std::string path() const { return reader_->files().empty() ? "The checkpoint" : reader_->files().front().string(); }

    std::shared_ptr<const CheckpointReader> reader_;
    bool marked_ = false;
    bool names_formats_ = false;
    std::unordered_map<std::string, const TensorEntry*> float8_;
    std::unordered_map<std::string, Tensor> scales_;
    std::vector<TensorEntry> kept_;
};

}  // namespace

std::shared_ptr<const CheckpointReader> join_scales(std::shared_ptr<const CheckpointReader> reader) {
    return Joiner(std::move(reader)).join();
}

}  // namespace kinescope
