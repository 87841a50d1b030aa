#include "ui/models/vary_seed.h"

#include "ui/models/request_model.h"

namespace kinescope::ui {

void varySeed(RequestModel& model, std::uint64_t seed) {
    model.setSeedMode(SeedMode::newEachRun);
    model.edit([seed](VideoRequest& request) {
        request.variation_of = seed;
        request.seed.reset();
    });
}

void endVariation(RequestModel& model) {
    model.edit([](VideoRequest& request) {
        request.variation_of.reset();
        request.variation_strength.reset();
    });
}

}  // namespace kinescope::ui
