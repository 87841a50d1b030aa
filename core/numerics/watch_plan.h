#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "core/api/numeric_sample.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// The position in a run that determines which sites are watched.
struct WatchMoment {
    Phase phase = Phase::denoise;
    int step = 0;  ///< the step while denoising, the chunk while decoding
    int attempt = 0;
};

/// Returns Watch::ops in the first step, the first chunk and the encoders, and in every repeated attempt, which must
/// locate the faulty op; otherwise Watch::sites. Pure.
Watch watch_level(const WatchMoment& moment);

/// Returns true if a site is a block or inside one: its name contains an index. Pure.
bool is_in_block(std::string_view site);

/// Kernels are checked against the CPU (detector S7) in every 10th step, each time in another block.
inline constexpr int kShadowStride = 10;

/// Returns the index of the block to be checked in a turn, out of `count` blocks. `count` consecutive turns check every
/// block once, and consecutive turns check distant blocks. Pure.
int shadowed_block(int turn, int count);

/// Chooses the block that is checked against the CPU. Learns the number of blocks from the observed sites.
class ShadowTurns {
public:
    /// Adds a site. The first number in its name is the index of its block.
    void add_site(std::string_view component, std::string_view site);
    /// Returns true if the op at a site is to be computed again in this step: an op of the first block in the first
    /// step, and of the other blocks in turn later. Returns false for sites outside blocks.
    bool is_due(std::string_view component, std::string_view site, int step) const;

    /// Returns the index of the last block of each list of blocks, by "<component> <path before the index>".
    const std::map<std::string, int, std::less<>>& last_blocks() const { return last_block_; }
    void restore(std::map<std::string, int, std::less<>> last_blocks) { last_block_ = std::move(last_blocks); }

private:
    std::map<std::string, int, std::less<>> last_block_;
};

}  // namespace kinescope
