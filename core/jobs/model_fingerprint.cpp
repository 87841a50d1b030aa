#include "core/jobs/model_fingerprint.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string_view>

#include "core/base/file_presence.h"
#include "core/base/file_stamp.h"
#include "core/base/sha256.h"
#include "core/weights/lora_file.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

/// A 64-bit FNV-1a hash, which is the same on every machine.
class Fingerprint {
public:
    void add(std::string_view bytes) {
        for (const char byte : bytes) hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
    }
    std::string hex() const {
        std::array<char, 17> text{};
        std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash_));
        return text.data();
    }

private:
    std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

constexpr std::uintmax_t kSamples = 64;
constexpr std::streamsize kSampleBytes = 4096;

/// The files that the tokenizers read from a folder.
constexpr std::array<const char*, 5> kTokenizerFiles = {"spiece.model", "step1_chat_tokenizer.model", "tokenizer.json",
                                                        "tokenizer_config.json", "vocab.txt"};

enum class FileUse { network, tokenizer };

struct ModelFile {
    std::string component;
    fs::path path;
    FileUse use = FileUse::network;
};

Error not_read_completely(const fs::path& file, const std::string& reason) {
    return {ErrorCode::file_unreadable,
            "Cannot read " + file.string() + ": " + reason,
            "Check the disk, or the connection to the storage, then continue the job.",
            {{"path", file.string()}}};
}

/// Returns short samples from the whole file. Different weights are very unlikely to agree in all of them. Throws
/// Error(file_unreadable) for a sample that is missing: without it, the same file would count as another one.
std::string samples_of(const fs::path& file, std::uintmax_t size) {
    std::ifstream stream(file, std::ios::binary);
    std::array<char, kSampleBytes> piece{};
    std::string samples;
    for (std::uintmax_t i = 0; i < kSamples; ++i) {
        stream.seekg(static_cast<std::streamoff>(size / kSamples * i));
        stream.read(piece.data(), kSampleBytes);
        if (stream.gcount() != kSampleBytes) throw not_read_completely(file, "its contents cannot be read completely");
        samples.append(piece.data(), piece.size());
    }
    return samples;
}

std::uintmax_t bytes_in(const fs::path& file) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    if (error) throw not_read_completely(file, error.message());
    return size;
}

bool is_large(std::uintmax_t size) {
    return size > static_cast<std::uintmax_t>(kMostHashedBytes);
}

/// Returns what a fingerprint covers of a file.
std::string description_of(const ModelFile& file) {
    const std::uintmax_t size = bytes_in(file.path);
    return file.component + std::to_string(size) +
           (is_large(size) ? samples_of(file.path, size) : sha256_of_file(file.path));
}

/// Throws Error(file_unreadable) if the system cannot tell now.
bool exists_now(const fs::path& file) {
    std::error_code error;
    const bool exists = fs::exists(file, error);
    if (error) throw not_read_completely(file, error.message());
    return exists;
}

/// Returns the files of a tokenizer in a folder or, if a file replaces it, this file and those that are read with it.
std::vector<fs::path> tokenizer_files(const ComponentFiles& tokenizer) {
    if (!tokenizer.weights.empty()) {
        std::vector<fs::path> files{tokenizer.weights};
        const fs::path beside = tokenizer.weights.parent_path() / "tokenizer_config.json";
        if (exists_now(beside)) files.push_back(beside);
        return files;
    }
    std::vector<fs::path> files;
    if (tokenizer.folder.empty()) return files;
    for (const char* name : kTokenizerFiles)
        if (fs::path file = tokenizer.folder / name; exists_now(file)) files.push_back(std::move(file));
    // The tokenizer does not read this file if the folder contains a SentencePiece model.
    if (exists_now(tokenizer.folder / "spiece.model"))
        std::erase_if(files, [](const fs::path& file) { return file.filename() == "tokenizer.json"; });
    return files;
}

/// Returns the weights of a component or, for one without weights, the files of a tokenizer.
std::vector<ModelFile> files_of_component(const ModelFiles& files, const std::string& name) {
    std::vector<ModelFile> all;
    try {
        const auto weights = files.open_weights(name);
        for (const fs::path& file : weights->files()) all.push_back({name, file});
    } catch (const Error& error) {
        if (is_of_reading(error)) throw;
        for (fs::path& file : tokenizer_files(files.component(name)))
            all.push_back({name, std::move(file), FileUse::tokenizer});
    }
    return all;
}

std::vector<ModelFile> all_files(const ModelFiles& files, const std::vector<LoraRequest>& loras) {
    std::vector<ModelFile> all;
    for (const auto& [name, component] : files.components)
        if (component.missing.empty()) std::ranges::move(files_of_component(files, name), std::back_inserter(all));
    for (const LoraRequest& lora : loras) {
        all.push_back({"lora", lora.path});
        if (fs::path config = adapter_config_beside(lora.path); !config.empty())
            all.push_back({"lora config", std::move(config)});
    }
    return all;
}

bool has_network(const std::vector<ModelFile>& files, const std::string& component) {
    return std::ranges::any_of(
        files, [&](const ModelFile& file) { return file.component == component && file.use == FileUse::network; });
}

void add_config(Fingerprint& fingerprint, const std::string& name, const Json& config) {
    fingerprint.add(name);
    fingerprint.add(config.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

ModelIdentity model_identity(const ModelFiles& files, const std::vector<LoraRequest>& loras) {
    const std::vector<ModelFile> all = all_files(files, loras);
    Fingerprint whole, networks;
    add_config(whole, "index", files.index);
    for (const auto& [name, component] : files.components) {
        if (!component.missing.empty()) continue;
        add_config(whole, name, component.config);
        if (has_network(all, name)) add_config(networks, name, component.config);
    }
    std::vector<SampledFile> sampled;
    for (const ModelFile& file : all) {
        const auto stamp = file_stamp(file.path);
        if (stamp && is_large(static_cast<std::uintmax_t>(stamp->bytes)))
            sampled.push_back({file.path, stamp->modified_ns});
        const std::string description = description_of(file);
        whole.add(description);
        if (file.use == FileUse::network) networks.add(description);
    }
    return {.fingerprint = whole.hex(), .networks = networks.hex(), .sampled = std::move(sampled)};
}

}  // namespace kinescope
