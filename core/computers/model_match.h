#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/protocol/cbor_reader.h"

// Finds the copy of a model on another computer. Two files are the same if they have the same size and the same hash of
// the header (see FileIdentity); names do not matter for single files, and inside a folder they must be equal. A LoRA
// of PEFT is the same only with the same adapter_config.json, which contains its scale, so it keeps its name.
namespace kinescope::computers {

struct WantedFile {
    std::string name;  ///< inside the folder, with '/'; of a single file its name
    std::int64_t bytes = 0;
    std::string header_sha256;
};

/// A model, a component or a LoRA.
struct WantedModel {
    enum class Kind { folder, file };
    Kind kind = Kind::file;
    std::vector<std::filesystem::path> hints;  ///< where to look first
    /// The weight files, at most kMostWeightFiles; then the configuration of a LoRA.
    std::vector<WantedFile> files;
};
inline constexpr std::size_t kMostWeightFiles = 1000;

/// Describes a model on this computer. Throws Error(file_not_found, file_unreadable).
WantedModel describe_model(const std::filesystem::path& model);

/// Returns the path of the same model on this computer, or an empty path. `models`: known models, in whose folders it
/// also looks for single files.
std::filesystem::path find_model(const WantedModel& wanted, const std::vector<std::filesystem::path>& models);

protocol::Json to_document(const WantedModel& wanted);
/// Throws ProtocolError that names the fault.
WantedModel wanted_model_from(const protocol::Json& document);

}  // namespace kinescope::computers
