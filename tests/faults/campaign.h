#pragma once

#include <iosfwd>
#include <vector>

namespace kinescope::faults {

struct CampaignSettings {
    int num_faults = 200;
    int num_clean = 100;
    unsigned seed = 1;
    int num_rounding = 0;   ///< seeds for runs without a fault that measure rounding; 0: plant faults instead
    std::vector<int> only;  ///< indices of faults to plant, without clean runs; empty: all faults and the clean runs
};

/// Runs the planted faults and the clean runs. Prints a line for each wrong result, then a table. Returns true if all
/// results are right.
bool run_campaign(const CampaignSettings& settings, std::ostream& out);

}  // namespace kinescope::faults
