#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "core/api/numeric_sample.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// A position in a run.
struct WatchMoment {
    Phase phase = Phase::denoise;
    int step = 0;  ///< the step while denoising, the chunk while decoding
    int attempt = 0;
};

/// Pure. Returns Watch::ops in the first step, the first chunk and the encoders, and in every repeated attempt, which
/// has to locate the faulty op; otherwise Watch::sites.
Watch watch_level(const WatchMoment& moment);

/// Kernels are checked against the CPU (S7) in every 10th step, each time in another block.
inline constexpr int kShadowStride = 10;

/// Pure. The block of `count` that is checked in a turn. `count` consecutive turns check every block once, and
/// consecutive turns look at distant blocks.
int shadowed_block(int turn, int count);

/// Chooses the block that is checked against the CPU. Learns the number of blocks from the sites that are observed.
class ShadowTurns {
public:
    /// The first number in the name of a site is the index of its block.
    void add_site(std::string_view component, std::string_view site);
    /// Returns true if the op at a site is to be computed again in this step: the first block in the first step, later
    /// the others in turn. Returns false for sites outside blocks.
    bool is_due(std::string_view component, std::string_view site, int step) const;

    /// Index of the last block, by "<component> <path before the index>".
    const std::map<std::string, int, std::less<>>& last_blocks() const { return last_block_; }
    void restore(std::map<std::string, int, std::less<>> last_blocks) { last_block_ = std::move(last_blocks); }

private:
    std::map<std::string, int, std::less<>> last_block_;
};

}  // namespace kinescope
