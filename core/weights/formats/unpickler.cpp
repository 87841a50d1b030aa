#include "core/weights/formats/unpickler.h"

#include <bit>
#include <cstring>
#include <utility>

#include "core/weights/formats/pickle_globals.h"

namespace kinescope {
namespace {

constexpr std::size_t kMaxValues = 1'000'000;  // a checkpoint with 1,300 tensors has 30,000

}  // namespace

Unpickler::Unpickler(std::span<const std::byte> pickle, const Refusal& refusal)
    : refusal_(refusal), cursor_(pickle, refusal, "of its pickle") {
    run();
}

void Unpickler::run() {
    for (;;) {
        const auto opcode = cursor_.number<std::uint8_t>();
        if (static_cast<PickleOp>(opcode) == PickleOp::stop) break;
        execute(opcode);
    }
    root_ = pop();
}

void Unpickler::execute(std::uint8_t opcode) {
    const auto op = static_cast<PickleOp>(opcode);
    if (execute_constant(op) || execute_container(op) || execute_memo(op) || execute_object(op)) return;
    refusal_.unsupported(
        "its pickle contains the opcode " + refused_opcode_name(opcode) + ", which checkpoints do not need",
        "If you trust its author, open it in PyTorch and save only the tensors as safetensors.");
}

bool Unpickler::execute_constant(PickleOp op) {
    switch (op) {
        case PickleOp::none:
            push(PickleNone());
            return true;
        case PickleOp::new_true:
            push(true);
            return true;
        case PickleOp::new_false:
            push(false);
            return true;
        case PickleOp::bin_int:
            push(std::int64_t{cursor_.number<std::int32_t>()});
            return true;
        case PickleOp::bin_int1:
            push(std::int64_t{cursor_.number<std::uint8_t>()});
            return true;
        case PickleOp::bin_int2:
            push(std::int64_t{cursor_.number<std::uint16_t>()});
            return true;
        case PickleOp::long1:
            push_long();
            return true;
        case PickleOp::bin_float:
            push_big_endian_float();
            return true;
        case PickleOp::bin_string:
        case PickleOp::bin_unicode:
            push(cursor_.text(cursor_.number<std::uint32_t>()));
            return true;
        case PickleOp::short_bin_string:
        case PickleOp::short_bin_unicode:
            push(cursor_.text(cursor_.number<std::uint8_t>()));
            return true;
        default:
            return false;
    }
}

bool Unpickler::execute_container(PickleOp op) {
    switch (op) {
        case PickleOp::mark:
            marks_.push_back(stack_.size());
            return true;
        case PickleOp::empty_tuple:
            push(PickleTuple());
            return true;
        case PickleOp::empty_list:
            push(PickleList());
            return true;
        case PickleOp::empty_dict:
            push(PickleDict());
            return true;
        case PickleOp::tuple:
            push(PickleTuple{pop_to_mark()});
            return true;
        case PickleOp::tuple1:
            push_tuple(1);
            return true;
        case PickleOp::tuple2:
            push_tuple(2);
            return true;
        case PickleOp::tuple3:
            push_tuple(3);
            return true;
        case PickleOp::append:
            append({pop()});
            return true;
        case PickleOp::appends:
            append(pop_to_mark());
            return true;
        case PickleOp::set_item: {
            const auto value = pop();
            set_items({pop(), value});
            return true;
        }
        case PickleOp::set_items:
            set_items(pop_to_mark());
            return true;
        default:
            return false;
    }
}

bool Unpickler::execute_memo(PickleOp op) {
    switch (op) {
        case PickleOp::put:
            memoize(cursor_.number<std::uint8_t>());
            return true;
        case PickleOp::long_put:
            memoize(cursor_.number<std::uint32_t>());
            return true;
        case PickleOp::memoize:
            memoize(static_cast<std::uint32_t>(memo_.size()));
            return true;
        case PickleOp::get:
            recall(cursor_.number<std::uint8_t>());
            return true;
        case PickleOp::long_get:
            recall(cursor_.number<std::uint32_t>());
            return true;
        case PickleOp::protocol:
            cursor_.skip(1);
            return true;
        case PickleOp::frame:
            cursor_.skip(8);
            return true;
        default:
            return false;
    }
}

bool Unpickler::execute_object(PickleOp op) {
    switch (op) {
        case PickleOp::global: {
            const auto module = std::string(line());
            push_global(module + "." + std::string(line()));
            return true;
        }
        case PickleOp::stack_global: {
            const auto name = as<std::string_view>(pop());
            push_global(std::string(as<std::string_view>(pop())) + "." + std::string(name));
            return true;
        }
        case PickleOp::persistent_id:
            push_storage();
            return true;
        case PickleOp::reduce:
            reduce();
            return true;
        case PickleOp::build:
            build();
            return true;
        default:
            return false;
    }
}

void Unpickler::push(PickleValue value) {
    if (values_.size() == kMaxValues) refusal_.corrupt("its pickle has more than a million values");
    stack_.push_back(static_cast<PickleId>(values_.size()));
    values_.push_back(std::move(value));
}

PickleId Unpickler::top() const {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back()))
        refusal_.corrupt("its pickle pops more values than it pushed");
    return stack_.back();
}

PickleId Unpickler::pop() {
    const auto id = top();
    stack_.pop_back();
    return id;
}

std::vector<PickleId> Unpickler::pop_to_mark() {
    if (marks_.empty()) refusal_.corrupt("its pickle has no mark to pop to");
    const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<PickleId> items(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return items;
}

void Unpickler::push_tuple(std::size_t count) {
    std::vector<PickleId> items(count);
    for (auto item = items.rbegin(); item != items.rend(); ++item) *item = pop();
    push(PickleTuple{std::move(items)});
}

void Unpickler::push_long() {
    const auto count = cursor_.number<std::uint8_t>();
    const auto bytes = cursor_.text(count);
    if (count > sizeof(std::int64_t))
        refusal_.corrupt("its pickle has an integer of " + std::to_string(count) + " bytes");
    const bool negative = count > 0 && static_cast<signed char>(bytes.back()) < 0;
    std::int64_t value = negative ? -1 : 0;
    std::memcpy(&value, bytes.data(), count);
    push(value);
}

void Unpickler::push_big_endian_float() {
    push(std::bit_cast<double>(__builtin_bswap64(cursor_.number<std::uint64_t>())));
}

void Unpickler::append(std::vector<PickleId> items) {
    auto* list = std::get_if<PickleList>(&values_[top()]);
    if (!list) refusal_.corrupt("its pickle appends to a value that is not a list");
    list->items.insert(list->items.end(), items.begin(), items.end());
}

void Unpickler::set_items(const std::vector<PickleId>& items) {
    auto* dict = std::get_if<PickleDict>(&values_[top()]);
    if (!dict || items.size() % 2 != 0) refusal_.corrupt("its pickle sets items of a value that is not a dict");
    for (std::size_t i = 0; i < items.size(); i += 2) dict->items.emplace_back(items[i], items[i + 1]);
}

void Unpickler::memoize(std::uint32_t place) {
    if (memo_.size() > kMaxValues) refusal_.corrupt("its pickle memoizes more than a million values");
    memo_.insert_or_assign(place, top());
}

void Unpickler::recall(std::uint32_t place) {
    const auto found = memo_.find(place);
    if (found == memo_.end()) refusal_.corrupt("its pickle reads a memo entry that it never wrote");
    stack_.push_back(found->second);
}

std::string_view Unpickler::line() {
    // The longest name in use has 30 characters.
    constexpr std::size_t kMaxLine = 256;
    auto rest = cursor_;
    std::size_t count = 0;
    while (rest.number<char>() != '\n')
        if (++count > kMaxLine)
            refusal_.corrupt("its pickle has a name of more than " + std::to_string(kMaxLine) + " characters");
    const auto text = cursor_.text(count);
    cursor_.skip(1);
    return text;
}

void Unpickler::push_global(std::string name) {
    if (!pickle_function(name) && !pickle_storage(name) && !pickle_dtype(name))
        refusal_.unsupported("its pickle refers to '" + name + "', which checkpoints do not need. No code was executed",
                             "If you trust its author, open it in PyTorch and save only the tensors as safetensors.");
    push(PickleGlobal{std::move(name)});
}

/// Pushes a storage. Its persistent id is the tuple ("storage", class, key, device, number of elements).
void Unpickler::push_storage() {
    const auto& items = as<PickleTuple>(pop()).items;
    if (items.size() != 5 || as<std::string_view>(items[0]) != "storage")
        refusal_.corrupt("its pickle has a persistent id that is not a storage");
    const auto dtype = pickle_storage(as<PickleGlobal>(items[1]).name);
    if (!dtype) refusal_.corrupt("its pickle has a storage of an unknown class");
    push(PickleStorage{.key = as<std::string_view>(items[2]), .dtype = *dtype});
}

void Unpickler::reduce() {
    const auto& arguments = as<PickleTuple>(pop());  // a hostile file calls many functions with one long tuple
    const auto& name = as<PickleGlobal>(pop()).name;
    const auto function = pickle_function(name);
    if (!function) refusal_.unsupported("its pickle calls '" + name + "', which is not a function");
    switch (*function) {
        case PickleFunction::ordered_dict:
            if (!arguments.items.empty()) refusal_.corrupt("its pickle creates an OrderedDict with arguments");
            push(PickleDict());
            break;
        case PickleFunction::rebuild_tensor_v2:
            push(rebuild_tensor(arguments, 6));
            break;
        case PickleFunction::rebuild_tensor_v3:
            push(rebuild_tensor(arguments, 7));
            break;
        case PickleFunction::rebuild_parameter:
            if (arguments.items.empty()) refusal_.corrupt("its pickle has a parameter without a tensor");
            push(as<PickleTensor>(arguments.items.front()));
            break;
    }
}

/// Returns a tensor. Its arguments are (storage, offset, shape, strides, requires_grad, hooks[, dtype][, metadata]).
PickleTensor Unpickler::rebuild_tensor(const PickleTuple& arguments, std::size_t count) const {
    const auto& items = arguments.items;
    if (items.size() < count) refusal_.corrupt("its pickle has a tensor with too few arguments");
    PickleTensor tensor;
    tensor.storage = as<PickleStorage>(items[0]);
    tensor.offset = as<std::int64_t>(items[1]);
    tensor.shape = integers(items[2]);
    tensor.strides = integers(items[3]);
    tensor.dtype = tensor.storage.dtype;
    if (count == 7) {
        const auto dtype = pickle_dtype(as<PickleGlobal>(items[6]).name);
        if (!dtype) refusal_.corrupt("its pickle has a tensor of an unknown dtype");
        tensor.dtype = *dtype;
    }
    return tensor;
}

std::vector<std::int64_t> Unpickler::integers(PickleId id) const {
    std::vector<std::int64_t> numbers;
    for (const auto item : as<PickleTuple>(id).items) numbers.push_back(as<std::int64_t>(item));
    return numbers;
}

/// Executes BUILD. Ignores the extra state of an OrderedDict (a state_dict's `_metadata`), which does not concern
/// tensors.
void Unpickler::build() {
    pop();
    as<PickleDict>(top());
}

}  // namespace kinescope
