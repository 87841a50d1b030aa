#include "core/weights/formats/weight_file.h"

#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/api/error.h"
#include "core/base/mapped_file.h"
#include "core/weights/formats/gguf_reader.h"
#include "core/weights/formats/pickle_reader.h"
#include "core/weights/formats/safetensors_reader.h"
#include "core/weights/formats/sharded_reader.h"

namespace kinescope {
namespace {

using namespace std::string_view_literals;

/// First bytes of the torch.save format before PyTorch 1.6: a pickle of the number 0x1950a86a20f9469cfc6c.
constexpr auto kLegacyMagic = "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"sv;

std::string_view as_text(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Returns true if the text starts with a 64-bit length below 4 GB, followed by JSON.
bool looks_like_safetensors(std::string_view text) {
    return text.size() > 8 && text.substr(4, 4) == "\0\0\0\0"sv && text[8] == '{';
}

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& what, const std::string& hint) {
    throw Error(ErrorCode::unsupported, file.string() + " has an unsupported format: " + what, hint,
                {{"path", file.string()}});
}

}  // namespace

WeightFileKind detect_weight_file(std::span<const std::byte> file) {
    const auto text = as_text(file);
    if (looks_like_safetensors(text)) return WeightFileKind::safetensors;
    if (text.starts_with("GGUF")) return WeightFileKind::gguf;
    if (text.starts_with("PK\x03\x04")) return WeightFileKind::pickle;
    if (text.size() > 2 && text[0] == '\x80' && text.substr(2).starts_with(kLegacyMagic))
        return WeightFileKind::legacy_pickle;
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first != text.npos && text[first] == '{') return WeightFileKind::shard_index;
    return WeightFileKind::unknown;
}

namespace {

/// Returns the reader for the format of a file. Throws Error(unsupported) for an index and for other formats.
std::shared_ptr<const CheckpointReader> reader_of(const std::shared_ptr<const MappedFile>& file) {
    const std::filesystem::path& path = file->path();
    switch (detect_weight_file(file->bytes())) {
        case WeightFileKind::safetensors:
            return std::make_shared<SafetensorsReader>(file);
        case WeightFileKind::gguf:
            return std::make_shared<GgufReader>(file);
        case WeightFileKind::pickle:
            return std::make_shared<PickleReader>(file);
        case WeightFileKind::legacy_pickle:
            refuse(path, "it uses the torch.save format from before PyTorch 1.6",
                   "Open it in PyTorch with torch.load(..., weights_only=True) and save it again, preferably as "
                   "safetensors.");
        case WeightFileKind::shard_index:
        case WeightFileKind::unknown:
            break;
    }
    // The content does not match the extension. The reader reports what is wrong.
    if (path.extension() == ".safetensors") return std::make_shared<SafetensorsReader>(file);
    refuse(path, "it is not a safetensors, GGUF or torch.save file, nor an index of shards",
           "Choose a file with weights, preferably the safetensors file of this model.");
}

}  // namespace

std::shared_ptr<const CheckpointReader> open_single_file(const std::filesystem::path& file) {
    return reader_of(MappedFile::open(file));
}

std::shared_ptr<const CheckpointReader> open_weight_file(const std::filesystem::path& file) {
    const auto mapped = MappedFile::open(file);
    const bool is_index = detect_weight_file(mapped->bytes()) == WeightFileKind::shard_index;
    if (is_index || file.extension() == ".json") return std::make_shared<ShardedReader>(file);
    if (const auto set = shard_set_of(file); set && set->files.size() > 1) return std::make_shared<ShardedReader>(*set);
    return reader_of(mapped);
}

}  // namespace kinescope
