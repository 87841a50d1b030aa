#include <cstdlib>
#include <iostream>
#include <string_view>

#include "tests/faults/campaign.h"

/// Usage: fault_campaign [--faults N] [--clean N] [--seed N]
int main(int argc, char** argv) {
    kinescope::faults::CampaignSettings settings;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view flag = argv[i];
        const int value = std::atoi(argv[i + 1]);
        if (flag == "--faults")
            settings.num_faults = value;
        else if (flag == "--clean")
            settings.num_clean = value;
        else if (flag == "--seed")
            settings.seed = static_cast<unsigned>(value);
        else
            return std::cerr << "fault_campaign [--faults N] [--clean N] [--seed N]\n", 2;
    }
    return kinescope::faults::run_campaign(settings, std::cout) ? 0 : 1;
}
