#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "core/api/numeric_sample.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// A moment of a run.
struct WatchMoment {
    Phase phase = Phase::denoise;
    int step = 0;  ///< the step while denoising, the chunk while decoding
    int attempt = 0;
};

/// Pure. Watches op by op in the first step, the first chunk and the encoders, and in every further attempt, which has
/// to find the op at fault.
Watch watch_level(const WatchMoment& moment);

/// Kernels are checked against the CPU (S7) in every 10th step, each time in another block.
inline constexpr int kShadowStride = 10;

/// Chooses the block that is checked against the CPU. Learns the number of blocks from the sites that are observed.
class ShadowTurns {
public:
    /// The first number in the name of a site is the index of its block.
    void add_site(std::string_view component, std::string_view site);
    /// True if the op at a site is computed again in this step: the first block in the first step, later the others in
    /// turn. False for sites outside blocks.
    bool is_due(std::string_view component, std::string_view site, int step) const;

    /// Index of the last block, by "<component> <path before the index>".
    const std::map<std::string, int, std::less<>>& last_blocks() const { return last_block_; }
    void restore(std::map<std::string, int, std::less<>> last_blocks) { last_block_ = std::move(last_blocks); }

private:
    std::map<std::string, int, std::less<>> last_block_;
};

}  // namespace kinescope
