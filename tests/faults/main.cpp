#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

#include "tests/faults/campaign.h"

namespace {

constexpr const char* kUsage = "fault_campaign [--faults N] [--clean N] [--seed N] [--only N,N,...] [--rounding N]\n";

std::vector<int> numbers_in(const std::string& list) {
    std::vector<int> numbers;
    std::istringstream words(list);
    for (std::string word; std::getline(words, word, ',');) numbers.push_back(std::atoi(word.c_str()));
    return numbers;
}

}  // namespace

/// Runs a campaign. `--only` repeats single faults of it. `--rounding` measures runs without a fault with N seeds.
int main(int argc, char** argv) {
    kinescope::faults::CampaignSettings settings;
    if (argc % 2 == 0) return std::cerr << kUsage, 2;
    for (int i = 1; i < argc; i += 2) {
        const std::string_view flag = argv[i];
        const int value = std::atoi(argv[i + 1]);
        if (flag == "--faults")
            settings.num_faults = value;
        else if (flag == "--clean")
            settings.num_clean = value;
        else if (flag == "--rounding")
            settings.num_rounding = value;
        else if (flag == "--seed")
            settings.seed = static_cast<unsigned>(value);
        else if (flag == "--only")
            settings.only = numbers_in(argv[i + 1]);
        else
            return std::cerr << kUsage, 2;
    }
    return kinescope::faults::run_campaign(settings, std::cout) ? 0 : 1;
}
