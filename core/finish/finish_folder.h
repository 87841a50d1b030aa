#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/api/video_finish.h"
#include "core/base/number_locks.h"
#include "core/device/tensor.h"
#include "core/finish/tiled_upscaler.h"

namespace kinescope {

/// What the rounding of a finished copy depends on besides the request: the device with its driver, the instructions
/// that own kernels use, and the number of threads that the calling thread uses.
std::string computer_facts(const Device& device);

/// Identifies everything that determines the bytes of a finished copy: request, files, program, libraries and computer.
/// SHA-256 in hexadecimal digits.
std::string finish_key(const FinishRequest& request, const std::string& computer);

/// What a call that continues an interrupted one must know of the frames that exist.
struct FinishState {
    TileSize tiles;              ///< smaller than requested if the device ran out of memory
    double tile_difference = 0;  ///< see TiledUpscaler::tile_difference
};

/// Deletes the chunks of a copy that no call is making. `root`: see FinishFolder::open.
void remove_saved_frames(const std::filesystem::path& root, const std::filesystem::path& output);

/// Deletes the chunks of all copies that no call has used for two weeks.
void remove_old_saved_frames(const std::filesystem::path& root);

/// The folder that keeps the finished chunks of a copy until it is complete, so that the same request continues there.
class FinishFolder {
public:
    /// Opens the folder of a key in `root`. Throws Error(bad_request) if another process makes the same copy. Returns
    /// null, and logs a warning, if the folder cannot be made: then nothing is saved.
    static std::unique_ptr<FinishFolder> open(const std::filesystem::path& root, const std::string& key,
                                              const std::filesystem::path& output);

    const std::filesystem::path& path() const { return folder_; }
    /// Returns true if at least one chunk is saved.
    bool holds_frames() const;
    /// Logs a warning if it fails.
    void save_state(const FinishState& state) const;
    /// nullopt: none was saved.
    std::optional<FinishState> state() const;
    /// Deletes the folder.
    void remove() const;

private:
    FinishFolder(const std::filesystem::path& root, const std::string& key, const std::filesystem::path& output);
    void lock(const std::string& key);
    void save(const char* name, const std::string& text) const;

    std::filesystem::path folder_;
    NumberLocks locks_;
};

}  // namespace kinescope
