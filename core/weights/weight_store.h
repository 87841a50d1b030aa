#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/weights/stored_weight.h"

namespace kinescope {

/// What a store gives to those who ask for a tensor.
enum class Reading {
    mapped,  ///< its numbers, over the mapped file
    pinned,  ///< a copy of them in memory that a device reads by itself
    names,   ///< nothing: that it is there and has the right shape is all that is looked at
};

/// A reader together with the record of what was asked of it, so that a wrong checkpoint is reported whole. A tensor
/// may be taken again and again; its numbers are looked at once. For one thread at a time, or several that each hold a
/// ReadingScope.
class WeightStore : public std::enable_shared_from_this<WeightStore> {
public:
    explicit WeightStore(std::shared_ptr<const CheckpointReader> reader);
    /// With nothing in it: it gives nothing, and writes down what it is asked for.
    WeightStore() = default;
    const std::vector<TensorEntry>& wanted() const { return wanted_; }

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
    /// Throws Error(not_finite: S0) for what was taken since finish().
    void refuse_damaged() const;
    /// The memory of the tensors that were taken since the last call, to be given back when they have been used.
    std::vector<std::span<const std::byte>> take_pages() { return std::exchange(pages_, {}); }

    /// Another way of reading until it goes out of scope. Two threads take turns: a model's lists of blocks may share a
    /// store, and each brings its next block on a thread of its own.
    class ReadingScope {
    public:
        ReadingScope(WeightStore& store, Reading reading)
            : turn_(store.turn_), store_(store), before_(std::exchange(store.reading_, reading)) {}
        ~ReadingScope() { store_.reading_ = before_; }
        ReadingScope(const ReadingScope&) = delete;
        ReadingScope& operator=(const ReadingScope&) = delete;

    private:
        std::lock_guard<std::mutex> turn_;
        WeightStore& store_;
        Reading before_;
    };

private:
    struct Damage {
        std::string name;
        std::string found;  ///< in words
    };

    /// An entry that is there and fits, and whether it is asked for the first time.
    struct Found {
        const TensorEntry* entry = nullptr;
        bool is_new = false;
    };
    Found find(const std::string& name, const std::vector<std::int64_t>& shape);
    StoredWeight read_checked(const TensorEntry& entry);
    void check_numbers(const TensorEntry& entry, const StoredWeight& weight);
    void warn_of_unused(const std::vector<std::string>& known_unused) const;
    void report_quantised() const;

    std::mutex turn_;
    std::shared_ptr<const CheckpointReader> reader_;
    std::map<std::string, const TensorEntry*> entries_;
    std::vector<TensorEntry> wanted_;
    Reading reading_ = Reading::mapped;
    std::set<std::string> used_;
    std::set<std::string> checked_;
    std::vector<std::span<const std::byte>> pages_;
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

    /// For those who take tensors later on. Throws Error(internal) where the store is on somebody's stack.
    std::shared_ptr<WeightStore> share_store() const;
    WeightStore::ReadingScope names_only() const { return {*store_, Reading::names}; }
    /// Gives back the mapped memory of what has been taken until now.
    void release_pages() const;

private:
    WeightStore* store_;
    std::string prefix_;
};

}  // namespace kinescope
