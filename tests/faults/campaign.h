#pragma once

#include <iosfwd>
#include <vector>

namespace kinescope::faults {

struct CampaignSettings {
    int num_faults = 200;
    int num_clean = 100;
    unsigned seed = 1;
    std::vector<int> only;  ///< indices of faults to plant, and no clean runs; empty: all
};

/// Runs the planted faults and the clean runs. Prints a line for each wrong result, and a table. Returns true if all
/// results are right.
bool run_campaign(const CampaignSettings& settings, std::ostream& out);

}  // namespace kinescope::faults
