#include "core/weights/formats/gguf_header.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_set>

#include "core/weights/formats/byte_cursor.h"
#include "core/weights/formats/gguf_values.h"
#include "core/weights/formats/mapped_tensor.h"

namespace kinescope {
namespace {

constexpr std::uint32_t kMaxGgufDims = 8;  // ggml has 4
constexpr std::uint64_t kDefaultAlignment = 32;
constexpr std::int64_t kMaxAlignment = 1 << 20;

struct Type {
    std::uint32_t number;  ///< ggml_type
    Dtype dtype;
    Packing packing = Packing::none;
};

constexpr Type kTypes[] = {{0, Dtype::Float},
                           {1, Dtype::Half},
                           {2, Dtype::Byte, Packing::q4_0},
                           {3, Dtype::Byte, Packing::q4_1},
                           {6, Dtype::Byte, Packing::q5_0},
                           {7, Dtype::Byte, Packing::q5_1},
                           {8, Dtype::Byte, Packing::q8_0},
                           {12, Dtype::Byte, Packing::q4_k},
                           {13, Dtype::Byte, Packing::q5_k},
                           {14, Dtype::Byte, Packing::q6_k},
                           {24, Dtype::Char},
                           {25, Dtype::Short},
                           {26, Dtype::Int},
                           {27, Dtype::Long},
                           {28, Dtype::Double},
                           {30, Dtype::BFloat16}};

/// Returns the name of a type that is not supported.
std::string type_name(std::uint32_t number) {
    switch (number) {
        case 10:
            return "Q2_K";
        case 11:
            return "Q3_K";
        case 15:
            return "Q8_K";
        case 16:
            return "IQ2_XXS";
        case 17:
            return "IQ2_XS";
        case 18:
            return "IQ3_XXS";
        case 19:
            return "IQ1_S";
        case 20:
            return "IQ4_NL";
        case 21:
            return "IQ3_S";
        case 22:
            return "IQ2_S";
        case 23:
            return "IQ4_XS";
        case 29:
            return "IQ1_M";
        default:
            return "type " + std::to_string(number);
    }
}

class HeaderParser {
public:
    HeaderParser(std::span<const std::byte> file, const Refusal& refusal)
        : refusal_(refusal), cursor_(file, refusal, "of the header"), file_bytes_(file.size()) {}

    GgufHeader parse() {
        check_version();
        const auto num_tensors = cursor_.number<std::uint64_t>();
        values_ = read_gguf_values(cursor_, cursor_.number<std::uint64_t>(), refusal_);
        GgufHeader header;
        for (std::uint64_t i = 0; i < num_tensors; ++i) header.entries.push_back(entry());
        place_in_file(header.entries);
        header.metadata = std::move(values_.texts);
        return header;
    }

private:
    void check_version() {
        if (cursor_.text(4) != "GGUF") refusal_.corrupt("it does not start with GGUF");
        const auto version = cursor_.number<std::uint32_t>();
        if (version == 2 || version == 3) return;
        const bool swapped = (version & 0xFFFF) == 0 && version != 0;
        refusal_.unsupported(swapped ? "it is a GGUF file for big-endian machines"
                                     : "GGUF version " + std::to_string(version) + "; 2 and 3 are supported",
                             "Use another GGUF file of this model.");
    }

    GgufEntry entry() {
        GgufEntry entry;
        TensorEntry& tensor = entry.tensor;
        tensor.name = read_gguf_text(cursor_, refusal_);
        if (!names_.insert(tensor.name).second) refusal_.corrupt("tensor '" + tensor.name + "' occurs twice");
        tensor.shape = dimensions(tensor.name);
        const auto type = find_type(tensor.name, cursor_.number<std::uint32_t>());
        tensor.dtype = type.dtype;
        tensor.packing = type.packing;
        tensor.bytes = bytes_of(tensor);
        entry.offset = cursor_.number<std::uint64_t>();
        restore_shape(tensor);
        return entry;
    }

    std::vector<std::int64_t> dimensions(const std::string& name) {
        const auto count = cursor_.number<std::uint32_t>();
        if (count > kMaxGgufDims) corrupt(name, "it has " + std::to_string(count) + " dimensions");
        std::vector<std::int64_t> shape;
        for (std::uint32_t i = 0; i < count; ++i) shape.push_back(cursor_.number<std::int64_t>());
        if (std::ranges::any_of(shape, [](auto dim) { return dim < 0; })) corrupt(name, "its shape overflows");
        std::reverse(shape.begin(), shape.end());
        return shape;
    }

    Type find_type(const std::string& name, std::uint32_t number) const {
        for (const auto& type : kTypes)
            if (type.number == number) return type;
        refusal_.unsupported("tensor '" + name + "' is stored as " + type_name(number) + ", which is not supported",
                             "Use a file with Q8_0, Q6_K, Q5_K, Q4_K, Q5_1, Q5_0, Q4_1 or Q4_0.");
    }

    std::int64_t bytes_of(const TensorEntry& tensor) const {
        const auto bytes = checked_bytes(tensor.shape, tensor.dtype);
        if (!bytes) corrupt(tensor.name, "its shape overflows");
        const auto size = block_size(tensor.packing);
        const auto row = tensor.shape.empty() ? 1 : tensor.shape.back();
        if (row % size.numbers != 0)
            corrupt(tensor.name, "rows of " + std::to_string(row) + " values are not a multiple of the block size " +
                                     std::to_string(size.numbers));
        const auto blocks = *bytes / static_cast<std::uint64_t>(size.numbers);
        if (blocks > file_bytes_) refusal_.truncated(file_bytes_, *bytes, "of tensor '" + tensor.name + "'");
        return static_cast<std::int64_t>(blocks) * size.bytes;
    }

    void restore_shape(TensorEntry& tensor) const {
        const auto found = values_.integers.find("comfy.gguf.orig_shape." + tensor.name);
        if (found == values_.integers.end()) return;
        const auto& shape = found->second;
        const bool sound =
            shape.size() <= kMaxGgufDims && std::ranges::none_of(shape, [](auto dim) { return dim < 0; });
        if (!sound || checked_bytes(shape, tensor.dtype) != checked_bytes(tensor.shape, tensor.dtype))
            corrupt(tensor.name, "its original shape has a different number of values");
        tensor.shape = shape;
    }

    std::uint64_t alignment() const {
        const auto found = values_.integers.find("general.alignment");
        if (found == values_.integers.end()) return kDefaultAlignment;
        const auto value = found->second.front();
        if (value < 1 || value > kMaxAlignment) refusal_.corrupt("invalid alignment " + std::to_string(value));
        return static_cast<std::uint64_t>(value);
    }

    /// Converts offsets within the tensor data to offsets within the file.
    void place_in_file(std::vector<GgufEntry>& entries) const {
        const auto step = alignment();
        const std::uint64_t start = (cursor_.place() + step - 1) / step * step;
        const std::uint64_t there = file_bytes_ > start ? file_bytes_ - start : 0;
        for (auto& entry : entries) {
            const auto bytes = static_cast<std::uint64_t>(entry.tensor.bytes);
            if (bytes > there || entry.offset > there - bytes)
                refusal_.truncated(there, saturating_sum(entry.offset, bytes),
                                   "of tensor data up to the end of '" + entry.tensor.name + "'");
            entry.offset += start;
        }
    }

    static std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
        return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max() : a + b;
    }

    [[noreturn]] void corrupt(const std::string& name, const std::string& reason) const {
        refusal_.corrupt("tensor '" + name + "': " + reason);
    }

    const Refusal& refusal_;
    ByteCursor cursor_;
    std::size_t file_bytes_;
    GgufValues values_;
    std::unordered_set<std::string> names_;
};

}  // namespace

GgufHeader parse_gguf_header(std::span<const std::byte> file, const std::filesystem::path& path) {
    const Refusal refusal{.path = path, .kind = "GGUF file"};
    return HeaderParser(file, refusal).parse();
}

}  // namespace kinescope
