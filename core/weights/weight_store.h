#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/weights/float8_notes.h"
#include "core/weights/stored_weight.h"

namespace kinescope {

/// The form in which a store returns a tensor.
enum class Reading {
    mapped,  ///< its values in the mapped file
    pinned,  ///< a copy in pinned memory, which a device can read directly
    names,   ///< nothing: only checks that the tensor exists and has the right shape
};

/// Reads a tensor from its checkpoint again: on the CPU, in float32, with all its additions.
using WeightSource = std::function<Tensor()>;

/// Reads tensors and records all requests, so that the errors of a checkpoint can be reported together. A tensor may be
/// requested several times; its values are checked once. Use the store from one thread at a time, or from several
/// threads of which each has a ReadingScope.
class WeightStore : public std::enable_shared_from_this<WeightStore> {
public:
    /// `float8` receives the effects of float8 on the weights. It may be empty.
    explicit WeightStore(std::shared_ptr<const CheckpointReader> reader, Float8Sink float8 = {});
    /// Creates a store without tensors, which only records requests.
    WeightStore() = default;
    const std::vector<TensorEntry>& wanted() const { return wanted_; }

    bool has(const std::string& name) const;
    /// Returns the tensor as stored, or as float32 if it is quantized. Returns an undefined tensor if it is missing or
    /// has another shape; finish() reports all these tensors together.
    Tensor take(const std::string& name, const std::vector<std::int64_t>& shape);
    /// Returns a tensor like take(), but in its storage format, for layers that dequantize when they run.
    StoredWeight take_stored(const std::string& name, const std::vector<std::int64_t>& shape);
    /// Returns a function that reads a tensor again and keeps the checkpoint open. It is empty if there is no such
    /// tensor.
    WeightSource source(const std::string& name) const;
    /// Throws Error(missing_keys) or Error(wrong_shape) if requested tensors are missing, or have other shapes or types
    /// that are not supported. Lists the first tensors by name and counts the others.
    void require_requested() const;
    /// Throws the errors of require_requested(), or Error(not_finite: S0) for invalid values. Logs which tensors stay
    /// quantized and which were upcast. Logs a warning about tensors that were never requested, except those whose
    /// names start with one of `known_unused` (parts of the model that this task does not need).
    void finish(const std::vector<std::string>& known_unused = {}) const;
    /// Returns the names of tensors that were never requested.
    std::vector<std::string> unused() const;
    /// Throws Error(not_finite: S0) for invalid values in tensors that were read since finish().
    void refuse_damaged() const;
    void note_float8(Float8Note note) const;
    /// Returns the mapped memory of the tensors that were read since the last call. The caller must release it after
    /// use.
    std::vector<std::span<const std::byte>> take_pages() { return std::exchange(pages_, {}); }

    /// Changes the reading mode for its lifetime and locks the store. Several lists of blocks may share a store, and
    /// each loads its next block on its own thread.
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
        std::string found;  ///< description
    };

    /// A valid entry, and whether it was requested for the first time.
    struct Found {
        const TensorEntry* entry = nullptr;
        bool is_new = false;
    };
    Found find(const std::string& name, const std::vector<std::int64_t>& shape);
    StoredWeight read_checked(const TensorEntry& entry);
    Tensor pinned_if_possible(const Tensor& data);
    void check_numbers(const TensorEntry& entry, const StoredWeight& weight);
    void warn_of_unused(const std::vector<std::string>& known_unused) const;
    void report_quantized() const;

    std::mutex turn_;
    std::shared_ptr<const CheckpointReader> reader_;
    Float8Sink float8_;
    std::map<std::string, const TensorEntry*> entries_;
    std::vector<TensorEntry> wanted_;
    Reading reading_ = Reading::mapped;
    bool can_pin_ = true;  ///< false once the system has refused pinned memory
    std::set<std::string> used_;
    std::set<std::string> checked_;
    std::vector<std::span<const std::byte>> pages_;
    std::vector<std::string> missing_;
    std::vector<std::string> mismatched_;
    std::size_t unsupported_ = 0;  ///< number of those in mismatched_ that have an unsupported type
    std::vector<Damage> damaged_;
    std::map<std::string, int> kept_;  // number of tensors that stay quantized, by storage name
    std::vector<std::string> upcast_;
};

/// The tensors below a prefix, from which a layer is built. `scope / "attn1" / "to_q"` is a sub-layer.
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
    WeightSource source(std::string_view name) const { return store_->source(path(name)); }
    std::string path(std::string_view name) const;
    void note_float8(Float8Note note) const { store_->note_float8(std::move(note)); }

    /// Returns the store, for layers that read tensors later. Throws Error(internal) if the store is not owned by a
    /// shared_ptr.
    std::shared_ptr<WeightStore> share_store() const;
    WeightStore::ReadingScope names_only() const { return {*store_, Reading::names}; }
    /// Releases the mapped memory of the tensors read so far.
    void release_pages() const;

private:
    WeightStore* store_;
    std::string prefix_;
};

}  // namespace kinescope
