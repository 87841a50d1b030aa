#include "core/jobs/model_fingerprint.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
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

struct ModelFile {
    std::string component;
    fs::path path;
};

Error not_read_completely(const fs::path& file, const std::string& reason) {
    return {ErrorCode::file_unreadable,
            "Cannot read " + file.string() + ": " + reason,
            "Check the disk, or the connection to the storage, then continue the job.",
            {{"path", file.string()}}};
}

/// Adds short samples from the whole file. Different weights are very unlikely to agree in all of them. Throws
/// Error(file_unreadable) for a sample that is missing: without it, the same file would count as another one.
void add_samples(Fingerprint& fingerprint, const fs::path& file, std::uintmax_t size) {
    std::ifstream stream(file, std::ios::binary);
    std::array<char, kSampleBytes> piece{};
    for (std::uintmax_t i = 0; i < kSamples; ++i) {
        stream.seekg(static_cast<std::streamoff>(size / kSamples * i));
        stream.read(piece.data(), kSampleBytes);
        if (stream.gcount() != kSampleBytes) throw not_read_completely(file, "its contents cannot be read completely");
        fingerprint.add({piece.data(), piece.size()});
    }
}

void add_file(Fingerprint& fingerprint, const ModelFile& file) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file.path, error);
    if (error) throw not_read_completely(file.path, error.message());
    fingerprint.add(file.component);
    fingerprint.add(std::to_string(size));
    if (size > static_cast<std::uintmax_t>(kMostHashedBytes))
        add_samples(fingerprint, file.path, size);
    else
        fingerprint.add(sha256_of_file(file.path));
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
std::vector<fs::path> files_of_component(const ModelFiles& files, const std::string& name) {
    try {
        return files.open_weights(name)->files();
    } catch (const Error& error) {
        if (is_of_reading(error)) throw;
        return tokenizer_files(files.component(name));
    }
}

std::vector<ModelFile> all_files(const ModelFiles& files, const std::vector<LoraRequest>& loras) {
    std::vector<ModelFile> all;
    for (const auto& [name, component] : files.components) {
        if (!component.missing.empty()) continue;
        for (fs::path& file : files_of_component(files, name)) all.push_back({name, std::move(file)});
    }
    for (const LoraRequest& lora : loras) {
        all.push_back({"lora", lora.path});
        if (fs::path config = adapter_config_beside(lora.path); !config.empty())
            all.push_back({"lora config", std::move(config)});
    }
    return all;
}

void add_config(Fingerprint& fingerprint, const std::string& name, const Json& config) {
    fingerprint.add(name);
    fingerprint.add(config.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

std::string model_fingerprint(const ModelFiles& files, const std::vector<LoraRequest>& loras) {
    Fingerprint fingerprint;
    add_config(fingerprint, "index", files.index);
    for (const auto& [name, component] : files.components)
        if (component.missing.empty()) add_config(fingerprint, name, component.config);
    for (const ModelFile& file : all_files(files, loras)) add_file(fingerprint, file);
    return fingerprint.hex();
}

std::vector<SampledFile> sampled_files(const ModelFiles& files, const std::vector<LoraRequest>& loras) {
    std::vector<SampledFile> sampled;
    for (const ModelFile& file : all_files(files, loras)) {
        const auto stamp = file_stamp(file.path);
        if (stamp && stamp->bytes > kMostHashedBytes) sampled.push_back({file.path, stamp->modified_ns});
    }
    return sampled;
}

}  // namespace kinescope
