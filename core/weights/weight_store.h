#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/weights/stored_weight.h"

namespace kinescope {

/// A reader together with the record of what was asked of it, so that a wrong checkpoint is reported whole.
class WeightStore {
public:
    explicit WeightStore(std::shared_ptr<const CheckpointReader> reader);

    bool has(const std::string& name) const;
    /// The tensor as stored, a quantised one as float32. A missing one or one of another shape is remembered, and an
    /// undefined tensor returned: finish() reports all of them at once.
    Tensor take(const std::string& name, const std::vector<std::int64_t>& shape);
    /// The same for a layer that dequantises by itself, when it runs.
    StoredWeight take_stored(const std::string& name, const std::vector<std::int64_t>& shape);
    /// Throws Error(missing_keys), Error(wrong_shape) or Error(not_finite: S0)
    /// that lists what was wrong (the first ones by name, and how many). Says in the log what stays quantised and what
    /// was upcast. Tensors that nobody asked for are a warning in the log, unless they begin with one of
    /// `known_unused`: parts that this model has and this task does not need.
    void finish(const std::vector<std::string>& known_unused = {}) const;
    /// Tensors that nobody asked for.
    std::vector<std::string> unused() const;

private:
    struct Damage {
        std::string name;
        std::string found;  ///< in words
    };

    const TensorEntry* find(const std::string& name, const std::vector<std::int64_t>& shape);
    StoredWeight read_checked(const TensorEntry& entry);
    void refuse_damaged() const;
    void warn_of_unused(const std::vector<std::string>& known_unused) const;
    void report_quantised() const;

    std::shared_ptr<const CheckpointReader> reader_;
    std::map<std::string, const TensorEntry*> entries_;
    std::set<std::string> used_;
    std::vector<std::string> missing_;
    std::vector<std::string> mismatched_;
    std::vector<Damage> damaged_;
    std::map<std::string, int> kept_;  // layers that stay quantised, by storage name
    std::vector<std::string> upcast_;
};

/// The tensors below a prefix: what a layer is built from. `scope / "attn1" / "to_q"` names a sub-layer.
class WeightScope {
public:
    explicit WeightScope(WeightStore& store, std::string prefix = {}) : store_(&store), prefix_(std::move(prefix)) {}

    WeightScope operator/(std::string_view name) const;
    WeightScope operator/(std::int64_t index) const { return *this / std::to_string(index); }
    bool has(std::string_view name) const { return store_->has(path(name)); }
    Tensor take(std::string_view name, const std::vector<std::int64_t>& shape) const {
        return store_->take(path(name), shape);
    }
    StoredWeight take_stored(std::string_view name, const std::vector<std::int64_t>& shape) const {
        return store_->take_stored(path(name), shape);
    }
    std::string path(std::string_view name) const;

private:
    WeightStore* store_;
    std::string prefix_;
};

}  // namespace kinescope
