#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "core/api/numeric_sample.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// Where in a run the numbers are.
struct WatchMoment {
    Phase phase = Phase::denoise;
    int step = 0;  ///< while denoising: the step; while decoding: the chunk
    int attempt = 0;
};

/// Pure: the first step, the first chunk and the encoders are looked at op by op, and so is every retry, because it has
/// to name the offender.
Watch watch_level(const WatchMoment& moment);

/// A kernel is checked against the CPU (S7) in every how many steps, each time in another block.
inline constexpr int kShadowStride = 10;

/// Whose turn it is to be checked. Knows how many blocks there are from the sites that came by.
class ShadowTurns {
public:
    /// A site belongs to the block that its first number names.
    void heard_of(std::string_view component, std::string_view site);
    /// Whether the op at a site is computed again in this step: the first step takes the first block, the next time it
    /// is another one's turn. Sites outside of blocks never are.
    bool is_due(std::string_view component, std::string_view site, int step) const;

    /// By "<component> <path before the number>".
    const std::map<std::string, int, std::less<>>& last_blocks() const { return last_block_; }
    void restore(std::map<std::string, int, std::less<>> last_blocks) { last_block_ = std::move(last_blocks); }

private:
    std::map<std::string, int, std::less<>> last_block_;
};

}  // namespace kinescope
