#include "core/weights/formats/pickle_tensors.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "core/api/utf8.h"

namespace kinescope {
namespace {

constexpr int kMaxDepth = 16;
constexpr std::size_t kMaxVisits = 500'000;  // a value that is referenced several times is visited each time
constexpr std::size_t kMaxName = 1024;
constexpr std::array<std::string_view, 5> kWrappers = {"state_dict", "model_state_dict", "model_state", "model",
                                                       "module"};

class TensorLister {
public:
    TensorLister(const Unpickler& pickle, const Refusal& refusal) : pickle_(pickle), refusal_(refusal) {}

    std::vector<NamedPickleTensor> list() {
        visit(unwrapped(pickle_.root()), "", 0);
        return std::move(tensors_);
    }

private:
    void count_visit(int depth) {
        if (depth > kMaxDepth || ++visits_ > kMaxVisits)
            refusal_.corrupt("its values are nested too deeply or referenced too often for a checkpoint");
    }

    bool holds_tensors(const PickleValue& value, int depth) {
        count_visit(depth);
        if (std::holds_alternative<PickleTensor>(value)) return true;
        if (const auto* dict = std::get_if<PickleDict>(&value)) {
            for (const auto& [key, item] : dict->items)
                if (holds_tensors(pickle_.at(item), depth + 1)) return true;
        }
        for (const auto item : sequence(value))
            if (holds_tensors(pickle_.at(item), depth + 1)) return true;
        return false;
    }

    static std::span<const PickleId> sequence(const PickleValue& value) {
        if (const auto* list = std::get_if<PickleList>(&value)) return list->items;
        if (const auto* tuple = std::get_if<PickleTuple>(&value)) return tuple->items;
        return {};
    }

    const PickleValue& unwrapped(const PickleValue& root) {
        const auto* value = &root;
        for (int depth = 0; const auto* inner = wrapped_dict(*value); ++depth) {
            count_visit(depth);
            value = inner;
        }
        return *value;
    }

    /// Returns the dict inside a wrapper that contains the tensors, or nullptr if `value` is not a wrapper.
    const PickleValue* wrapped_dict(const PickleValue& value) {
        const auto* dict = std::get_if<PickleDict>(&value);
        if (!dict) return nullptr;
        const PickleValue* holder = nullptr;
        const PickleValue* named = nullptr;
        int holders = 0;
        for (const auto& [key, id] : dict->items) {
            const auto& item = pickle_.at(id);
            if (!holds_tensors(item, 0)) continue;
            if (!std::holds_alternative<PickleDict>(item)) return nullptr;
            ++holders;
            holder = &item;
            const auto* name = std::get_if<std::string_view>(&pickle_.at(key));
            if (name && std::ranges::count(kWrappers, *name) > 0) named = &item;
        }
        return holders == 1 ? holder : named;
    }

    void visit(const PickleValue& value, const std::string& name, int depth) {
        count_visit(depth);
        if (const auto* tensor = std::get_if<PickleTensor>(&value)) add(name, *tensor);
        if (const auto* dict = std::get_if<PickleDict>(&value)) {
            for (const auto& [key, item] : dict->items)
                visit(pickle_.at(item), joined(name, key_text(pickle_.at(key))), depth + 1);
        }
        std::size_t place = 0;
        for (const auto item : sequence(value))
            visit(pickle_.at(item), joined(name, std::to_string(place++)), depth + 1);
    }

    void add(const std::string& name, const PickleTensor& tensor) {
        if (find_invalid_utf8(name)) refusal_.corrupt("the name of a tensor is not valid UTF-8");
        if (!names_.insert(name).second) refusal_.corrupt("tensor '" + name + "' occurs twice");
        tensors_.push_back({.name = name, .tensor = tensor});
    }

    std::string joined(const std::string& name, const std::string& key) const {
        auto result = name.empty() ? key : name + "." + key;
        if (result.size() > kMaxName)
            refusal_.corrupt("it has a name of more than " + std::to_string(kMaxName) + " bytes");
        return result;
    }

    std::string key_text(const PickleValue& key) const {
        if (const auto* text = std::get_if<std::string_view>(&key)) return std::string(*text);
        if (const auto* number = std::get_if<std::int64_t>(&key)) return std::to_string(*number);
        return "?";
    }

    const Unpickler& pickle_;
    const Refusal& refusal_;
    std::size_t visits_ = 0;
    std::vector<NamedPickleTensor> tensors_;
    std::unordered_set<std::string> names_;
};

}  // namespace

std::vector<NamedPickleTensor> list_pickle_tensors(const Unpickler& pickle, const Refusal& refusal) {
    return TensorLister(pickle, refusal).list();
}

}  // namespace kinescope
