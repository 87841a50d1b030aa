#pragma once

#include <iosfwd>

namespace kinescope::faults {

struct CampaignSettings {
    int num_faults = 200;
    int num_clean = 100;
    unsigned seed = 1;
};

/// Plants the faults, makes the clean runs, prints a line for each that went wrong and the table. True: none did.
bool run_campaign(const CampaignSettings& settings, std::ostream& out);

}  // namespace kinescope::faults
