#include "core/numerics/watch_plan.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <optional>

namespace kinescope {

Watch watch_level(const WatchMoment& moment) {
    const bool is_first = moment.phase == Phase::encode || moment.step == 0;
    return is_first || moment.attempt > 0 ? Watch::ops : Watch::sites;
}

namespace {

struct BlockName {
    std::string_view stem;  ///< "blocks" of "blocks.12.attn1"
    int index;
};

std::optional<BlockName> block_of(std::string_view site) {
    for (std::size_t dot = site.find('.'); dot != std::string_view::npos; dot = site.find('.', dot + 1)) {
        int index = 0;
        const char* begin = site.data() + dot + 1;
        const auto [end, error] = std::from_chars(begin, site.data() + site.size(), index);
        const bool is_number = error == std::errc() && (end == site.data() + site.size() || *end == '.');
        if (is_number) return BlockName{site.substr(0, dot), index};
    }
    return std::nullopt;
}

std::string stem_key(std::string_view component, std::string_view stem) {
    return std::string(component).append(" ").append(stem);
}

}  // namespace

bool is_in_block(std::string_view site) {
    return block_of(site).has_value();
}

int shadowed_block(int turn, int count) {
    int hop = 7;
    while (std::gcd(hop, count) != 1) ++hop;  // a common divisor would leave out blocks
    return static_cast<int>(std::int64_t{turn} * hop % count);
}

bool ShadowTurns::is_due(std::string_view component, std::string_view site, int step) const {
    const auto block = block_of(site);
    if (!block || step % kShadowStride != 0) return false;
    const auto last = last_block_.find(stem_key(component, block->stem));
    const int count = last == last_block_.end() ? 1 : last->second + 1;
    return block->index == shadowed_block(step / kShadowStride, count);
}

void ShadowTurns::add_site(std::string_view component, std::string_view site) {
    const auto block = block_of(site);
    if (!block) return;
    int& last = last_block_[stem_key(component, block->stem)];
    last = std::max(last, block->index);
}

}  // namespace kinescope
