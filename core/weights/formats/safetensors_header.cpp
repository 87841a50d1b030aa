#include "core/weights/formats/safetensors_header.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "core/api/error.h"
#include "core/api/json_members.h"
#include "core/base/json.h"
#include "core/weights/formats/byte_cursor.h"
#include "core/weights/formats/dtype_names.h"
#include "core/weights/formats/mapped_tensor.h"

namespace kinescope {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;  // the limit of the reference implementation
constexpr std::size_t kMaxDims = 16;                    // 3-D convolutions have 5
constexpr auto kMaxBytes = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

std::string_view as_text(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Returns true for the start of a web page. A failed download often leaves one under the name of the file.
bool is_web_page(std::string_view text) {
    const auto start = text.find_first_not_of(" \t\r\n");
    if (start == text.npos) return false;
    text.remove_prefix(start);
    return std::ranges::any_of(std::array<std::string_view, 2>{"<!doctype html", "<html"}, [&](std::string_view tag) {
        return std::ranges::equal(text.substr(0, tag.size()), tag, {},
                                  [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    });
}

/// Returns the header as JSON text.
std::string_view header_text(std::span<const std::byte> file, const Refusal& refusal) {
    if (file.size() < kLengthBytes) refusal.truncated(file.size(), kLengthBytes, "of the header's length");
    std::uint64_t length = 0;
    std::memcpy(&length, file.data(), kLengthBytes);
    if (as_text(file).starts_with("version https://git-lfs")) {
        refusal.corrupt("it is a Git LFS pointer instead of the real file (run 'git lfs pull')");
    }
    if (is_web_page(as_text(file)))
        refusal.corrupt("it is a web page (HTML) instead of the real file, probably an error message of the server");
    if (length > kMaxHeaderBytes) {
        refusal.corrupt("its first 8 bytes declare a header of " + std::to_string(length) + " bytes, but at most " +
                        std::to_string(kMaxHeaderBytes) + " are allowed. It is probably another type of file");
    }
    const auto there = file.size() - kLengthBytes;
    if (length > there) refusal.truncated(there, length, "of the header");
    return as_text(file.subspan(kLengthBytes, length));
}

std::map<std::string, std::string> parse_metadata(const Json& json, const Refusal& refusal) {
    if (!json.is_object()) refusal.corrupt("its __metadata__ is not an object");
    std::map<std::string, std::string> metadata;
    for (const auto& [key, value] : json.items()) {
        if (!value.is_string()) refusal.corrupt("its __metadata__ '" + key + "' is not a string");
        metadata[key] = value.get<std::string>();
    }
    return metadata;
}

/// Parses one tensor's entry of the header. Offsets are relative to the start of the data.
class EntryParser {
public:
    EntryParser(const std::string& name, const Json& json, const Refusal& refusal)
        : name_(name), json_(json), refusal_(refusal) {
        if (!json.is_object()) corrupt("its entry is not an object");
    }

    SafetensorsEntry parse() const {
        SafetensorsEntry entry;
        entry.tensor.name = name_;
        entry.tensor.dtype = dtype();
        entry.tensor.shape = shape();
        const auto [begin, end] = data_offsets();
        const auto wanted = size_in_bytes(entry.tensor);
        if (wanted != end - begin) {
            corrupt("shape and dtype need " + std::to_string(wanted) + " bytes, data_offsets span " +
                    std::to_string(end - begin));
        }
        entry.tensor.bytes = static_cast<std::int64_t>(wanted);
        entry.offset = begin;
        return entry;
    }

private:
    [[noreturn]] void corrupt(const std::string& reason) const {
        refusal_.corrupt("tensor '" + name_ + "': " + reason);
    }

    const Json& field(const char* key) const {
        const auto found = json_.find(key);
        if (found == json_.end()) corrupt(std::string("it has no ") + key);
        return *found;
    }

    Dtype dtype() const {
        const Json& json = field("dtype");
        if (!json.is_string()) corrupt("its dtype is not a string");
        const auto word = json.get<std::string>();
        const auto dtype = dtype_from_safetensors(word);
        if (!dtype) refusal_.unsupported("tensor '" + name_ + "' has the dtype '" + word + "', which is not supported");
        return *dtype;
    }

    std::vector<std::int64_t> shape() const {
        const Json& json = field("shape");
        if (!json.is_array()) corrupt("its shape is not a list");
        if (json.size() > kMaxDims) corrupt("its shape has " + std::to_string(json.size()) + " dimensions");
        std::vector<std::int64_t> shape;
        for (const Json& dim : json) shape.push_back(static_cast<std::int64_t>(whole_number(dim, "shape")));
        return shape;
    }

    std::pair<std::uint64_t, std::uint64_t> data_offsets() const {
        const Json& json = field("data_offsets");
        if (!json.is_array() || json.size() != 2) corrupt("its data_offsets are not two numbers");
        const auto begin = whole_number(json[0], "data_offsets");
        const auto end = whole_number(json[1], "data_offsets");
        if (end < begin) corrupt("its data_offsets end before they begin");
        return {begin, end};
    }

    std::uint64_t whole_number(const Json& json, const char* what) const {
        // Negative, fractional and overflowing numbers have another JSON type.
        if (!json.is_number_unsigned() || json.get<std::uint64_t>() > kMaxBytes) {
            corrupt(std::string("its ") + what + " contain " + json.dump() + ", which is not a valid count");
        }
        return json.get<std::uint64_t>();
    }

    std::uint64_t size_in_bytes(const TensorEntry& tensor) const {
        const auto bytes = checked_bytes(tensor.shape, tensor.dtype);
        if (!bytes) corrupt("its shape overflows");
        return *bytes;
    }

    const std::string& name_;
    const Json& json_;
    const Refusal& refusal_;
};

std::uint64_t end_of(const SafetensorsEntry& entry) {
    return entry.offset + static_cast<std::uint64_t>(entry.tensor.bytes);
}

bool lies_before(const SafetensorsEntry& a, const SafetensorsEntry& b) {
    return std::tuple(a.offset, a.tensor.bytes, std::string_view(a.tensor.name)) <
           std::tuple(b.offset, b.tensor.bytes, std::string_view(b.tensor.name));
}

/// Rejects duplicate names, because readers disagree on which of the two tensors counts. Without overlaps, only empty
/// tensors can have the same offset.
void refuse_equal_names(const std::vector<SafetensorsEntry>& entries, const Refusal& refusal) {
    std::unordered_set<std::string_view> names;
    names.reserve(entries.size());
    for (const auto& entry : entries)
        if (!names.insert(entry.tensor.name).second)
            refusal.corrupt("bad header: the name \"" + entry.tensor.name + "\" occurs twice");
}

/// Sorts the entries by offset and checks that they cover the data without gaps or overlaps.
void check_layout(std::vector<SafetensorsEntry>& entries, std::uint64_t data_bytes, const Refusal& refusal) {
    if (!std::ranges::is_sorted(entries, lies_before)) std::ranges::sort(entries, lies_before);
    std::uint64_t expected = 0;
    for (const auto& entry : entries) {
        if (entry.offset != expected) {
            refusal.corrupt("tensor '" + entry.tensor.name + "' starts at byte " + std::to_string(entry.offset) +
                            " of the data instead of " + std::to_string(expected) + ": " +
                            (entry.offset < expected ? "it overlaps another" : "there is a gap before it"));
        }
        expected = end_of(entry);
    }
    if (data_bytes < expected) refusal.truncated(data_bytes, expected, "of tensor data");
    if (data_bytes > expected) {
        refusal.corrupt(std::to_string(data_bytes - expected) + " unused bytes follow the last tensor");
    }
}

}  // namespace

SafetensorsHeader parse_safetensors_header(std::span<const std::byte> file, const std::filesystem::path& path) {
    const Refusal refusal{.path = path, .kind = "safetensors file"};
    const auto text = header_text(file, refusal);

    SafetensorsHeader header;
    const auto add = [&](const std::string& name, const Json& value) {
        if (name == "__metadata__")
            header.metadata = parse_metadata(value, refusal);
        else
            header.entries.push_back(EntryParser(name, value, refusal).parse());
    };
    try {
        visit_members(text, {.bytes = kMaxHeaderBytes}, add);
    } catch (const JsonError& error) {
        refusal.corrupt(std::string("bad header: ") + error.what());
    }
    refuse_equal_names(header.entries, refusal);
    const auto data_offset = kLengthBytes + text.size();
    check_layout(header.entries, file.size() - data_offset, refusal);
    for (auto& entry : header.entries) entry.offset += data_offset;
    return header;
}

}  // namespace kinescope
