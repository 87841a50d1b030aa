#pragma once

#include <ATen/ATen.h>

#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/numerics/probe.h"
#include "core/weights/checkpoint_reader.h"

namespace kinescope::testing {

/// Returns tests/data/<path>.
inline std::filesystem::path test_data(const std::string& path) {
    return std::filesystem::path(KINESCOPE_TEST_DATA) / path;
}

/// Returns the maximum absolute error relative to the largest absolute reference value. Infinite if the shapes differ
/// or a value is NaN.
inline double relative_error(const Tensor& value, const Tensor& reference) {
    if (!value.defined() || value.sizes() != reference.sizes()) return INFINITY;
    const auto error = (value.to(at::kDouble) - reference.to(at::kDouble)).abs().max().item<double>();
    return std::isfinite(error) ? error / reference.to(at::kDouble).abs().max().item<double>() : INFINITY;
}

inline bool all_finite(const Tensor& value) {
    return at::isfinite(value).all().item<bool>();
}

/// Stores a copy of every observed tensor by its site.
class RecordingProbe final : public Probe {
public:
    void observe(const Observation& observation) override {
        seen[std::string(observation.site)].push_back(observation.value.clone());
    }
    std::map<std::string, std::vector<Tensor>> seen;
};

/// Asks every op for a part of its result, and stores the relative errors of the parts by "<component>.<site>".
class ShadowingProbe final : public Probe {
public:
    bool wants_shadow(std::string_view, std::string_view) const override { return true; }
    void shadow(const Observation& seen, ShadowPart part) override {
        if (!part.actual.defined()) return;
        const std::string site = std::string(seen.component).append(".").append(seen.site);
        errors[site].push_back(relative_error(part.actual, part.reference()));
    }
    std::map<std::string, std::vector<double>> errors;
};

/// Writes a NaN into the first tensor observed at a site.
class SpoilingProbe final : public Probe {
public:
    explicit SpoilingProbe(std::string site) : site_(std::move(site)) {}
    Watch watch() const override { return Watch::ops; }
    void observe(const Observation& observation) override {
        if (std::exchange(is_spoilt_, is_spoilt_ || observation.site == site_) || observation.site != site_) return;
        Tensor(observation.value).flatten()[0].fill_(std::numeric_limits<float>::quiet_NaN());
    }

private:
    std::string site_;
    bool is_spoilt_ = false;
};

/// A checkpoint of tensors in memory.
class MemoryCheckpoint final : public CheckpointReader {
public:
    void add(const std::string& name, const Tensor& tensor) {
        entries_.push_back({name, tensor.sizes().vec(), tensor.scalar_type(),
                            static_cast<std::int64_t>(tensor.numel() * tensor.element_size())});
        tensors_[name] = tensor;
    }
    const std::vector<TensorEntry>& entries() const override { return entries_; }
    Tensor read(const std::string& name) const override { return tensors_.at(name); }
    const std::map<std::string, std::string>& metadata() const override { return metadata_; }
    const std::vector<std::filesystem::path>& files() const override { return files_; }

private:
    std::vector<TensorEntry> entries_;
    std::map<std::string, Tensor> tensors_;
    std::map<std::string, std::string> metadata_;
    std::vector<std::filesystem::path> files_;
};

/// Returns a checkpoint whose floating-point tensors have the dtypes that `choose` returns for their indices.
inline std::shared_ptr<const CheckpointReader> stored_as(const std::filesystem::path& path,
                                                         const std::function<Dtype(std::size_t)>& choose) {
    const auto original = open_checkpoint(path);
    auto result = std::make_shared<MemoryCheckpoint>();
    std::size_t number = 0;
    for (const auto& entry : original->entries()) {
        const auto tensor = original->read(entry.name);
        result->add(entry.name, tensor.is_floating_point() ? tensor.to(choose(number++)) : tensor);
    }
    return result;
}

/// One row of a test of all dtype combinations: the dtype in the file, in memory and in computation.
struct DtypeCase {
    std::string name;
    std::function<Dtype(std::size_t)> stored;
    Dtype storage;
    Dtype compute;
};

inline std::vector<DtypeCase> dtype_cases() {
    const std::vector<Dtype> dtypes{at::kFloat, at::kHalf, at::kBFloat16};
    std::vector<DtypeCase> cases;
    for (const auto compute : dtypes) {
        for (const auto stored : dtypes)
            for (const auto storage : {stored, compute})
                cases.push_back({std::string(at::toString(stored)) + " kept " + at::toString(storage) + " computed " +
                                     at::toString(compute),
                                 [stored](std::size_t) { return stored; }, storage, compute});
        cases.push_back({std::string("mixed computed ") + at::toString(compute),
                         [dtypes](std::size_t i) { return dtypes[i % 3]; }, compute, compute});
    }
    return cases;
}

}  // namespace kinescope::testing
