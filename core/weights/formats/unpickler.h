#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>

#include "core/weights/formats/byte_cursor.h"
#include "core/weights/formats/pickle_opcodes.h"
#include "core/weights/formats/pickle_values.h"

namespace kinescope {

/// Reads the pickle of a torch.save archive as data. Supports tensors and their storages, dict, OrderedDict, list,
/// tuple, numbers, strings, booleans and None. Rejects any other opcode, function or class by name, and never calls
/// anything. Opcodes: Python's Lib/pickletools.py.
class Unpickler {
public:
    /// Reads a pickle. Throws Error(unsupported) for rejected content, and Error(checkpoint_truncated,
    /// checkpoint_corrupt) for damage.
    Unpickler(std::span<const std::byte> pickle, const Refusal& refusal);

    const PickleValue& root() const { return values_[root_]; }
    const PickleValue& at(PickleId id) const { return values_[id]; }

private:
    void run();
    void execute(std::uint8_t opcode);
    bool execute_constant(PickleOp op);
    bool execute_container(PickleOp op);
    bool execute_memo(PickleOp op);
    bool execute_object(PickleOp op);

    void push(PickleValue value);
    PickleId pop();
    std::vector<PickleId> pop_to_mark();
    PickleId top() const;
    void push_tuple(std::size_t count);
    void push_long();
    void push_big_endian_float();
    void append(std::vector<PickleId> items);
    void set_items(const std::vector<PickleId>& items);
    void memoize(std::uint32_t place);
    void recall(std::uint32_t place);
    void push_global(std::string name);
    std::string_view line();
    void push_storage();
    void reduce();
    void build();

    PickleTensor rebuild_tensor(const PickleTuple& arguments, std::size_t count) const;
    std::vector<std::int64_t> integers(PickleId id) const;

    /// Returns the value as a T. Throws Error(checkpoint_corrupt) if it has another type.
    template <class T>
    const T& as(PickleId id) const {
        const auto* value = std::get_if<T>(&values_[id]);
        if (!value) refusal_.corrupt("its pickle has a value of an unexpected type");
        return *value;
    }

    const Refusal& refusal_;
    ByteCursor cursor_;
    std::vector<PickleValue> values_;
    std::vector<PickleId> stack_;
    std::vector<std::size_t> marks_;  // heights of the stack
    std::unordered_map<std::uint32_t, PickleId> memo_;
    PickleId root_ = 0;
};

}  // namespace kinescope
